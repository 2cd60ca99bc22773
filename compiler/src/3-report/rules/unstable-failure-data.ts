import type {
  Activation,
  Analysis,
  EntryOperation,
  RecordedReadOperation,
  Rule,
  TraceBlock,
  ValueInfo,
} from "../../2-solve/types.js";
import { REPLAY_FLAGS } from "../../../../runtime/src/manifest/replay-flags.js";
import { dotted, exprsOfBody, within } from "../facts-walk.js";
import { reportAt } from "../report-at.js";
import { engineOf, reportInside } from "./report-inside.js";

/** Failure data that a record does not hold, and outcomes that the target engine does not replay. */
export const unstableFailureData: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.zone !== "workflow") continue;
    if (operation.kind === "recorded-read") {
      const path = operation.entry.path[0] === "failure" ? operation.entry.path.slice(1) : null;
      if (!path) continue;
      const tested = path.join(".") === "error" ? classTestOf(operation) : null;
      if (tested !== null)
        reportInside(analysis, operation, operation.place, report, () => ({
          rule: "unstable-failure-data",
          message: `\`failure.error\` is data about the error, not the error itself: it is never an instance of \`${tested}\``,
          help: "Compare `failure.error.name`, or return what you need from the step.",
        }));
      reportInside(analysis, operation, operation.place, report, (route) => {
        const lost = engineOf(route).unrecordedFailureData.find((one) => isBelow(path, one.split(".")));
        return lost === undefined
          ? null
          : {
              rule: "unstable-failure-data",
              message: `\`failure.${lost}\` is not recorded: on a replay it is missing or another one`,
              help: "Decide by `failure.kind`, `failure.attempts`, `failure.error.name` or `failure.error.message`, or return what you need from the step.",
            };
      });
    } else if (operation.kind === "entry" && operation.method === "tryStep" && runsAgain(operation)) {
      const throws = operation.callbacks.some(
        (callback) =>
          callback.role === "body" &&
          callback.activations.some((body) => throwsCritical(analysis, body, new Set())),
      );
      if (!throws) continue;
      for (const route of analysis.routesTo(operation)) {
        if (!route.workflow || REPLAY_FLAGS[route.workflow.engine].terminalFailureReplayed) continue;
        reportAt({ ...analysis, routesTo: () => [route] }, operation, report, () => ({
          rule: "unstable-failure-data",
          message:
            "This `tryStep` can fail with a `CriticalError`, which this engine does not replay: the step runs again and the outcome can differ",
          help: "Set `maxRetries: 0`, or return the refusal as data instead of throwing.",
        }));
      }
    }
  }
};

/** `failure.error instanceof CardDeclined`: the class asked for. */
function classTestOf({ activation, place }: RecordedReadOperation): string | null {
  for (const expr of exprsOfBody(activation.function.body))
    if (expr.k === "binary" && expr.op === "instanceof" && within(place.span, expr.left.span))
      return dotted(expr.right)?.join(".") ?? "that class";
  return null;
}

const isBelow = (path: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= path.length && prefix.every((part, index) => path[index] === part);

/** With `maxRetries: 0` even such an engine takes the recorded failure. */
function runsAgain(operation: EntryOperation): boolean {
  const retries: ValueInfo | undefined = operation.options["maxRetries"];
  return !retries?.constants?.every((count) => count === 0);
}

function throwsCritical(analysis: Analysis, activation: Activation, seen: Set<string>): boolean {
  if (seen.has(activation.id)) return false;
  seen.add(activation.id);
  if (throwsIn(activation.trace)) return true;
  return activation.operations.some(
    (one) => one.kind === "call" && one.targets.some((target) => throwsCritical(analysis, target, seen)),
  );
}

function throwsIn(block: TraceBlock): boolean {
  return block.some((node) => {
    switch (node.t) {
      case "op":
        return false;
      case "exit":
        return (
          node.how === "throw" &&
          (node.value?.instances.some((name) => name.endsWith("#CriticalError")) ?? false)
        );
      case "choice":
        return node.arms.some(throwsIn);
      case "repeat":
      case "block":
        return throwsIn(node.body);
      case "try":
        return [node.handler ? [] : node.block, node.handler?.body ?? [], node.finalizer?.body ?? []].some(
          throwsIn,
        );
    }
  });
}
