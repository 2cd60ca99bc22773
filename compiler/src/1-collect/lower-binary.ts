import {
  SyntaxKind,
  isBinaryExpression,
  isIdentifier,
  type BinaryExpression,
  type Expression,
  type Node,
} from "../host/syntax.js";
import type { Expr, Pattern } from "../types.js";
import { exportedName, isVoid, lastValue } from "./commonjs.js";
import { lowerExpression, lowerValue } from "./lower-expression.js";
import { lowerTarget } from "./lower-pattern.js";
import { spanOf, type Where } from "./where.js";

/** Operators, assignments and commas. Long chains (`a + b + …`) are walked, not recursed into. */
export function lowerBinary(node: Expression, where: Where): Expr {
  const chain: BinaryExpression[] = [];
  let leftmost: Expression = node;
  while (isBinaryExpression(leftmost) && !isAssignment(leftmost.operatorToken.kind)) {
    chain.push(leftmost);
    leftmost = leftmost.left;
  }
  let left = isBinaryExpression(leftmost)
    ? lowerAssignment(leftmost, where)
    : lowerExpression(leftmost, where);
  for (const operation of chain.reverse()) left = combine(operation, left, where);
  return left;
}

function combine(node: BinaryExpression, left: Expr, where: Where): Expr {
  const span = spanOf(node, where);
  const right = lowerExpression(node.right, where);
  const op = operatorText(node.operatorToken, where);
  switch (node.operatorToken.kind) {
    case SyntaxKind.AmpersandAmpersandToken:
      return { k: "logical", op: "&&", left, right, span };
    case SyntaxKind.BarBarToken:
      return { k: "logical", op: "||", left, right, span };
    case SyntaxKind.QuestionQuestionToken:
      return { k: "logical", op: "??", left, right, span };
    case SyntaxKind.CommaToken:
      return { k: "sequence", items: left.k === "sequence" ? [...left.items, right] : [left, right], span };
    default:
      return { k: "binary", op, left, right, span };
  }
}

function operatorText(token: Node, where: Where): string {
  const { unit } = where.file.table;
  return unit.text.slice(token.getStart(unit.tree, false), token.end);
}

function isAssignment(kind: number): boolean {
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

function lowerAssignment(node: BinaryExpression, where: Where): Expr {
  const span = spanOf(node, where);
  const name = isIdentifier(node.left) ? node.left.text : "";
  const exported = exportTarget(node, where);
  if (exported === "value" || (exported !== null && isVoid(lastValue(node))))
    return lowerExpression(node.right, where);
  const target = exported ?? lowerTarget(node.left, where);
  const label = exported === null ? name : (exportedName(node.left) ?? "");
  return {
    k: "assign",
    op: operatorText(node.operatorToken, where),
    target,
    value: lowerValue(node.right, where, { name: label }),
    span,
  };
}

/**
 * `exports.x = value` gives the export's binding its value; where the export is a name of the file, only the value
 * is evaluated. `null` when this is no such assignment.
 */
function exportTarget(node: BinaryExpression, where: Where): Pattern | "value" | null {
  const { table } = where.file;
  if (!table.commonJs || where.scope.value("exports") !== null || where.scope.value("module") !== null)
    return null;
  const name = exportedName(node.left);
  if (name === null) return null;
  const exported = name === "module.exports" ? table.whole : table.exports.get(name);
  if (exported?.as !== "value") return "value";
  return { p: "binding", id: exported.id, span: spanOf(node.left, where) };
}
