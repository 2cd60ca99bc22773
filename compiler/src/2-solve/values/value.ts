/**
 * Abstract values: what an expression can be, as far as rules need to know.
 *
 * Invariants
 * 1. A `Value` is immutable; `join` only ever grows, so every fix-point ends.
 * 2. `atoms` are sorted by key and unique, so equal values have equal keys whatever the order they
 *    were found in.
 * 3. Values are finite: nothing nests deeper than `MAX_DEPTH` (a method of a method of …) and no name of a member
 *    is longer than `MAX_NAMES`; beyond that a value can be anything.
 * 4. At most `MAX_ATOMS` atoms; beyond it constants and patterns are forgotten first (`open`), never
 *    contexts or functions.
 */
import type { ClassFacts, Expr, FunctionFacts, Place } from "../../types.js";
import type { Constant, EffectSource, EntryMethod } from "../types.js";
import type { Act } from "../act.js";
import { loopsOfBoth } from "./loops.js";
import type { HeapObject } from "./heap.js";
import type { ScopeNode } from "../entries/scope.js";

export type Atom =
  | { readonly a: "const"; readonly key: string; readonly value: Constant }
  /** A string with holes. */
  | { readonly a: "pattern"; readonly key: string; readonly parts: readonly PatternPart[] }
  /** A context, or a member of one (`api` = the path: `["queue", "next"]`, `["state", "items"]`). */
  | {
      readonly a: "context";
      readonly key: string;
      readonly scope: ScopeNode;
      readonly api: readonly string[];
      /** As written where it was read, for messages. */
      readonly text: string;
    }
  | {
      readonly a: "closure";
      readonly key: string;
      readonly fn: FunctionFacts;
      readonly env: Act | null;
      readonly self: Value | null;
      readonly bound: readonly Value[];
    }
  | { readonly a: "class"; readonly key: string; readonly cls: ClassFacts; readonly env: Act }
  | { readonly a: "object"; readonly key: string; readonly obj: HeapObject }
  /** A thing that the catalogue may know: `Math.random`, `pg#Pool`, `process.env`. `from` = the importing file. */
  | { readonly a: "known"; readonly key: string; readonly path: string; readonly from: string }
  /** An object of a known class: `pg#Pool`, `Date`, `Map`. */
  | { readonly a: "instance"; readonly key: string; readonly of: string; readonly from: string }
  /** A member of an instance: `pg#Pool.query`. */
  | {
      readonly a: "member";
      readonly key: string;
      readonly of: string;
      readonly name: string;
      readonly from: string;
      readonly self: Value;
    }
  | { readonly a: "namespace"; readonly key: string; readonly file: string }
  | { readonly a: "promise"; readonly key: string; readonly origin: PromiseOrigin; readonly value: Value }
  /** The result of an entry, or a part of it. */
  | { readonly a: "recorded"; readonly key: string; readonly site: RecordedSite }
  /** A method of the value that stands before it: `.push` of an array, `.then` of a promise. */
  | { readonly a: "method"; readonly key: string; readonly name: string; readonly self: Value }
  /** `Loop.break(v)`, `Loop.continue(v)`. */
  | { readonly a: "outcome"; readonly key: string; readonly how: string; readonly value: Value };

export interface PatternHole {
  readonly text: string;
  /** The text in a form that renaming locals leaves alone (`printStable`). */
  readonly normal: string;
  readonly varies: readonly string[];
  /** The expression, when it hangs on one variable alone and can be worked out (`turn-values.ts`). */
  readonly turnExpr: Expr | null;
}
export type PatternPart = string | PatternHole;

/** Where a promise was made. */
export interface PromiseOrigin {
  readonly key: string;
  readonly kind: "entry" | "call" | "effect" | "foreign" | "access" | "unknown" | "settled";
  readonly place: Place;
}

export interface RecordedSite {
  readonly key: string;
  readonly place: Place;
  /** `shared` = not an entry but mutable state of the process. */
  readonly method: EntryMethod | "input" | "shared";
  readonly path: readonly string[];
  readonly ephemeral: boolean;
}

