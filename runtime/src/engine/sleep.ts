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
  const place = scope.visit(name, "sleep");
  let { data } = place;
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
    data = pass.add(place, "sleep", "pending", Math.ceil(at));
  }
  await strand.wait(data.detail);
  scope.goOn(name);
  pass.recordLater(place, { ...data, status: "completed", completedAt: clock.now() });
}
