import type { Analysis, Rule } from "../../2-solve/types.js";
import type { Expr, FunctionFacts, Place, TypeFacts, TypeHazard } from "../../types.js";
import { cyclesIn } from "../cyclic-values.js";
import { bare, exprsOfBody } from "../facts-walk.js";
import { stepReturns, type StepReturn } from "../step-returns.js";
import { stepSites } from "../step-sites.js";
import { givesData } from "../plain-data.js";
import { verbatimParts, type VerbatimPart } from "../verbatim.js";
import { hazardOfPart } from "../written-hazards.js";
import { reportInside } from "./report-inside.js";
import type { Remark } from "../report-at.js";

/** Recorded values that do not come back as they were. */
export const serializableValues: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    const output = `the output of ${site.label}`;
    const returns = stepReturns(analysis, site);
    for (const body of new Set(site.bodies.map((activation) => activation.function))) {
      const own = returns.filter((returned) => returned.body === body);
      const [first] = own.filter((returned) => !returned.parts.every(isPlain));
      if (!first) continue;
      const [hazard] = hazardsOf(analysis, body);
      if (!hazard) continue;
      const place = { file: body.file, span: partAt(first.expr, hazard.path).span };
      reportInside(analysis, site.entry, place, report, () => remark(hazard, output));
    }
    for (const returned of returns) {
      if (!returned.parts.every(isPlain) && hazardsOf(analysis, returned.body).length === 0)
        for (const part of returned.parts) {
          const hazard = hazardOfPart(analysis, part);
          if (hazard) reportInside(analysis, site.entry, part.via, report, () => remark(hazard, output));
        }
      const cycle = cycleOf(returned);
      if (cycle !== null)
        reportInside(
          analysis,
          site.entry,
          { file: returned.body.file, span: returned.expr.span },
          report,
          () => ({
            rule: "serializable-values",
            message: `\`${cycle}\` in ${output} holds itself: a value with a cycle can't be recorded`,
            help: "Return a flat form of it, for example items with the id of their parent.",
          }),
        );
    }
  }
  reportLoopStates(analysis, report);
  reportSentMessages(analysis, report);
  reportQueues(analysis, report);
};

const reportLoopStates: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "entry" || operation.method !== "loop") continue;
    const state = operation.options["state"];
    const prop = state && propAt(analysis, state.place);
    const [hazard] = realHazards(prop?.type ?? null);
    if (state && hazard)
      reportInside(analysis, operation, state.place, report, () => remark(hazard, "the loop's state"));
  }
};

/** `step.queue.send("jobs", { … })`: what is written there. */
const reportSentMessages: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "access" || operation.api !== "queue.send") continue;
    const body = operation.args[1]?.expr;
    if (!body) continue;
    for (const part of verbatimParts(analysis, body, operation.place.file)) {
      const hazard = hazardOfPart(analysis, part);
      if (hazard) reportInside(analysis, operation, part.via, report, () => remark(hazard, "this message"));
    }
  }
};

/** Bodies of queue messages, where the queue is declared. */
const reportQueues: Rule = (analysis, report) => {
  const [anchor] = analysis.workflows;
  if (!anchor) return;
  for (const file of analysis.files.values()) {
    for (const fn of file.outermost.flatMap((one) => (one.glance.typedCalls ? one.withInner : []))) {
      for (const expr of exprsOfBody(fn.body)) {
        if (!isQueue(expr)) continue;
        for (const type of expr.typeArgs) {
          const [hazard] = realHazards(type);
          if (!hazard) continue;
          report({
            ...remark(hazard, "the messages of this queue"),
            place: { file: file.path, span: expr.span },
            chain: [],
          });
        }
      }
    }
  }
};

function isQueue(expr: Expr): expr is Extract<Expr, { k: "call" }> {
  return (
    expr.k === "call" &&
    expr.callee.k === "name" &&
    expr.callee.ref.to === "external" &&
    expr.callee.ref.name === "queue"
  );
}

/** A literal, or what an operator makes of other values. */
function isPlain({ expr }: VerbatimPart): boolean {
  return expr.k === "literal" || expr.k === "unary" || expr.k === "binary";
}

/** The part of a written value that stands at a path: `price` of `{ price: (n) => n }`; else the value. */
function partAt(expr: Expr, path: string): Expr {
  const value = bare(expr);
  if (value.k !== "object" || path === "") return expr;
  const [, key, rest = ""] = /^([\w$]+)(?:\.(.*))?$/.exec(path) ?? [];
  const prop = value.props.find((each) => each.kind !== "spread" && each.key === key);
  return prop ? partAt(prop.value, rest) : expr;
}

/** What a function gives, awaited. Asking for a type is dear, so it is read where reading tells. */
function hazardsOf(analysis: Analysis, fn: FunctionFacts): readonly TypeHazard[] {
  return givesData(analysis, fn) ? [] : realHazards(fn.returnType);
}

/** A type that may hold itself is not a value that does: cycles are looked for in the code. An iterable may be a list. */
function realHazards(type: TypeFacts | null): readonly TypeHazard[] {
  const all =
    type?.hazards.filter(
      ({ kind, typeName }) =>
        !["cycle", "bytes"].includes(kind) && !/(?:Error|Exception|Iterable)$/.test(typeName),
    ) ?? [];
  return [...all].sort((a, b) => Number(a.lossy) - Number(b.lossy));
}

const WHAT: Readonly<Record<TypeHazard["kind"], (type: string) => string>> = {
  function: () => "a function",
  symbol: () => "a symbol",
  class: (type) => `an instance of \`${type}\``,
  stream: (type) => `a stream (\`${type}\`)`,
  response: (type) => `a \`${type}\`, whose body is a stream`,
  promise: () => "a promise",
  weak: (type) => `a \`${type}\``,
  cycle: () => "a cycle",
  bytes: (type) => `\`${type}\``,
  other: (type) => `\`${type}\``,
};

function remark(hazard: Pick<TypeHazard, "kind" | "typeName" | "lossy" | "path">, where: string): Remark {
  const at = hazard.path === "" ? "" : ` (\`${hazard.path}\`)`;
  const what = WHAT[hazard.kind](hazard.typeName);
  return {
    rule: "serializable-values",
    ...(hazard.lossy ? { severity: "warning" as const } : {}),
    message: hazard.lossy
      ? `${where[0]?.toUpperCase()}${where.slice(1)} holds ${what}${at}: it comes back changed, as plain data`
      : `${where[0]?.toUpperCase()}${where.slice(1)} holds ${what}${at}, which can't be recorded`,
    help: "Record plain data: JSON values, `undefined`, `Date`, `Map`, `Set`, `BigInt`, typed arrays, errors.",
  };
}

/** The name of the returned variable that is part of a cycle. */
function cycleOf(returned: StepReturn): string | null {
  const value = bare(returned.expr);
  return value.k === "name" && value.ref.to === "binding" && cyclesIn(returned.body).has(value.ref.id)
    ? value.name
    : null;
}

/** The property of an options object that a value was written in. */
function propAt(analysis: Analysis, place: Place): { readonly type: TypeFacts | null } | null {
  const file = analysis.files.get(place.file);
  for (const fn of file?.functions ?? [])
    for (const expr of exprsOfBody(fn.body)) {
      if (expr.k !== "object") continue;
      for (const prop of expr.props) if (prop.key === "state" && touches(prop.span, place.span)) return prop;
    }
  return null;
}

const touches = (outer: Place["span"], inner: Place["span"]): boolean =>
  inner[0] >= outer[0] && inner[1] <= outer[1];
