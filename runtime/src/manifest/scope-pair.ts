import type { ScopeStep } from "./findings.js";
import type { Block, StepNode, WorkflowManifest } from "./format.js";
import { matchGuards, type GuardMatching } from "./guard-matching.js";
import type { Gates } from "./old-run.js";
import { declaredRemoved, retiredGates } from "./removals.js";
import type { ReplayFlags } from "./replay-flags.js";
import { settledArms, type SettledArms } from "./settled-choices.js";
import { nameCounts, shared } from "./sharing.js";
import { stepsByKey } from "./steps-in.js";

/** Both versions of a scope, and how the code comes to it. */
export interface ScopePair {
  readonly old: Block;
  readonly new: Block;
  readonly oldGates: Gates;
  readonly newGates: Gates;
  readonly path: readonly ScopeStep[];
  readonly sure: boolean;
  readonly root: boolean;
  /** Only histories in which the scope has come to its end: more was recorded after it. */
  readonly complete: boolean;
  /** The code is refused before it comes to the scope. */
  readonly behind: boolean;
}

/** Both versions of a scope, as they are run. */
export interface PairCode {
  readonly old: Block;
  readonly block: Block;
  /** Ways to settle choices that need not be combined. */
  readonly settled: readonly SettledArms[];
  readonly guards: GuardMatching;
  /** Keys that each version declares removed. */
  readonly oldDeclared: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
  /** Gates that the new code declares removed. */
  readonly retired: ReadonlySet<string>;
  /** The steps that the old code has under a key. */
  readonly stepsBefore: (key: string) => readonly StepNode[];
  /** How often each name is written in the new code of the scope. */
  readonly names: ReadonlyMap<string, number>;
  /** Tells the scope from others: names and branches from the root. */
  readonly where: string;
}

/** The code of a pair without the combinations that can't matter. */
export function codeOf(pair: ScopePair, after: WorkflowManifest, flags: ReplayFlags): PairCode {
  const slim = shared(pair.old, pair.new, after.functions);
  return {
    old: slim.old,
    block: slim.new,
    settled: settledArms(slim.old, slim.new, after.functions, flags),
    guards: matchGuards(slim.old, slim.new),
    oldDeclared: declaredRemoved(pair.old),
    declared: declaredRemoved(slim.new),
    retired: retiredGates(pair.new),
    stepsBefore: stepsByKey(slim.old),
    names: nameCounts(pair.new, new Map()),
    where: whereOf(pair),
  };
}

/** The scope of a pair: the keys and branches that lead to it. */
export function whereOf({ path }: ScopePair): string {
  return JSON.stringify(path.map((step) => [step.run.items[step.at]?.key, step.scope]));
}

/** Entries that a history holds which ends in the pair's scope, those on the way to the scope included. */
export function sizeOf({ path }: ScopePair, upTo: number): number {
  return path.reduce((sum, step) => sum + step.upTo + 1, upTo + 1);
}

const texts = new WeakMap<Block, string>();

function textOf(block: Block): string {
  let text = texts.get(block);
  if (text === undefined) texts.set(block, (text = JSON.stringify(block)));
  return text;
}

/** The same code under the same gates accepts what it has recorded. */
export function isUnchanged(pair: ScopePair): boolean {
  return (
    textOf(pair.old) === textOf(pair.new) &&
    JSON.stringify([...pair.oldGates]) === JSON.stringify([...pair.newGates])
  );
}
