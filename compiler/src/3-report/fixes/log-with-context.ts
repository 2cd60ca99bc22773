import type { Analysis, EffectOperation } from "../../2-solve/types.js";
import type { Fix } from "../../types.js";
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

/** `console.log(text)` → `ctx.log.info(text)`; only of one argument, since the engine's logger reads a second otherwise. */
export function logWithContext(analysis: Analysis, operation: EffectOperation): Fix | null {
  const { file, span } = operation.place;
  const { activation } = operation;
  for (const expr of exprsOfBody(activation.function.body)) {
    if (expr.k !== "call" || expr.span[0] !== span[0] || expr.callee.span[1] !== span[1]) continue;
    const { callee } = expr;
    if (callee.k !== "member" || callee.object.k !== "name" || callee.object.name !== "console") return null;
    const level = LEVELS[callee.property ?? ""];
    const context = contextInScope(analysis, activation, activation.scope);
    if (level === undefined || context === null || expr.args.length !== 1 || expr.args[0]?.spread)
      return null;
    return {
      title: `Log through \`${context.name}.log\``,
      safe: true,
      edits: [{ file, span: callee.span, text: `${context.name}.log.${level}` }],
    };
  }
  return null;
}
