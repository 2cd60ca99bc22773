import type { SleepData } from "./entry.js";
import { UsageError } from "./errors.js";
import type { Scope } from "./scope.js";

/**
 * Waits until `at` (ms since the epoch). What was recorded first holds: a deadline never moves, however
 * often the function is run again.
 * @throws UsageError `sleep_duration` when `at` is no time.
 */
export async function runSleepUntil(scope: Scope, name: string, at: number): Promise<void> {
  const { pass, strand } = scope;
  const { clock } = pass.run;
  const place = scope.visit(name);
  let data: SleepData | undefined = scope.recorded(place, "sleep");
  if (data?.status === "completed") return;
  if (pass.mode === "rollback") return strand.stop();
  if (data === undefined) {
    if (!Number.isFinite(at)) {
      throw new UsageError(
        "sleep_duration",
        `Sleep "${scope.pathOf(name)}" needs a finite time; got ${String(at)}.`,
        scope.pathOf(name),
      );
    }
    data = {
      kind: "sleep",
      seq: pass.run.nextSeq(),
      status: "pending",
      startedAt: clock.now(),
      completedAt: 0,
      detail: Math.ceil(at),
    };
    pass.record(place, data);
  }
  const deadline = data.detail;
  await strand.wait(deadline, (now) => (now >= deadline ? true : undefined));
  scope.goOn(name);
  pass.recordLater(place, { ...data, status: "completed", completedAt: clock.now() });
}
