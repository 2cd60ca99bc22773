/**
 * `@stepproof/runtime/engine/operate`: what operators and inspectors do with a workflow, beside running it.
 * With an engine: `await engine.handle("orders", "7").use(recover)`.
 */
import type { HistorySnapshot, WorkflowRun } from "../seam.js";
import { describeHistory } from "./describe.js";
import { forgetFailures, forgetFrom } from "./rewind.js";

/** How the workflow stands and what it has recorded. */
export function readHistory({ status, root, output, error }: WorkflowRun): HistorySnapshot {
  return {
    status,
    entries: describeHistory(root),
    ...(status === "completed" && { output }),
    ...(error && { error }),
  };
}

/**
 * After `failed` or `parked`: forgets the failures that ended it (steps that were rolled back, too) and goes
 * on. Resolves when that is durable. Does nothing in other states.
 */
export async function recover(run: WorkflowRun): Promise<void> {
  if (run.status !== "failed" && run.status !== "parked") return;
  await run.revise(({ root, failed, journal }) => {
    forgetFailures(root, failed, journal);
    return root;
  });
}

/**
 * Forgets the step at `path` (iterations as `~12`) and all that was recorded after it, then runs again;
 * without `path` from the beginning. Messages received after the step wait again, before all others. Resolves
 * when that is durable.
 * @throws UsageError `workflow_in_flight` while a step is running, `entry_not_found`, `not_a_step`.
 */
export async function replayFrom(run: WorkflowRun, path?: string): Promise<void> {
  await run.revise(({ root, journal, mailbox, inFlight }) => {
    const rest = forgetFrom(root, path, journal, inFlight);
    mailbox.putBack(rest.messages);
    return rest.root;
  });
}
