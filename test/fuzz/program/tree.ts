/**
 * The abstract program: what the laws generate, edit, render and run. Every statement has the same outer
 * shape, so that naming, editing and counting need no knowledge of its kind; what is peculiar to a kind is
 * in `Details`, and what a kind means is in `constructs/<kind>.ts`.
 *
 * 1. All values of a program are whole numbers.
 * 2. A name is "" until `resolve` gives it one; a resolved name never changes, so that edited versions of a
 *    program keep theirs.
 * 3. `ref.pick` chooses among the variables that are in sight; `ref.on` is the one chosen.
 */

import type { Route } from "./faults.js";

export type Block = readonly Statement[];

/** A number that the program has recorded and looks at again. */
export interface Ref {
  /** Which of the variables in sight, newest first; taken modulo their number. */
  readonly pick: number;
  /** The variable; "" until resolved. */
  readonly on: string;
}

/** How an entry is named: `base`, or `base-${v3}`, or `base-${i1}` in a native loop. */
export interface Name {
  readonly base: string;
  /** Native loops around it in its scope, by their variable, outermost first. */
  readonly turns: readonly string[];
  /** The name ends with a recorded number. */
  readonly byData: boolean;
}

/** How the body of a step ends. */
export type StepEnd =
  | "gives" // a number
  | "flaky" // fails in its first attempts, then gives
  | "critical" // fails for good at once
  | "exhausted"; // fails in every attempt

/** What the work of a step does and gives. */
export interface Work {
  readonly gives: number;
  readonly ends: StepEnd;
  /** Adds the result to `state.total` and gives the total. */
  readonly state: boolean;
  /** With `state`: gives what it added, so that steps of concurrent branches may come in any order. */
  readonly blind?: boolean;
  /** Puts a message into the instance's own queue `p`. */
  readonly sends: boolean;
}

export type Test = "odd" | "big";
export type Queue = "p" | "q";

interface Details {
  step: { readonly work: Work; readonly undo: boolean };
  tryStep: { readonly work: Work };
  sleep: { readonly ms: number };
  wait: { readonly queue: Queue; readonly timeout: number | null; readonly batch: boolean };
  try: unknown;
  catch: unknown;
  /** `turns`: counts; `messages`: each turn begins with a wait, an odd message ends it. */
  loop: { readonly style: "turns" | "messages"; readonly turns: number; readonly prune: number | null };
  join: unknown;
  race: unknown;
  choice: { readonly test: Test };
  /** Native loop: so many turns, or as many as recorded data says (`ref`). */
  repeat: { readonly times: number; readonly byData: boolean };
  gate: unknown;
  checkpoint: unknown;
  helper: { readonly file: "same" | "other" };
  leave: { readonly how: "return" | "break" | "continue" };
  removed: { readonly was: "step" | "sleep" | "message" };
  planted: { readonly fault: string; readonly route: Route };
}

export type Kind = keyof Details;

interface Common {
  readonly name: Name;
  /** The variable that it binds: `v3` a value, `i3` an index, `g3` a version; "" for none. */
  readonly as: string;
  readonly ref: Ref | null;
  readonly blocks: readonly Block[];
}

export type StatementOf<K extends Kind> = {
  readonly [P in K]: Common & { readonly kind: P } & Details[P];
}[K];
export type Statement = StatementOf<Kind>;

/** Branch names by the index of their block. */
export const BRANCHES = ["x", "y", "z"] as const;

export const NO_NAME: Name = { base: "", turns: [], byData: false };

/** A statement before it is resolved. */
export function unnamed<K extends Kind>(
  kind: K,
  details: Details[K],
  more: { readonly ref?: Ref | null; readonly blocks?: readonly Block[]; readonly byData?: boolean } = {},
): StatementOf<K> {
  return {
    kind,
    name: { ...NO_NAME, byData: more.byData ?? false },
    as: "",
    ref: more.ref ?? null,
    blocks: more.blocks ?? [],
    ...(details as object),
  } as unknown as StatementOf<K>;
}

/** The variable that a scope gives as its result: the last one bound directly in the block; `null` = none. */
export function resultOf(block: Block): string | null {
  for (const one of [...block].reverse()) if (one.as.startsWith("v")) return one.as;
  return null;
}

/** Every statement of a block and of all within, in program order. */
export function* statementsIn(block: Block): Generator<Statement> {
  for (const one of block) {
    yield one;
    for (const inner of one.blocks) yield* statementsIn(inner);
  }
}

/** Kinds whose blocks give results. */
const GIVING: ReadonlySet<Kind> = new Set<Kind>(["loop", "helper", "try", "join", "race"]);

/** Variables that the program looks at. */
export function usedVariables(program: Block): ReadonlySet<string> {
  const used = new Set<string>();
  const look = (block: Block, gives: boolean): void => {
    for (const one of block) {
      if (one.ref !== null) used.add(one.ref.on);
      if (one.kind === "gate") used.add(one.as);
      if (one.kind === "loop" && one.style === "messages") used.add(one.blocks[0]?.[0]?.as ?? "");
      for (const inner of one.blocks) look(inner, GIVING.has(one.kind));
    }
    const result = gives ? resultOf(block) : null;
    if (result !== null) used.add(result);
  };
  look(program, true);
  return used;
}
