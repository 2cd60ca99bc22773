import fc from "fast-check";
import type { Happening, Schedule } from "../../runtime/src/testing/schedule.js";

const times = fc.constantFrom(100, 200, 500, 1000, 10_000);

/** What may happen to an instance of a generated program. Disturbances only when asked for. */
export function schedule(options: {
  readonly disturbed: boolean;
  readonly jumps: boolean;
}): fc.Arbitrary<Schedule> {
  const send = fc
    .record({ queue: fc.constantFrom("p", "q"), body: fc.nat(9) })
    .map((one): Happening => ({ do: "send", ...one }));
  const advance = times.map((ms): Happening => ({ do: "advance", ms }));
  const jump = fc
    .tuple(times, fc.boolean())
    .map(([ms, back]): Happening => ({ do: "jump", ms: back ? -ms : ms }));
  const crash = fc.nat(6).map((afterCommits): Happening => ({ do: "crash", afterCommits }));
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: send },
      { weight: 3, arbitrary: advance },
      ...(options.jumps ? [{ weight: 1, arbitrary: jump }] : []),
      ...(options.disturbed
        ? [
            { weight: 4, arbitrary: crash },
            { weight: 2, arbitrary: fc.constant<Happening>({ do: "evict" }) },
          ]
        : []),
    ),
    { maxLength: 12 },
  );
}
