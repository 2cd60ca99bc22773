import type { CallChain } from "./call-chain.js";
import type { Effects } from "./effects.js";
import { ContextClosedError } from "./errors.js";

export type ScopeKind = "step" | "action" | "hook";

/** One run of a step, action or hook: as long as it is open, its context may be used. */
export class Scope<Kind extends ScopeKind = ScopeKind> {
  private closed = false;
  /** The context's `state` was asked for: without, this run has not changed it. */
  usesState = false;

  constructor(
    readonly kind: Kind,
    readonly name: string,
    readonly chain: CallChain,
    readonly effects: Effects,
    /** Aborted when the step is given up or the instance stops. */
    readonly signal: () => AbortSignal,
  ) {}

  /** @throws ContextClosedError naming `member` when the step, action or hook is over. */
  use(member: string): void {
    if (this.closed) throw new ContextClosedError(member, `${this.kind} "${this.name}"`);
  }

  /** @throws ContextClosedError */
  useState(): void {
    this.use("state");
    this.usesState = true;
  }

  close(): void {
    this.closed = true;
  }
}
