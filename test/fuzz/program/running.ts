import type { ScopeKind } from "./construct.js";
import { resultOf, type Block, type Name, type Ref, type Work } from "./tree.js";

/** A step body's context, as far as programs use it. */
export interface StepLike {
  readonly attempt?: number;
  readonly idempotencyKey?: string;
}

interface Message {
  readonly body: unknown;
}
type Body<T> = (context: Context) => Promise<T>;
type Outcome = { readonly ok: true; readonly value: number } | { readonly ok: false };
interface StepOptions {
  readonly name: string;
  readonly retryBackoffBase?: number;
  readonly maxRetries?: number;
  readonly run: (step: StepLike) => Promise<number>;
  readonly rollback?: (undo: unknown, output: number) => Promise<void>;
}

/** The context of workflow code: what our engine, our host and the published engine have in common. */
export interface Context {
  readonly queue: {
    next(name: string, options: object): Promise<Message>;
    nextBatch(name: string, options: object): Promise<readonly Message[]>;
  };
  step(options: StepOptions): Promise<number>;
  tryStep(options: StepOptions): Promise<Outcome>;
  sleep(name: string, ms: number): Promise<void>;
  try(name: string, run: Body<number>): Promise<Outcome>;
  loop(options: object): Promise<number>;
  join(name: string, branches: object): Promise<Readonly<Record<string, number>>>;
  race(name: string, branches: readonly object[]): Promise<{ readonly value: number }>;
  rollbackCheckpoint(name: string): Promise<void>;
  removed(name: string, was: string): Promise<void>;
  getVersion(name: string, latest: number): Promise<number>;
}

/** Where a step stands. */
export interface StepPlace {
  readonly name: string;
  readonly context: Context;
}

/** What a program acts on, and what it takes from its engine. */
export interface World {
  /** The body of a step, once. `step` is what the engine gives it. */
  work(step: StepLike | undefined, at: StepPlace, work: Work, plus: number): Promise<number>;
  /** The rollback handler of a step. */
  undo(name: string, output: number): Promise<void>;
  /** First pause before a retry that a program asks its engine for, ms. */
  readonly backoff: number;
  /** The error is the one that a step throws which fails for good at once. */
  isCritical(error: unknown): boolean;
  readonly loopBreak: (value: number) => object;
  readonly loopContinue: (state: number) => object;
}

/** Leaves a scope, a helper or a native loop. */
export class Leave {
  constructor(
    readonly how: "return" | "break" | "continue",
    readonly value: number,
  ) {}
}

/** A program under way: one scope of it, with what is in sight there. */
export class Running {
  constructor(
    readonly context: Context,
    readonly world: World,
    readonly scope: ScopeKind,
    private readonly variables: ReadonlyMap<string, number>,
    private readonly statements: (block: Block, on: Running) => Promise<void>,
    private readonly own = new Map<string, number>(),
  ) {}

  valueOf(name: string): number {
    const value = this.own.get(name) ?? this.variables.get(name);
    if (value === undefined) throw new Error(`The program looks at ${name}, which is not in sight.`);
    return value;
  }

  bind(name: string, value: number): void {
    this.own.set(name, value);
  }

  /** The value of a reference; 0 without one. */
  read(ref: Ref | null): number {
    return ref === null ? 0 : this.valueOf(ref.on);
  }

  name(name: Name, ref: Ref | null): string {
    const holes = [...name.turns, ...(name.byData && ref !== null ? [ref.on] : [])];
    return [name.base, ...holes.map((hole) => this.valueOf(hole))].join("-");
  }

  /** Runs statements of the same scope; what they bind is theirs. */
  async block(block: Block, more: readonly (readonly [string, number])[] = []): Promise<Running> {
    const inner = this.inner(this.context, this.scope, more);
    await this.statements(block, inner);
    return inner;
  }

  /** Runs a scope, or a helper, to its end and gives its result, and how it was left early. */
  async body(
    kind: ScopeKind,
    block: Block,
    context: Context,
    more: readonly (readonly [string, number])[] = [],
  ): Promise<{ readonly left: boolean; readonly value: number; readonly inner: Running }> {
    const inner = this.inner(context, kind, more);
    try {
      await this.statements(block, inner);
    } catch (left) {
      if (left instanceof Leave) return { left: true, value: left.value, inner };
      throw left;
    }
    const result = resultOf(block);
    return { left: false, value: result === null ? 0 : inner.valueOf(result), inner };
  }

  private inner(context: Context, kind: ScopeKind, more: readonly (readonly [string, number])[]): Running {
    const sight = new Map([...this.variables, ...this.own, ...more]);
    return new Running(context, this.world, kind, sight, this.statements);
  }
}
