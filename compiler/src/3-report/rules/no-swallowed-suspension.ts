import { entryText } from "../../2-solve/entries/entry-text.js";
import type {
  Activation,
  Analysis,
  Finding,
  HandlerTrace,
  Operation,
  Rule,
  TraceBlock,
  TraceNode,
  TryTrace,
} from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";

/** `catch`, `.catch` and `finally` around entries see the engine's suspension, not only failures. */
export const noSwallowedSuspension: Rule = (analysis, report) => {
  for (const activation of analysis.activations)
    if (activation.zone === "workflow")
      for (const node of triesIn(activation.trace)) checkTry(analysis, activation, node, report);
  for (const operation of analysis.operations) {
    if (operation.zone !== "workflow" || !recordsEntries(analysis, operation)) continue;
    if (operation.kind !== "entry" && operation.kind !== "call") continue;
    if (operation.use.how !== "chained" || !operation.use.handled) continue;
    const what = operation.kind === "entry" ? entryText(operation) : operation.text;
    reportAt(analysis, operation, report, () => ({
      rule: "no-swallowed-suspension",
      message: `The rejection handler on \`${what}(…)\` also catches the engine's own suspension: a wait or a retry is taken for a failure`,
      help: REMEDY,
    }));
  }
};

const REMEDY =
  "Handle expected errors inside the step, or use `ctx.tryStep` / `ctx.try`, which give terminal failures as data and let the suspension pass.";

function checkTry(
  analysis: Analysis,
  activation: Activation,
  node: TryTrace,
  report: (finding: Finding) => void,
): void {
  const entry = firstOperation(node.block, (operation) => recordsEntries(analysis, operation));
  if (!entry) return;
  const [route] = analysis.routesTo(entry);
  const found = (message: string, place: Finding["place"], severity?: Finding["severity"]): void => {
    report({
      rule: "no-swallowed-suspension",
      message,
      place,
      chain: route ? route.chain : [],
      help: REMEDY,
      ...(severity ? { severity } : {}),
    });
  };
  if (node.handler) {
    const verdict = judgeHandler(node.handler);
    if (verdict) found(verdict.message, node.handler.place, verdict.severity);
  }
  const act = node.finalizer
    ? firstOperation(node.finalizer.body, (operation) => acts(analysis, operation))
    : null;
  if (act)
    found(
      `This \`finally\` acts while the workflow is only suspended: it runs at every wait inside the \`try\`, not once at the end`,
      act.activation === activation ? act.place : (node.finalizer?.place ?? act.place),
    );
}

function judgeHandler(handler: HandlerTrace): { message: string; severity?: Finding["severity"] } | null {
  const own = handler.tests.filter((name) => !name.includes("#"));
  if (handler.rethrows === "always") return null;
  if (handler.rethrows === "sometimes" && handler.tests.length > 0) {
    if (own.length === 0) return null;
    return {
      severity: "warning",
      message: `An entry never throws \`${own[0]}\`: the engine throws its own error types here, so this \`catch\` never does what it is for`,
    };
  }
  return {
    message:
      own.length > 0
        ? `This \`catch\` around entries waits for \`${own[0]}\`, which an entry never throws, and swallows everything else, the engine's suspension included`
        : "This `catch` around entries swallows the engine's suspension: a wait or a retry is taken for a failure",
  };
}

function* triesIn(block: TraceBlock): Generator<TryTrace> {
  for (const node of block) {
    if (node.t === "try") yield node;
    for (const inner of blocksOf(node)) yield* triesIn(inner);
  }
}

function blocksOf(node: TraceNode): readonly TraceBlock[] {
  switch (node.t) {
    case "choice":
      return node.arms;
    case "repeat":
    case "block":
      return [node.body];
    case "try":
      return [
        node.block,
        ...(node.handler ? [node.handler.body] : []),
        ...(node.finalizer ? [node.finalizer.body] : []),
      ];
    case "op":
    case "exit":
      return [];
  }
}

/** In program order; a `try` inside that handles its own errors counts too: the suspension still passes it. */
function firstOperation(block: TraceBlock, holds: (operation: Operation) => boolean): Operation | null {
  for (const node of block) {
    if (node.t === "op" && holds(node.op)) return node.op;
    for (const inner of blocksOf(node)) {
      const found = firstOperation(inner, holds);
      if (found) return found;
    }
  }
  return null;
}

function recordsEntries(analysis: Analysis, operation: Operation): boolean {
  return (
    operation.kind === "entry" || (operation.kind === "call" && operation.targets.some(analysis.makesEntries))
  );
}

/** Things that a `finally` must not do: entries, effects, actor APIs. */
function acts(analysis: Analysis, operation: Operation): boolean {
  return (
    operation.kind === "access" ||
    (operation.kind === "effect" && operation.effect !== "unknown") ||
    recordsEntries(analysis, operation)
  );
}
