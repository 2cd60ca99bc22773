import type { ShownChange } from "./diff-report.js";

/**
 * What the runtime did with the witness, in lines; none without `--replay`. The engine's own message
 * stands on a line of its own.
 */
export function replayText({ replay, witness, level }: ShownChange): string[] {
  if (replay === undefined || replay === null || witness === null) return [];
  const error = replay.error === null ? [] : [`  ${replay.error}`];
  if (replay.asSaid && witness.diverges)
    return ["replayed on @stepproof/runtime: it fails as said:", ...error];
  if (replay.asSaid && replay.ranAgain.length > 0) {
    const steps = replay.ranAgain.map((name) => JSON.stringify(name)).join(", ");
    return [`replayed on @stepproof/runtime: as said, nothing fails and ${steps} ran again`];
  }
  if (replay.asSaid) return ["replayed on @stepproof/runtime: as said, nothing fails"];
  const did = { diverged: "it diverged", failed: "it failed", completed: "it ended", waiting: "it went on" };
  const why =
    replay.judgedBy !== "stepproof"
      ? `the diff judged by the rules of ${replay.judgedBy}, which are others`
      : level === "risky"
        ? "the witness depends on data that the replay does not have"
        : "this is not what the diff says, please report it (npm bugs stepproof)";
  return [`replayed on @stepproof/runtime: ${did[replay.outcome]}; ${why}`, ...error];
}
