import type { ClassFacts, FunctionFacts, Place } from "../types.js";
import type { Act } from "./act.js";
import { BOTTOM, join, type Value } from "./value.js";

/** A place that holds a value and knows who read it, so that they run again when it grows. */
export class Cell {
  value: Value = BOTTOM;
  private readers: Set<Act> | null = null;

  read(reader: Act): Value {
    (this.readers ??= new Set()).add(reader);
    return this.value;
  }

  /** Adds what it can hold. Returns the readers that must run again, in the order in which they first read. */
  add(value: Value): Iterable<Act> {
    const next = join(this.value, value);
    if (next === this.value) return NOBODY;
    this.value = next;
    return this.readers ?? NOBODY;
  }
}
const NOBODY: readonly Act[] = [];

/** An object or array made at one place of one activation (all turns of a loop together). */
export class HeapObject {
  readonly fields = new Map<string, Cell>();
  /** Getters and setters of object literals. */
  readonly accessors = new Map<string, { get?: Accessor; set?: Accessor }>();
  /** Items and properties whose key is not known. */
  readonly rest = new Cell();
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

  field(name: string): Cell {
    let cell = this.fields.get(name);
    if (!cell) this.fields.set(name, (cell = new Cell()));
    return cell;
  }
}

export interface Accessor {
  readonly fn: FunctionFacts;
  readonly env: Act;
}
