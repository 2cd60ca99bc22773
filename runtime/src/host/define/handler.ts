import type { ActorRun, ActorShape, WorkflowOptions, WorkflowRun } from "../../types/index.js";

/** A workflow function with its options. */
export interface WorkflowSource<D extends ActorShape = ActorShape> {
  readonly run: WorkflowRun<D>;
  readonly options: WorkflowOptions<D>;
}

const SOURCE = Symbol.for("stepproof.workflow");

/**
 * Wraps a workflow function as the `run` of an actor. The source hangs on the function under a symbol and
 * not in its type, which has to stay a bare function (see `ActorRun`).
 */
export function workflowHandler<D extends ActorShape>(source: WorkflowSource<D>): ActorRun<D> {
  const handler: ActorRun<D> = () => {
    throw new Error("A workflow is run by the engine; its handler can't be called.");
  };
  return Object.assign(handler, { [SOURCE]: source });
}

/** The workflow in `run`, or `null` when it is a plain function. */
export function workflowSource(run: unknown): WorkflowSource | null {
  if (typeof run !== "function" || !(SOURCE in run)) return null;
  return run[SOURCE] as WorkflowSource;
}