export class Value {
  readonly atoms: readonly Atom[];
  /** Something that no atom stands for: `data` = computed from known things, `open` = can be anything. */
  readonly data: boolean;
  readonly open: boolean;
  readonly effects: readonly EffectSource[];
  /** Entries (and inputs) that it was computed from. */
  readonly from: readonly RecordedSite[];
  /** Loops in each turn of which it can be another value. */
  readonly varies: readonly string[];
  /** Version gate that it is the result of. */
  readonly gate: boolean;
  /** It had too many texts and numbers to keep them apart: they are `data`, and it takes up no more of them. */
  readonly many: boolean;
  /** How deep its atoms hold other values. */
  readonly depth: number;
  #key: string | null = null;
  #provenance: Value | null = null;

  constructor(parts: Parts) {
    this.atoms = parts.atoms ?? NONE;
    this.data = parts.data ?? false;
    this.open = parts.open ?? false;
    this.effects = parts.effects ?? NONE;
    this.from = parts.from ?? NONE;
    this.varies = parts.varies ?? NONE;
    this.gate = parts.gate ?? false;
    this.many = parts.many ?? false;
    let depth = 0;
    for (const atom of this.atoms) depth = Math.max(depth, depthOf(atom));
    this.depth = depth;
  }

  /** The same for equal values; long, and made only when it is asked for. */
  get key(): string {
    return (this.#key ??= keyOf(this));
  }

  /** Nothing yet: what was not reached. */
  get isBottom(): boolean {
    return (
      this.atoms.length === 0 &&
      !this.data &&
      !this.open &&
      !this.gate &&
      this.effects.length + this.from.length + this.varies.length === 0
    );
  }

  /** What stays of it when something is computed from it: where it comes from, not what it is. */
  get provenance(): Value {
    return (this.#provenance ??= provenanceOf(this));
  }
}

const MAX_ATOMS = 16;
const MAX_DEPTH = 8;
const MAX_NAMES = 4;
const MAX_SOURCES = 6;

interface Parts {
  readonly atoms?: readonly Atom[];
  readonly data?: boolean;
  readonly open?: boolean;
  readonly effects?: readonly EffectSource[];
  readonly from?: readonly RecordedSite[];
  readonly varies?: readonly string[];
  readonly gate?: boolean;
  readonly many?: boolean;
}

const NONE: readonly never[] = [];

const make = (parts: Parts): Value => new Value(parts);

function keyOf({ atoms, data, open, effects, from, varies, gate, many }: Value): string {
  let key = (data ? "d" : "") + (open ? "o" : "") + (gate ? "g" : "") + (many ? "m" : "");
  for (const atom of atoms) key += `|${atom.key}`;
  for (const effect of effects) key += `~${effectKey(effect)}`;
  for (const site of from) key += `^${site.key}`;
  for (const loop of varies) key += `@${loop}`;
  return key;
}

function depthOf(atom: Atom): number {
  switch (atom.a) {
    case "method":
    case "member":
      return 1 + atom.self.depth;
    case "promise":
    case "outcome":
      return 1 + atom.value.depth;
    case "closure":
      return atom.bound.reduce((most, value) => Math.max(most, 1 + value.depth), atom.self?.depth ?? 0);
    default:
      return 0;
  }
}

/** Nothing yet: the value of an expression that was not reached. */
export const BOTTOM: Value = make({});
/** Plain data computed from things known at build time. */
export const DATA: Value = make({ data: true });
/** Anything. */
export const UNKNOWN: Value = make({ open: true });

export function valueOf(atom: Atom): Value {
  const value = make({ atoms: [atom] });
  return value.depth > MAX_DEPTH ? UNKNOWN : value;
}

/** False for a dotted name that grows without end: `node.next.next.next …` in a loop. */
export function isShortName(name: string): boolean {
  let dots = 0;
  for (const char of name) if (char === ".") dots += 1;
  return dots < MAX_NAMES;
}

/** A value known at build time. Long texts are data. */
export function constant(value: Constant): Value {
  if (typeof value === "string" && value.length > 200) return DATA;
  const key = `c:${typeof value}:${String(value)}`;
  if (typeof value === "boolean" || value === null || value === undefined) {
    const known = SMALL.get(key);
    if (known) return known;
  }
  return valueOf({ a: "const", key, value });
}
const SMALL: ReadonlyMap<string, Value> = new Map(
  [true, false, null, undefined].map((value) => {
    const key = `c:${typeof value}:${String(value)}`;
    return [key, valueOf({ a: "const", key, value })];
  }),
);
export const UNDEFINED: Value = constant(undefined);

const effectKey = (effect: EffectSource): string =>
  `${effect.effect}:${effect.what}:${effect.place.file}:${effect.place.span[0]}`;

/** What tells the items of a list apart. */
interface Identity<T> {
  readonly key: (item: T) => string;
  readonly same: (one: T, other: T) => boolean;
}
const ATOMS: Identity<Atom> = { key: (atom) => atom.key, same: (one, other) => one.key === other.key };
const SITES: Identity<RecordedSite> = {
  key: (site) => site.key,
  same: (one, other) => one.key === other.key,
};
const EFFECTS: Identity<EffectSource> = {
  key: effectKey,
  same: (one, other) => one === other || effectKey(one) === effectKey(other),
};

/**
 * Both lists by key, `a` itself when `b` adds nothing. Of more than `most` the first by key stay, so that the order of
 * joins does not decide which.
 */
function union<T>(a: readonly T[], b: readonly T[], by: Identity<T>, most: number): readonly T[] {
  if (b.length === 0 || a === b) return a;
  if (a.length === 0 && b.length <= most) return b;
  let added: T[] | null = null;
  for (const item of b) if (!holds(a, item, by)) (added ??= []).push(item);
  if (added === null) return a;
  const kept = sorted([...a, ...added], by).slice(0, most);
  return kept.length === a.length && kept.every((item, at) => item === a[at]) ? a : kept;
}

function holds<T>(list: readonly T[], item: T, { same }: Identity<T>): boolean {
  for (const each of list) if (each === item || same(each, item)) return true;
  return false;
}

function sorted<T>(items: readonly T[], { key }: Identity<T>): readonly T[] {
  return [...items].sort((x, y) => {
    const one = key(x);
    const two = key(y);
    return one < two ? -1 : one > two ? 1 : 0;
  });
}

/** Either of two values; `a` itself when `b` adds nothing to it. */
export function join(a: Value, b: Value): Value {
  if (a === b || b.isBottom) return a;
  if (a.isBottom) return b;
  let atoms = union(a.atoms, b.atoms, ATOMS, Number.POSITIVE_INFINITY);
  let open = a.open || b.open;
  let data = a.data || b.data;
  let many = a.many || b.many;
  if (atoms.length > MAX_ATOMS || many) {
    const others = atoms.filter((atom) => atom.a !== "const" && atom.a !== "pattern");
    if (others.length < atoms.length) {
      many = true;
      data = true;
      atoms = others;
    }
    if (atoms.length > MAX_ATOMS * 2) {
      let left = MAX_ATOMS * 2;
      atoms = atoms.filter((atom) => atom.a === "context" || (left -= 1) >= 0);
      open = true;
    }
  }
  const effects = union(a.effects, b.effects, EFFECTS, MAX_SOURCES);
  const from = union(a.from, b.from, SITES, MAX_SOURCES);
  const varies = loopsOfBoth(a.varies, b.varies);
  const gate = a.gate || b.gate;
  const grew =
    data !== a.data ||
    many !== a.many ||
    open !== a.open ||
    gate !== a.gate ||
    effects !== a.effects ||
    from !== a.from ||
    varies !== a.varies ||
    !sameAtoms(atoms, a.atoms);
  return grew ? make({ atoms, data, open, effects, from, varies, gate, many }) : a;
}

function sameAtoms(a: readonly Atom[], b: readonly Atom[]): boolean {
  return a === b || (a.length === b.length && a.every((atom, at) => atom.key === b[at]?.key));
}

export const joinAll = (values: readonly Value[]): Value => values.reduce(join, BOTTOM);

/** What stays of values when something is computed from them: where they come from, not what they are. */
export function derived(...values: readonly Value[]): Value {
  let out: Value = DATA;
  for (const value of values) out = join(out, value.provenance);
  return out;
}

function provenanceOf(value: Value): Value {
  const inner: Value[] = [];
  const recorded: RecordedSite[] = [];
  const holes: string[] = [];
  for (const atom of value.atoms) {
    if (atom.a === "promise") inner.push(atom.value.provenance);
    else if (atom.a === "recorded") recorded.push(atom.site);
    else if (atom.a === "pattern")
      for (const part of atom.parts) if (typeof part !== "string") holes.push(...part.varies);
  }
  const { open, gate, effects } = value;
  const from = union(value.from, recorded, SITES, MAX_SOURCES);
  const varies = loopsOfBoth(value.varies, holes);
  const isPlain = !open && !gate && effects.length + from.length + varies.length === 0;
  const own = isPlain ? DATA : make({ data: true, open, effects, from, varies, gate });
  return inner.reduce(join, own);
}

/** The same value, marked as coming from an effect. */
export const withEffect = (value: Value, effect: EffectSource): Value =>
  join(value, make({ effects: [effect] }));
/** `a`, marked as coming from the effects that `b` comes from: what a test decides. */
export const withEffectsOf = (a: Value, b: Value): Value =>
  b.effects.length === 0 ? a : join(a, make({ effects: b.effects }));
/** The same value, marked as another one in each turn of a loop. */
export const withVaries = (value: Value, loops: readonly string[]): Value =>
  loops.length === 0 ? value : join(value, make({ varies: [...loops].sort() }));
/** The same value, marked as a version gate's result. */
export const withGate = (value: Value): Value => join(value, make({ gate: true }));
/** `a` with where `b` comes from. */
export const withSourceOf = (a: Value, b: Value): Value => {
  if (b.effects.length + b.from.length + b.varies.length === 0 && !b.open && !b.gate && b.atoms.length === 0)
    return a;
  const source = b.provenance;
  if (source.effects.length + source.from.length + source.varies.length === 0 && !source.gate) return a;
  return join(
    a,
    make({ effects: source.effects, from: source.from, varies: source.varies, gate: source.gate }),
  );
};

/** Only where a value comes from, nothing of what it is. */
export function sourceOf(value: Value): Value {
  const { effects, from, varies, gate } = value.provenance;
  if (effects.length + from.length + varies.length === 0 && !gate) return BOTTOM;
  return make({ effects, from, varies, gate });
}
/** Only that something is another value in each turn of these loops. */
export const variesWith = (loops: readonly string[]): Value => make({ varies: [...loops].sort() });
/** The value without its atoms, marked as plain data. */
export const asData = (value: Value): Value => make({ ...value, atoms: NONE, data: true });

/** The value as if nothing but its atoms were possible. */
export const onlyAtoms = (value: Value): Value =>
  value.open || value.data ? make({ ...value, open: false, data: false }) : value;

/** Only those atoms that pass. */
export function only(value: Value, pass: (atom: Atom) => boolean): Value {
  const atoms = value.atoms.filter(pass);
  return atoms.length === value.atoms.length ? value : make({ ...value, atoms });
}

/** The value with other atoms, everything else kept. */
export const withAtoms = (value: Value, atoms: readonly Atom[]): Value =>
  make({ ...value, atoms: sorted(atoms, ATOMS) });

export const recorded = (site: RecordedSite): Value => valueOf({ a: "recorded", key: `r:${site.key}`, site });

/** Entries that a value is a result of, or was computed from. */
export const sitesOf = (value: Value): readonly RecordedSite[] => [
  ...value.atoms.flatMap((atom) => (atom.a === "recorded" ? [atom.site] : [])),
  ...value.from,
];

/** The value without texts and numbers, which stay as plain data. */
export function withoutConstants(value: Value): Value {
  const known = (atom: Atom): boolean =>
    atom.a === "pattern" ||
    (atom.a === "const" && (typeof atom.value === "string" || typeof atom.value === "number"));
  if (!value.atoms.some(known)) return value;
  return join(
    only(value, (atom) => !known(atom)),
    derived(value),
  );
}

export const promise = (origin: PromiseOrigin, value: Value): Value => {
  const inner = settled(value);
  return valueOf({ a: "promise", key: `P(${origin.key}:${inner.key})`, origin, value: inner });
};

/** What `await` gives: promises are replaced by what they resolve to. */
export function settled(value: Value): Value {
  if (!value.atoms.some((atom) => atom.a === "promise")) return value;
  let out = only(value, (atom) => atom.a !== "promise");
  for (const atom of value.atoms) if (atom.a === "promise") out = join(out, settled(atom.value));
  return out;
}

/** All constants that it can be, or `null` when it can be something else. */
export function constantsOf(value: Value): readonly Constant[] | null {
  if (value.data || value.open || value.atoms.length === 0) return null;
  const out: Constant[] = [];
  for (const atom of value.atoms) {
    if (atom.a !== "const") return null;
    out.push(atom.value);
  }
  return out;
}

/** `true`/`false` when the value can only be that in a test, else `null`. */
export function truthOf(value: Value): boolean | null {
  if (value.varies.length > 0) return null;
  const constants = constantsOf(value);
  if (!constants) return null;
  const truths = new Set(constants.map(Boolean));
  return truths.size === 1 ? [...truths][0] === true : null;
}
