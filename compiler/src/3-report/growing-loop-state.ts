import type { Analysis, EntryOperation } from "../2-solve/types.js";
import type { Expr, FunctionFacts, Place } from "../types.js";
import { bare, dotted, exprsOfBody } from "./facts-walk.js";

export interface GrowingState {
  readonly entry: EntryOperation;
  readonly place: Place;
  /** Name of the property of the state that grows; `state` for the state itself. */
  readonly property: string;
}

/** Loop states that are continued with all they held before and more, and never with less. */
export function growingLoopStates(analysis: Analysis): readonly GrowingState[] {
  return analysis.operations.flatMap((operation) => {
    if (operation.kind !== "entry" || operation.method !== "loop" || !operation.options["state"]) return [];
    const bodies = new Map(
      operation.callbacks.flatMap(({ activations }) => activations).map(({ function: fn }) => [fn.id, fn]),
    );
    return [...bodies.values()].flatMap((body) =>
      growsIn(body).map((found) => ({ entry: operation, ...found })),
    );
  });
}

type Change = "grows" | "same" | "other";

function growsIn(body: FunctionFacts): readonly Omit<GrowingState, "entry">[] {
  const pattern = body.params[1]?.pattern;
  if (!pattern) return [];
  const states = [...exprsOfBody(body.body)].flatMap((expr) => {
    if (expr.k !== "call" || dotted(expr.callee)?.slice(-2).join(".") !== "Loop.continue") return [];
    return expr.args[0] ? [bare(expr.args[0].value)] : [];
  });
  const state = pattern.p === "binding" ? pattern : null;
  /** Names in the body that stand for a property of the state. */
  const held = new Map(
    pattern.p === "object"
      ? pattern.props.flatMap(({ key, value }) =>
          key !== null && value.p === "binding" ? [[value.id, key]] : [],
        )
      : [],
  );
  const propertyOf = (expr: Expr): string | null => {
    const one = bare(expr);
    if (one.k === "name" && one.ref.to === "binding") {
      if (one.ref.id === state?.id) return "";
      return held.get(one.ref.id) ?? null;
    }
    if (one.k !== "member" || one.property === null) return null;
    const object = bare(one.object);
    return object.k === "name" && object.ref.to === "binding" && object.ref.id === state?.id
      ? one.property
      : null;
  };
  const pushed = pushesIn(body, propertyOf);
  const found: Omit<GrowingState, "entry">[] = [];
  const changes = new Map<string, { change: Change; span: Expr["span"] }[]>();
  const note = (property: string, change: Change, span: Expr["span"]): void => {
    changes.set(property, [...(changes.get(property) ?? []), { change, span }]);
  };
  for (const next of states) {
    if (next.k !== "object") {
      const own = propertyOf(next) === "";
      if (own) for (const property of pushed) note(property, "grows", next.span);
      else note("", changeOf(next, "", propertyOf), next.span);
      continue;
    }
    for (const prop of next.props)
      if (prop.key !== null) note(prop.key, changeOf(prop.value, prop.key, propertyOf, pushed), prop.span);
  }
  for (const [property, all] of changes) {
    const grows = all.find(({ change }) => change === "grows");
    if (!grows || all.some(({ change }) => change === "other") || isMeasured(body, property, propertyOf))
      continue;
    found.push({
      place: { file: body.file, span: grows.span },
      property: property === "" ? "state" : property,
    });
  }
  return found;
}

/** `[...state.seen, x]`, `state.seen.concat(x)`, `{ ...state.seen, [key]: x }` */
function changeOf(
  value: Expr,
  property: string,
  propertyOf: (expr: Expr) => string | null,
  pushed: ReadonlySet<string> = new Set(),
): Change {
  const one = bare(value);
  if (propertyOf(one) === property) return pushed.has(property) ? "grows" : "same";
  if (one.k === "array") {
    const spreads = one.items.some((item) => item.spread && propertyOf(item.value) === property);
    return spreads && one.items.length > 1 ? "grows" : "other";
  }
  if (one.k === "object") {
    const spreads = one.props.some((prop) => prop.kind === "spread" && propertyOf(prop.value) === property);
    return spreads && one.props.some((prop) => prop.computed !== null) ? "grows" : "other";
  }
  if (one.k === "call" && one.callee.k === "member" && one.callee.property === "concat")
    return propertyOf(one.callee.object) === property ? "grows" : "other";
  if (one.k === "binary" && one.op === "+") return "same";
  return "other";
}

/** Properties that the body pushes to. */
function pushesIn(body: FunctionFacts, propertyOf: (expr: Expr) => string | null): ReadonlySet<string> {
  const found = new Set<string>();
  for (const expr of exprsOfBody(body.body)) {
    if (expr.k !== "call" || expr.callee.k !== "member") continue;
    if (expr.callee.property !== "push" && expr.callee.property !== "unshift") continue;
    const property = propertyOf(expr.callee.object);
    if (property !== null) found.add(property);
  }
  return found;
}

/** The body looks at how long it has become, or takes something out. */
function isMeasured(
  body: FunctionFacts,
  property: string,
  propertyOf: (expr: Expr) => string | null,
): boolean {
  for (const expr of exprsOfBody(body.body)) {
    if (expr.k !== "member" || propertyOf(expr.object) !== property) continue;
    if (/^(?:length|size|splice|shift|pop|delete|clear)$/.test(expr.property ?? "")) return true;
  }
  return false;
}
