import type { BindingId, Expr, Stmt } from "../../types.js";
import type { Run } from "./run.js";
import type { HandlerTrace, TraceBlock } from "../types.js";
import { visitExprs, visitStmts } from "../visit.js";

/** What a `catch` does with what it caught. */
export function describeHandler(run: Run, stmt: Extract<Stmt, { s: "try" }>, body: TraceBlock): HandlerTrace {
  const error = stmt.param?.p === "binding" ? stmt.param.id : null;
  const tests: string[] = [];
  const used = new Set<Expr>();
  const calm = new Set<Expr>();
  const isError = (expr: Expr): boolean =>
    expr.k === "name" && expr.ref.to === "binding" && expr.ref.id === error;
  visitStmts(stmt.handler ?? [], (expr) => {
    if (expr.k === "binary" && expr.op === "instanceof" && rootOf(expr.left) === error) {
      tests.push(textOf(run, expr.right));
      visitExprs(expr.left, (each) => calm.add(each));
    }
    if (isError(expr)) used.add(expr);
  });
  for (const one of stmt.handler ?? []) if (one.s === "throw" && isError(one.value)) calm.add(one.value);
  return {
    place: run.place(stmt.handlerSpan ?? stmt.span),
    body,
    rethrows: rethrows(body),
    readsError: [...used].some((expr) => !calm.has(expr)),
    tests,
  };
}

function rootOf(expr: Expr): BindingId | null {
  if (expr.k === "name") return expr.ref.to === "binding" ? expr.ref.id : null;
  return expr.k === "member" ? rootOf(expr.object) : null;
}

function textOf(run: Run, expr: Expr): string {
  if (expr.k === "name") {
    if (expr.ref.to === "external") return `${expr.ref.module}#${expr.ref.name}`;
    return expr.name;
  }
  if (expr.k === "member") return `${textOf(run, expr.object)}.${expr.property ?? "*"}`;
  return "*";
}

/** Whether an error leaves the block: on every path, on some, on none. */
export function rethrows(block: TraceBlock): HandlerTrace["rethrows"] {
  const [may, must] = throwing(block);
  return must ? "always" : may ? "sometimes" : "never";
}

/** [some path throws, every path throws] */
function throwing(block: TraceBlock): readonly [may: boolean, must: boolean] {
  let may = false;
  for (const node of block) {
    if (node.t === "exit") return [may || node.how === "throw", node.how === "throw"];
    if (node.t === "choice") {
      const arms = node.arms.map(throwing);
      may ||= arms.some(([some]) => some);
      if (arms.length > 0 && arms.every(([, all]) => all)) return [true, true];
      // An arm that leaves without throwing makes "always" impossible from here on.
      if (node.arms.some((arm, index) => leaves(arm) && !arms[index]?.[1])) {
        const rest = throwing(block.slice(block.indexOf(node) + 1));
        return [may || rest[0], false];
      }
    }
    if (node.t === "repeat" || node.t === "block") may ||= throwing(node.body)[0];
    if (node.t === "try") {
      const inner = throwing(node.block);
      if (!node.handler) {
        may ||= inner[0];
        if (inner[1]) return [true, true];
      } else {
        const handled = throwing(node.handler.body);
        may ||= handled[0];
      }
    }
  }
  return [may, false];
}

const leaves = (block: TraceBlock): boolean =>
  block.some((node) => node.t === "exit" || (node.t === "choice" && node.arms.some(leaves)));
