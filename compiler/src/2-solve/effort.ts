import type { Act, Phase } from "./act.js";

/** Expressions that are evaluated in code that runs at start or outside of workflows, in one program. */
const MOST_AT_START = 120_000;
/** What each further file with workflows may still take of it when that is used up. */
const REST_PER_FILE = 3_000;
/** Expressions that are evaluated in workflows, their steps and rollbacks. */
const MOST_IN_WORKFLOWS = 600_000;

/** Activations of one function that are told apart. */
const MOST_VARIANTS = 160;
/** Activations at start in all, from which on fewer are told apart. */
const MANY_AT_START = 3_000;

/** The part of a program that is followed no further, since it is too big. */
export type Part = "start" | "workflows";

/**
 * Bounds the work of solving. A program of some hundred workflows takes a few thousand evaluations; one that
 * runs a compiler at load would take millions. What is left out is told (`unfinished`), never silent. Counts, not
 * times, so that the answer is the same on every machine.
 */
export class Effort {
  private readonly spent: Record<Part, number> = { start: 0, workflows: 0 };
  private readonly limit: Record<Part, number> = { start: MOST_AT_START, workflows: MOST_IN_WORKFLOWS };
  private readonly made: Record<Part, number> = { start: 0, workflows: 0 };
  /** Parts in which something was not followed. */
  readonly unfinished = new Set<Part>();

  /** One expression is evaluated. */
  spend(phase: Phase): void {
    this.spent[partOf(phase)] += 1;
  }

  /** A further file with workflows is begun. */
  nextFile(): void {
    this.limit.start = Math.max(MOST_AT_START, this.spent.start + REST_PER_FILE);
  }

  /** Whether an activation may (still) be run; modules are, once. */
  allows(act: Act): boolean {
    const part = partOf(act.phase);
    if (this.spent[part] < this.limit[part] || (act.function.owner === null && !act.ran)) return true;
    this.unfinished.add(part);
    return false;
  }

  /** An activation is made. */
  noteMade(phase: Phase): void {
    this.made[partOf(phase)] += 1;
  }

  /**
   * How much of what a program may take was taken, from 0; below 1 no bound that the whole program shares was felt, so
   * that each of its islands comes out as it would alone.
   */
  get share(): number {
    const { spent, made } = this;
    return Math.max(
      spent.start / MOST_AT_START,
      spent.workflows / MOST_IN_WORKFLOWS,
      made.start / MANY_AT_START,
    );
  }

  /** A new activation is asked for. Whether the function, which has so many, gets one of its own. */
  grants(phase: Phase, variants: number): "own" | "per closure" | "merged" {
    const part = partOf(phase);
    const made = this.made[part];
    if (part === "workflows") return variants <= MOST_VARIANTS ? "own" : "merged";
    const most = made < MANY_AT_START ? MOST_VARIANTS : made < 4_000 ? 16 : made < 5_000 ? 2 : 0;
    return variants <= most ? "own" : made < 6_000 ? "per closure" : "merged";
  }
}

const partOf = (phase: Phase): Part => (phase === "load" || phase === "outside" ? "start" : "workflows");
