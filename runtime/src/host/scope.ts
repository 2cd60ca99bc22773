import type { CallChain } from "./call-chain.js";
import type { Effects } from "./effects.js";
import { ContextClosedError } from "./errors.js";

/** One run of a step, action or hook: as long as it is open, its context may be used. */
export class Scope {
  private closed = false;

  constructor(
    readonly kind: "step" | "action" | "hook",
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

  close(): void {
    this.closed = true;
  }
}
