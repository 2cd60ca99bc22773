import type { Construct } from "../construct.js";
import type { Kind } from "../tree.js";
import { join, race } from "./branches.js";
import { catchBlock } from "./catch.js";
import { checkpoint } from "./checkpoint.js";
import { choice } from "./choice.js";
import { gate } from "./gate.js";
import { helper } from "./helper.js";
import { leave } from "./leave.js";
import { loop } from "./loop.js";
import { planted } from "./planted.js";
import { removed } from "./removed.js";
import { repeat } from "./repeat.js";
import { sleep } from "./sleep.js";
import { step } from "./step.js";
import { tryBlock } from "./try.js";
import { tryStep } from "./try-step.js";
import { wait } from "./wait.js";

/** Every construct of workflow programs, once. */
export const CONSTRUCTS: { readonly [K in Kind]: Construct<K> } = {
  step,
  tryStep,
  sleep,
  wait,
  try: tryBlock,
  catch: catchBlock,
  loop,
  join,
  race,
  choice,
  repeat,
  gate,
  checkpoint,
  helper,
  leave,
  removed,
  planted,
};

/** The construct of a statement, for callers that hold a statement of any kind. */
export function constructOf<K extends Kind>(kind: K): Construct<K> {
  return CONSTRUCTS[kind];
}
