import type { ClassFacts, FunctionFacts, Place } from "../../types.js";
import type { Act } from "../act.js";
import { BOTTOM, join, type Atom, type Value } from "./value.js";

/** A place that holds a value and knows who read it, so that they run again when it grows. */
export class Cell {
  value: Value = BOTTOM;
  /** By the run in which each read it last. */
  private readers: Map<Act, number> | null = null;

  /** @param holder the object that the cell is a part of */
  constructor(private readonly holder: HeapObject | null = null) {}

  read(reader: Act): Value {
    (this.readers ??= new Map()).set(reader, reader.runs);
    return this.value;
  }

  /**
   * Adds what it can hold.
   * @param wake told of each reader that must run again, in the order in which they first read. One that is running and
   *   has not read it in this run yet will find what it holds now.
   */
  add(value: Value, wake: (reader: Act) => void): void {
    const next = join(this.value, value);
    if (next === this.value) return;
    this.value = next;
    this.holder?.noteHeld(value);
    if (this.readers === null) return;
    for (const [reader, readIn] of this.readers) if (!reader.running || reader.runs === readIn) wake(reader);
  }
}

/** Atoms that can be called. */
export const FUNCTIONS: ReadonlySet<Atom["a"]> = new Set(["closure", "class", "known", "member", "method"]);

/** An object or array made at one place of one activation (all turns of a loop together). */
export class HeapObject {
  readonly fields = new Map<string, Cell>();
  /** Getters and setters of object literals. */
  readonly accessors = new Map<string, { get?: Accessor; set?: Accessor }>();
  /** Items and properties whose key is not known. */
  readonly rest = new Cell(this);
  /** What the class's base is, when that is not a class of the program. */
  readonly base = new Cell();
  /** Where the class was defined. */
  clsEnv: Act | null = null;

  constructor(
    readonly id: string,
    readonly kind: "object" | "array" | "instance" | "map" | "arguments",
    readonly place: Place,
    readonly owner: Act,
    readonly cls: ClassFacts | null,
  ) {}

  /**
   * What can be reached from here, however deep; false as long as nothing of that sort can. Most objects of a
   * program hold no context and no function, and need not be searched for one.
   */
  mayCarry = false;
  mayHoldFunctions = false;
  private heldBy: Set<HeapObject> | null = null;

  noteHeld(value: Value): void {
    if (this.mayCarry && this.mayHoldFunctions) return;
    for (const atom of value.atoms) {
      this.raise(
        atom.a === "context" || (atom.a === "closure" && atom.env?.scope != null),
        FUNCTIONS.has(atom.a),
      );
      if (atom.a === "closure" && atom.self) this.noteHeld(atom.self);
      if (atom.a === "closure") for (const bound of atom.bound) this.noteHeld(bound);
      if (atom.a === "method") this.noteHeld(atom.self);
      if (atom.a !== "object") continue;
      this.raise(atom.obj.mayCarry, atom.obj.mayHoldFunctions);
      if (!atom.obj.mayCarry || !atom.obj.mayHoldFunctions) (atom.obj.heldBy ??= new Set()).add(this);
    }
  }
  private raise(carry: boolean, functions: boolean): void {
    if ((!carry || this.mayCarry) && (!functions || this.mayHoldFunctions)) return;
    this.mayCarry ||= carry;
    this.mayHoldFunctions ||= functions;
    for (const holder of this.heldBy ?? []) holder.raise(carry, functions);
    if (this.mayCarry && this.mayHoldFunctions) this.heldBy = null;
  }

  field(name: string): Cell {
    let cell = this.fields.get(name);
    if (!cell) this.fields.set(name, (cell = new Cell(this)));
    return cell;
  }
}

export interface Accessor {
  readonly fn: FunctionFacts;
  readonly env: Act;
}
