import { BadRequestError } from "../host/errors.js";

/** Whether, and how long in ms, a sender waits for the response. @throws BadRequestError */
export function waitOf({ wait = false, timeout }: { readonly wait?: unknown; readonly timeout?: unknown }): {
  readonly wait: boolean;
  readonly timeout?: number;
} {
  if (typeof wait !== "boolean") throw new BadRequestError("`wait` must be true or false.");
  if (timeout === undefined) return { wait };
  if (typeof timeout !== "number" || !(timeout >= 0)) {
    throw new BadRequestError("`timeout` must be a number of ms, 0 or more.");
  }
  return { wait, timeout };
}
