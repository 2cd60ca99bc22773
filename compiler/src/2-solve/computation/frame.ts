import type { CallExpr } from "../../types.js";
import type { Act } from "../act.js";
import type { CallOperation } from "../types.js";

/** An activation as it is reached on one way, so that its parameters are what that way hands over. */
export interface Frame {
  readonly act: Act;
  /** The frame that called it; `null` where the way begins. */
  readonly caller: Frame | null;
  readonly params: Params;
  /** True when errors thrown in it are looked at: it runs in a try block. */
  readonly throwing: boolean;
}

/** What stands for the parameters. */
export type Params =
  /** Any of the calls that lead here. */
  | { readonly by: "any call" }
  | { readonly by: "call"; readonly call: CallExpr }
  /** Another function runs it: what it hands over is told by the call that it was given to. */
  | { readonly by: "callback"; readonly call: CallExpr }
  /** They stand for themselves. */
  | { readonly by: "itself" };

export const frameOf = (act: Act): Frame => ({
  act,
  caller: null,
  params: { by: "any call" },
  throwing: false,
});

/** The frame of an activation that a call on the way enters. */
export function calledFrame(act: Act, op: Pick<CallOperation, "call" | "form">, caller: Frame): Frame {
  const by = op.call === null ? "any call" : op.form === "callback" ? "callback" : "call";
  const params: Params = op.call === null || by === "any call" ? { by: "any call" } : { by, call: op.call };
  return { act, caller, params, throwing: caller.throwing };
}

/** The frame of an activation that stands around the code of `frame`, or that called it. */
export function enclosing(frame: Frame, act: Act): Frame {
  for (let at: Frame | null = frame; at; at = at.caller) if (at.act === act) return at;
  return { ...frameOf(act), caller: frame, throwing: frame.throwing };
}

/** Calls on the way to a frame. */
export function depthOf(frame: Frame): number {
  let depth = 0;
  for (let at = frame.caller; at; at = at.caller) depth += 1;
  return depth;
}

/** True when the activation is on the way already: it calls itself. */
export function isOnWay(frame: Frame, act: Act): boolean {
  for (let at: Frame | null = frame; at; at = at.caller) if (at.act === act) return true;
  return false;
}
