import type { FunctionFacts, Stmt } from "../types.js";
import type { TextEdit } from "./apply-edits.js";
import type { StatementAt } from "./statement-at.js";

/** Puts a statement (`…;`) before another, in the style of the lines around. */
export function insertBefore(text: string, at: StatementAt, statement: string): readonly TextEdit[] {
  const [start, end] = at.stmt.span;
  if (at.stands === "arrow") {
    // `(x) => entry` may stand in parentheses; the braces go around them.
    return [
      { span: [start, start], text: `{ ${statement} return ` },
      { span: [end, end], text: "; }" },
    ];
  }
  if (at.stands === "bare") {
    return [
      { span: [start, start], text: `{ ${statement} ` },
      { span: [end, end], text: " }" },
    ];
  }
  const indent = indentOf(text, start);
  if (indent === null) return [{ span: [start, start], text: `${statement} ` }];
  return [{ span: [start, start], text: statement + endOfLine(text) + indent }];
}

/**
 * Puts a statement behind another, or before it when control never comes behind it (`return await ctx.step(…)`);
 * `null` when that is what an arrow function gives.
 */
export function insertBehind(text: string, at: StatementAt, statement: string): readonly TextEdit[] | null {
  const [start, last] = at.stmt.span;
  if (at.stands === "arrow") return null;
  if (leaves(at.stmt)) return insertBefore(text, at, statement);
  if (at.stands === "bare") {
    return [
      { span: [start, start], text: "{ " },
      { span: [last, last], text: ` ${statement} }` },
    ];
  }
  const indent = indentOf(text, start);
  const end = afterTrailingComment(text, last);
  const line = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  if (indent === null || !line) return [{ span: [last, last], text: ` ${statement}` }];
  return [{ span: [end, end], text: endOfLine(text) + indent + statement }];
}

/** Puts a statement at the start of a function's body; `null` when the body is an expression. */
export function insertAtStart(
  text: string,
  fn: FunctionFacts,
  statement: string,
): readonly TextEdit[] | null {
  const [first] = fn.body;
  if (first === undefined) return insertAtEnd(text, fn, statement);
  if (first.s === "return" && !text.startsWith("return", first.span[0])) return null;
  return insertBefore(text, { stmt: first, stands: "block" }, statement);
}

/**
 * Puts a statement at the end of a function's body, before a last `return`; `null` when the body is an expression, or
 * when control never comes to its end.
 */
export function insertAtEnd(text: string, fn: FunctionFacts, statement: string): readonly TextEdit[] | null {
  const last = fn.body.at(-1);
  if (last === undefined) {
    const close = text.lastIndexOf("}", fn.span[1]);
    return close < fn.span[0] ? null : [{ span: [close, close], text: ` ${statement} ` }];
  }
  if (last.s === "return" && !text.startsWith("return", last.span[0])) return null;
  // Nobody comes past an `if` whose arms all return, nor to a `return` that stands behind it.
  if (fn.body.slice(0, -1).some(leaves)) return null;
  if (last.s === "return" || last.s === "throw") {
    return insertBefore(text, { stmt: last, stands: "block" }, statement);
  }
  if (leaves(last)) return null;
  const indent = indentOf(text, last.span[0]);
  const end = afterTrailingComment(text, last.span[1]);
  if (indent === null || text.slice(last.span[1], end).includes("}")) {
    return [{ span: [last.span[1], last.span[1]], text: ` ${statement}` }];
  }
  return [{ span: [end, end], text: endOfLine(text) + indent + statement }];
}

/** True when control never comes behind the statement. */
function leaves(stmt: Stmt): boolean {
  const ends = (body: readonly Stmt[]): boolean => {
    const last = body.at(-1);
    return last !== undefined && leaves(last);
  };
  switch (stmt.s) {
    case "return":
    case "throw":
      return true;
    case "if":
      return ends(stmt.then) && ends(stmt.else);
    case "block":
      return ends(stmt.body);
    case "switch":
      return stmt.cases.some((one) => one.test === null) && stmt.cases.every((one) => ends(one.body));
    case "try":
      return (
        ends(stmt.finalizer ?? []) || (ends(stmt.block) && (stmt.handler === null || ends(stmt.handler)))
      );
    default:
      return false;
  }
}

/** Puts `head {` and `}` around a statement. */
export function wrap(text: string, at: StatementAt, lines: readonly string[]): readonly TextEdit[] | null {
  if (at.stands === "arrow") return null;
  const [start, end] = at.stmt.span;
  const indent = indentOf(text, start);
  const eol = endOfLine(text);
  const head = lines.slice(0, -1);
  const open = lines.at(-1) ?? "";
  if (at.stands === "bare" || indent === null) {
    const outer = at.stands === "bare" ? ["{ ", " }"] : ["", ""];
    return [
      { span: [start, start], text: `${outer[0]}${[...head, open].join(" ")} ` },
      { span: [end, end], text: ` }${outer[1]}` },
    ];
  }
  const unit = indent.includes("\t") ? "\t" : "  ";
  const body = text.slice(start, end);
  // Lines of a template literal are data: they stay as they are.
  const inner = body.includes("`") ? body : body.replaceAll(/\r?\n(?=.)/g, (line) => line + unit);
  const before = [...head, open].join(eol + indent);
  return [{ span: [start, end], text: `${before}${eol}${indent}${unit}${inner}${eol}${indent}}` }];
}

/** Removes a statement, with its line when it has one of its own. */
export function removeStatement(text: string, at: StatementAt): readonly TextEdit[] | null {
  if (at.stands !== "block") return null;
  const [start, end] = at.stmt.span;
  const indent = indentOf(text, start);
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end));
  if (indent === null || rest === null) return [{ span: [start, end], text: "" }];
  return [{ span: [start - indent.length, end + rest[0].length], text: "" }];
}

/** The white space before an offset, when nothing else is on the line before it. */
function indentOf(text: string, offset: number): string | null {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*$/.test(line) ? line : null;
}

function endOfLine(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function afterTrailingComment(text: string, end: number): number {
  const rest = /^[ \t]*;?[ \t]*(\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?/.exec(text.slice(end));
  return end + (rest?.[0].trimEnd().length ?? 0);
}
