import { CallCycleError } from "./errors.js";

/** One call under way, for finding calls that wait for themselves. */
export interface Frame {
  readonly instance: string;
  readonly kind: "load" | "step" | "action" | "hook";
  /** Name of the step, action or hook. */
  readonly what: string;
}

/** The calls that led here, outermost first. */
export type CallChain = readonly Frame[];

/** Longer chains are taken for endless. */
export const MAX_CALLS = 32;

/** `orders/eu: step "charge"` */
export function frameText({ instance, kind, what }: Frame): string {
  return `${instance}: ${kind} "${what}"`;
}

/**
 * The chain with one more call.
 * @throws CallCycleError when it is too long to be meant.
 */
export function withFrame(chain: CallChain, frame: Frame): CallChain {
  const longer = [...chain, frame];
  if (longer.length > MAX_CALLS) {
    throw new CallCycleError(`More than ${String(MAX_CALLS)} calls are nested.`, longer.map(frameText));
  }
  return longer;
}

/** @throws CallCycleError when an instance would wait for its own loading. */
export function refuseLoadCycle(chain: CallChain, instance: string): void {
  if (chain.some((frame) => frame.kind === "load" && frame.instance === instance)) {
    throw new CallCycleError(
      `"${instance}" calls itself while it is being created or woken, and would wait for itself.`,
      chain.map(frameText),
    );
  }
}

/** @throws CallCycleError when a step would wait for a message that its own workflow is to process. */
export function refuseWaitCycle(chain: CallChain, instance: string): void {
  if (chain.some((frame) => frame.kind === "step" && frame.instance === instance)) {
    throw new CallCycleError(
      `A step of "${instance}" waits for a message to its own workflow, which can't go on before the step is over. Send without \`wait\`.`,
      chain.map(frameText),
    );
  }
}
