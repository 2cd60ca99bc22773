import type { Analysis } from "../2-solve/types.js";
import type { Expr, Stmt } from "../types.js";
import { bare, dotted } from "./facts-walk.js";

const LOGGERS =
  /^(?:console|log|logs|logger|logging|pino|winston|debug|sentry|bugsnag|rollbar|honeybadger|newrelic|span|metrics)$/i;
const LOGGER_LIKE = /(?:log|logger)$/i;
const VERBS =
  /^(?:error|warn|warning|info|debug|log|trace|fatal|critical|verbose|notice|captureException|captureMessage|captureError|notify|noticeError|recordException|setStatus|increment|inc|addBreadcrumb)$/;

/** Statements that do nothing but write lines (or nothing at all). */
export function onlyLogs(body: readonly Stmt[]): boolean {
  return body.every((stmt) => {
    if (stmt.s === "declare") return stmt.items.every(({ init }) => init === null || !hasAwait(init));
    if (stmt.s === "return") return stmt.value === null || isLogCall(stmt.value);
    if (stmt.s === "if") return onlyLogs(stmt.then) && onlyLogs(stmt.else);
    if (stmt.s === "block") return onlyLogs(stmt.body);
    return stmt.s === "expr" && isLogCall(stmt.expr);
  });
}

/** A rejection handler that only logs: `console.error`, `(error) => log.warn(error)`, `() => {}`. */
export function isLogged(analysis: Analysis, handler: Expr): boolean {
  const one = bare(handler);
  if (one.k === "function") {
    const fn = analysis.functionOf(one.id);
    return fn !== null && onlyLogs(fn.body);
  }
  return isLogger(one);
}

function isLogCall(expr: Expr): boolean {
  const one = bare(expr);
  return one.k === "call" && isLogger(one.callee);
}

/** `console.error`, `step.log.warn`, `this.logger.error`, `Sentry.captureException`, `debug` */
function isLogger(expr: Expr): boolean {
  const path = dotted(expr);
  if (!path) return false;
  const verb = path[path.length - 1] ?? "";
  if (path.length === 1) return /^(?:log|debug|warn)$/.test(verb);
  return VERBS.test(verb) && path.slice(0, -1).some((name) => LOGGERS.test(name) || LOGGER_LIKE.test(name));
}

function hasAwait(expr: Expr): boolean {
  return expr.k === "await";
}
