import {
  SyntaxKind,
  isBinaryExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteralLike,
  type Node,
} from "../host/syntax.js";
import type { Glance } from "../types.js";
import type { Where } from "./where.js";

/** What can be read of a node of any kind. */
interface Parts extends Node {
  readonly expression?: Node;
  readonly operand?: Node;
  readonly operator?: number;
  readonly initializer?: Node;
  readonly argumentExpression?: Node;
  readonly tag?: Node;
  readonly arguments?: readonly Node[];
  readonly typeArguments?: readonly Node[];
}

/**
 * What the text of a function can do at most: a walk over its tree that resolves no name but by the scope around it.
 * A name that is declared inside and around counts as the one around.
 */
export function glanceAt(node: Node, where: Where): Glance {
  const { scope, file } = where;
  const mayRequire = file.table.unit.text.includes("require");
  const methods = new Set<string>();
  const found = { assigns: false, typedCalls: false, classes: false };

  /** Whether what stands left of dots and brackets is declared outside. */
  const isOutside = (target: Node): boolean => {
    for (let at: Parts = target; ;) {
      if (isIdentifier(at))
        return scope.value(at.text) !== null || at.text === "exports" || at.text === "module";
      if (OWN.has(at.kind) || PATTERNS.has(at.kind)) return true;
      if (!LEADS_ON.has(at.kind) || at.expression === undefined) return false;
      at = at.expression;
    }
  };
  const change = (target: Node | undefined): void => {
    if (target !== undefined && !found.assigns) found.assigns = isOutside(target);
  };
  const call = (callee: Parts | undefined, args: readonly Node[] = []): void => {
    if (callee?.expression === undefined) return;
    const name = isPropertyAccessExpression(callee)
      ? callee.name.text
      : callee.argumentExpression !== undefined && isStringLiteralLike(callee.argumentExpression)
        ? callee.argumentExpression.text
        : null;
    if (name === null) return;
    if (isOutside(callee.expression)) methods.add(name);
    const [first] = args;
    if (isIdentifier(callee.expression) && first !== undefined && isOutside(first))
      methods.add(`${callee.expression.text}.${name}`);
  };
  const typed = (callee: Parts | undefined, given: readonly Node[] = []): void => {
    if (callee === undefined || given.length === 0) return;
    let at: Parts = callee;
    while (LEADS_ON.has(at.kind) && !isPropertyAccessExpression(at) && at.expression) at = at.expression;
    if (isIdentifier(at)) found.typedCalls ||= mayRequire || scope.value(at.text)?.as === "import";
  };
  const visit = (given: Node): void => {
    let at: Parts = given;
    // Long chains (`a + b + …`) are walked, not recursed into.
    for (; isBinaryExpression(at); at = at.left) {
      const { kind } = at.operatorToken;
      if (kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment) change(at.left);
      visit(at.right);
    }
    if (at.kind < SyntaxKind.FirstNode || isTypeNode(at)) return;
    look(at);
    at.forEachChild(visit);
  };
  const look = (at: Parts): void => {
    switch (at.kind) {
      case SyntaxKind.CallExpression:
        call(at.expression, at.arguments);
        return typed(at.expression, at.typeArguments);
      case SyntaxKind.NewExpression:
        return typed(at.expression, at.typeArguments);
      case SyntaxKind.TaggedTemplateExpression:
        return typed(at.tag, at.typeArguments);
      case SyntaxKind.DeleteExpression:
        return change(at.expression);
      case SyntaxKind.PrefixUnaryExpression:
      case SyntaxKind.PostfixUnaryExpression:
        if (at.operator === SyntaxKind.PlusPlusToken || at.operator === SyntaxKind.MinusMinusToken)
          change(at.operand);
        return;
      case SyntaxKind.ForOfStatement:
      case SyntaxKind.ForInStatement:
        return change(at.initializer);
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.ClassExpression:
        found.classes = true;
        return;
      // Lowered as assignments.
      case SyntaxKind.ModuleDeclaration:
      case SyntaxKind.EnumDeclaration:
        found.assigns = true;
        return;
      default:
    }
  };
  node.forEachChild(visit);
  return { ...found, methods };
}

const OWN: ReadonlySet<number> = new Set([SyntaxKind.ThisKeyword, SyntaxKind.SuperKeyword]);
const PATTERNS: ReadonlySet<number> = new Set([
  SyntaxKind.ArrayLiteralExpression,
  SyntaxKind.ObjectLiteralExpression,
]);
const LEADS_ON: ReadonlySet<number> = new Set([
  SyntaxKind.PropertyAccessExpression,
  SyntaxKind.ElementAccessExpression,
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.NonNullExpression,
  SyntaxKind.AsExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.TypeAssertionExpression,
]);

const isTypeNode = ({ kind }: Node): boolean =>
  kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode;
