import type { Analysis, EffectOperation } from "../../2-solve/types.js";
import type { CallExpr, Fix, Span } from "../../types.js";
import { exprsOfBody } from "../facts-walk.js";
import { contextInScope } from "./context-in-scope.js";

const LEVELS: Readonly<Record<string, string>> = {
  debug: "debug",
  trace: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
};

/**
 * `console.log(text)` → `ctx.log.info(text)`; `console.log("charged", id, order.total)` → `ctx.log.info({ msg: "charged",
 * id, total: order.total })`, since the engine's logger takes one object. `null` where values have no names to go by.
 */
export function logWithContext(analysis: Analysis, operation: EffectOperation): Fix | null {
  const { file, span } = operation.place;
  const { activation } = operation;
  for (const expr of exprsOfBody(activation.function.body)) {
    if (expr.k !== "call" || expr.span[0] !== span[0] || expr.callee.span[1] !== span[1]) continue;
    const { callee } = expr;
    if (callee.k !== "member" || callee.object.k !== "name" || callee.object.name !== "console") return null;
    const level = LEVELS[callee.property ?? ""];
    const context = contextInScope(analysis, activation, activation.scope);
    const object = expr.args.length === 1 ? [] : asObject(expr);
    if (level === undefined || context === null || object === null || expr.args.some((arg) => arg.spread))
      return null;
    return {
      title: `Log through \`${context.name}.log\``,
      safe: true,
      edits: [{ span: callee.span, text: `${context.name}.log.${level}` }, ...object].map((edit) => ({
        file,
        ...edit,
      })),
    };
  }
  return null;
}

interface Insertion {
  readonly span: Span;
  readonly text: string;
}

/** What makes one object of a message and named values. */
function asObject({ args, span }: CallExpr): readonly Insertion[] | null {
  const [message, ...values] = args.map((arg) => arg.value);
  if (message?.k !== "literal" || typeof message.value !== "string" || message.value.includes("%"))
    return null;
  const names = values.map((value) =>
    value.k === "name" ? value.name : value.k === "member" ? value.property : null,
  );
  if (names.includes(null) || new Set(["msg", ...names]).size !== names.length + 1) return null;
  const inserted = values.flatMap((value, index): Insertion[] =>
    value.k === "name" ? [] : [{ span: [value.span[0], value.span[0]], text: `${names[index] ?? ""}: ` }],
  );
  const end = span[1] - 1;
  return [
    { span: [message.span[0], message.span[0]], text: "{ msg: " },
    ...inserted,
    { span: [end, end], text: " }" },
  ];
}
