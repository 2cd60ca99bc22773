import { rows, type RowGroup } from "../rows.js";

const NOW = "the clock says something else on every replay";
const ELAPSED = "it measures this process, not the workflow";

/** Everything that tells what time it is or how long something took. */
export const CLOCK: readonly RowGroup[] = [
  ...rows("", "clock", NOW, "Date.now"),
  ...rows("", "clock", "`new Date()` without an argument is the present time", "Date", {
    when: { form: "new", maxArgs: 0 },
    returns: "Date",
  }),
  ...rows("", "clock", "`Date()` called as a function is the present time as text", "Date", {
    when: { form: "call" },
  }),
  ...rows(
    "Temporal.Now.",
    "clock",
    NOW,
    "instant plainDateISO plainTimeISO plainDateTimeISO zonedDateTimeISO plainDate plainTime plainDateTime zonedDateTime",
  ),
  ...rows(
    "performance.",
    "clock",
    ELAPSED,
    "now mark measure timerify toJSON getEntries getEntriesByName getEntriesByType eventLoopUtilization",
  ),
  ...rows(
    "performance.",
    "clock",
    "it is the moment at which this process started",
    "timeOrigin timing timing.*",
    { when: { form: "read" } },
  ),
  ...rows("process.", "clock", ELAPSED, "hrtime hrtime.bigint uptime"),
  ...rows(
    "node:perf_hooks#",
    "clock",
    ELAPSED,
    "monitorEventLoopDelay createHistogram PerformanceObserver eventLoopUtilization timerify",
  ),
  ...rows("", "clock", ELAPSED, "PerformanceObserver Bun.nanoseconds"),
  ...rows("document.timeline.", "clock", NOW, "currentTime", { when: { form: "read" } }),
  ...rows("Event.prototype.", "clock", "it is the moment at which the event was made", "timeStamp", {
    when: { form: "read" },
  }),
  ...rows("AbortSignal.", "timer", "it aborts after time on the clock of this process", "timeout"),
];
