import { blocksOfStmt } from "../2-solve/visit.js";
import type { FunctionFacts, Span, Stmt } from "../types.js";

/** The innermost statement around a place, and how other statements can be put beside it. */
export interface StatementAt {
  readonly stmt: Stmt;
  /**
   * `block`: it stands among statements. `bare`: it is the whole body of an `if` or loop, without
   * braces. `arrow`: it is the expression that an arrow function gives.
   */
  readonly stands: "block" | "bare" | "arrow";
}

/** Finds the statement of a function (functions in it not entered) that holds the span. */
export function statementAt(fn: FunctionFacts, span: Span, text: string): StatementAt | null {
  const found = search(fn.body, span);
  if (found === null) return null;
  const { stmt, first, from } = found;
  if (stmt.s === "return" && !text.startsWith("return", stmt.span[0])) return { stmt, stands: "arrow" };
  if (!first) return { stmt, stands: "block" };
  const head = withoutComments(text.slice(from ?? fn.span[0], stmt.span[0])).trimEnd();
  return { stmt, stands: /[{:;}]$/.test(head) ? "block" : "bare" };
}

interface Found {
  readonly stmt: Stmt;
  /** First of its list. */
  readonly first: boolean;
  /** Where the statement around it starts. */
  readonly from: number | null;
}

function search(stmts: readonly Stmt[], span: Span, from: number | null = null): Found | null {
  for (const [index, stmt] of stmts.entries()) {
    if (stmt.span[0] > span[0] || stmt.span[1] < span[1]) continue;
    for (const list of blocksOfStmt(stmt)) {
      const inner = search(list, span, stmt.span[0]);
      if (inner !== null) return inner;
    }
    return { stmt, first: index === 0, from };
  }
  return null;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "");
}
