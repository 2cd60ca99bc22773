import {
  SyntaxKind,
  getJSDocType,
  isArrowFunction,
  isCallExpression,
  isClassLike,
  isFunctionExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isOmittedExpression,
  isPropertyAccessExpression,
  isSpreadElement,
  isStringLiteralLike,
  type CallExpression,
  type ElementAccessExpression,
  type Expression,
  type NewExpression,
  type Node,
  type PropertyAccessExpression,
  type TemplateExpression,
} from "../host/syntax.js";
import type { ArgFacts, CallExpr, Expr, Span } from "../types.js";
import { exportedName } from "./commonjs.js";
import { LazyCall, LazyImport, LazyMember } from "./lazy-facts.js";
import { lowerBinary } from "./lower-binary.js";
import { lowerCast } from "./lower-cast.js";
import { lowerClass } from "./lower-class.js";
import { lowerFunction, type FunctionLabel } from "./lower-function.js";
import { isJsx, lowerJsx } from "./lower-jsx.js";
import { lowerName } from "./lower-name.js";
import { lowerObject } from "./lower-object.js";
import { lowerTarget } from "./lower-pattern.js";
import { requiredSpecifier } from "./require-call.js";
import { nameExpr, spanOf, type Where } from "./where.js";

/** A value that has a name for people: a function or class takes it when it has none of its own. */
export function lowerValue(node: Expression, where: Where, label: FunctionLabel): Expr {
  const span = spanOf(node, where);
  if (isArrowFunction(node) || isFunctionExpression(node)) {
    const own = isFunctionExpression(node) && node.name !== undefined ? node.name.text : label.name;
    return { k: "function", id: lowerFunction(node, where, { ...label, name: own }), span };
  }
  if (isClassLike(node)) return classExpression(node, where, label.name, span);
  if (node.kind === SyntaxKind.ParenthesizedExpression && getCast(node, where) === null) {
    return lowerValue((node as Expression & { expression: Expression }).expression, where, label);
  }
  if (node.kind === SyntaxKind.SatisfiesExpression) {
    const { expression, type } = node as Expression & { expression: Expression; type: Node };
    return lowerValue(expression, where, { ...label, type });
  }
  return lowerExpression(node, where);
}

function classExpression(node: Expression, where: Where, label: string, span: Span): Expr {
  if (!isClassLike(node)) return lowerExpression(node, where);
  const { id, after } = lowerClass(node, where, label);
  const value: Expr = { k: "class", id, span };
  return after.length === 0 ? value : { k: "sequence", items: [...after, value], span };
}

/** The type of a JSDoc cast: `@type {X}` in a comment before parentheses. */
function getCast(node: Node, where: Where): Node | null {
  return where.file.table.unit.jsdoc ? (getJSDocType(node) ?? null) : null;
}

/** Lowers one expression: parentheses, `!`, `satisfies` and instantiations are gone, names are resolved. */
export function lowerExpression(node: Expression, where: Where): Expr {
  if (isIdentifier(node)) return lowerName(node, where);
  if (isPropertyAccessExpression(node)) return lowerAccess(node, where);
  if (isCallExpression(node)) return lowerCall(node, where);
  const span = spanOf(node, where);
  switch (node.kind) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      return { k: "literal", value: (node as Expression & { text: string }).text, type: "string", span };
    case SyntaxKind.NumericLiteral:
      return {
        k: "literal",
        value: Number((node as Expression & { text: string }).text),
        type: "number",
        span,
      };
    case SyntaxKind.BigIntLiteral:
      return { k: "literal", value: (node as Expression & { text: string }).text, type: "bigint", span };
    case SyntaxKind.RegularExpressionLiteral:
      return { k: "literal", value: (node as Expression & { text: string }).text, type: "regex", span };
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
      return { k: "literal", value: node.kind === SyntaxKind.TrueKeyword, type: "boolean", span };
    case SyntaxKind.NullKeyword:
      return { k: "literal", value: null, type: "null", span };
    case SyntaxKind.ThisKeyword:
      return { k: "this", span };
    case SyntaxKind.SuperKeyword:
      return { k: "super", span };
    case SyntaxKind.TemplateExpression:
      return lowerTemplate(node as TemplateExpression, where);
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ClassExpression:
      return lowerValue(node, where, { name: "" });
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.NonNullExpression:
    case SyntaxKind.SatisfiesExpression:
    case SyntaxKind.ExpressionWithTypeArguments:
    case SyntaxKind.AsExpression:
    case SyntaxKind.TypeAssertionExpression:
      return lowerCast(node as Expression & { expression: Expression }, getCast(node, where), where);
    case SyntaxKind.ElementAccessExpression:
      return lowerElementAccess(node as ElementAccessExpression, where);
    case SyntaxKind.NewExpression:
      return lowerNew(node as NewExpression, where);
    case SyntaxKind.TaggedTemplateExpression:
      return lowerTagged(node, where);
    case SyntaxKind.BinaryExpression:
      return lowerBinary(node, where);
    default:
      return lowerRest(node, where, span);
  }
}

interface Parts {
  readonly expression?: Expression;
  readonly operand?: Expression;
  readonly operator?: number;
  readonly asteriskToken?: Node;
  readonly condition?: Expression;
  readonly whenTrue?: Expression;
  readonly whenFalse?: Expression;
  readonly elements?: readonly Expression[];
  readonly keywordToken?: number;
  readonly name?: { readonly text: string };
}

const UNARY: ReadonlyMap<number, string> = new Map([
  [SyntaxKind.ExclamationToken, "!"],
  [SyntaxKind.MinusToken, "-"],
  [SyntaxKind.PlusToken, "+"],
  [SyntaxKind.TildeToken, "~"],
  [SyntaxKind.TypeOfExpression, "typeof"],
  [SyntaxKind.VoidExpression, "void"],
  [SyntaxKind.DeleteExpression, "delete"],
]);

function lowerRest(node: Expression, where: Where, span: Span): Expr {
  if (isObjectLiteralExpression(node)) return lowerObject(node, where);
  if (isJsx(node)) return lowerJsx(node, where);
  const parts = node as Expression & Parts;
  const lower = (part: Expression | undefined): Expr =>
    part === undefined ? { k: "opaque", what: "missing", parts: [], span } : lowerExpression(part, where);
  switch (node.kind) {
    case SyntaxKind.ArrayLiteralExpression:
      return { k: "array", items: lowerArguments(parts.elements ?? [], where), span };
    case SyntaxKind.PrefixUnaryExpression:
    case SyntaxKind.PostfixUnaryExpression: {
      const { operator = 0, operand } = parts;
      if (operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken) {
        if (operand === undefined) return lower(operand);
        const op = operator === SyntaxKind.PlusPlusToken ? "+=" : "-=";
        return {
          k: "assign",
          op,
          target: lowerTarget(operand, where),
          value: { k: "literal", value: 1, type: "number", span },
          span,
        };
      }
      return { k: "unary", op: UNARY.get(operator) ?? "?", operand: lower(operand), span };
    }
    case SyntaxKind.TypeOfExpression:
    case SyntaxKind.VoidExpression:
    case SyntaxKind.DeleteExpression:
      return { k: "unary", op: UNARY.get(node.kind) ?? "?", operand: lower(parts.expression), span };
    case SyntaxKind.AwaitExpression:
      return { k: "await", operand: lower(parts.expression), span };
    case SyntaxKind.YieldExpression: {
      const operand = parts.expression === undefined ? null : lower(parts.expression);
      return { k: "yield", operand, delegate: parts.asteriskToken !== undefined, span };
    }
    case SyntaxKind.ConditionalExpression:
      return {
        k: "conditional",
        test: lower(parts.condition),
        then: lower(parts.whenTrue),
        else: lower(parts.whenFalse),
        span,
      };
    case SyntaxKind.SpreadElement:
      return lower(parts.expression);
    case SyntaxKind.MetaProperty:
      return {
        k: "opaque",
        what: parts.keywordToken === SyntaxKind.NewKeyword ? "new.target" : "import.meta",
        parts: [],
        span,
      };
    default:
      return lowerUnknown(node, where, span);
  }
}

/** A kind of expression that this version does not know: what can be found below it is still evaluated. */
function lowerUnknown(node: Expression, where: Where, span: Span): Expr {
  const parts: Expr[] = [];
  if (node.kind !== SyntaxKind.OmittedExpression) {
    node.forEachChild((child) => {
      if (isIdentifier(child) || isCallExpression(child)) parts.push(lowerExpression(child, where));
    });
  }
  return { k: "opaque", what: SyntaxKind[node.kind] ?? "unknown", parts, span };
}

/** Arguments or array items; a hole is `undefined`. */
export function lowerArguments(nodes: readonly Expression[], where: Where): ArgFacts[] {
  return nodes.map((node) => {
    if (isSpreadElement(node)) return { value: lowerExpression(node.expression, where), spread: true };
    if (isOmittedExpression(node)) {
      return {
        value: nameExpr("undefined", { to: "global", name: "undefined" }, spanOf(node, where)),
        spread: false,
      };
    }
    return { value: lowerExpression(node, where), spread: false };
  });
}

function lowerTemplate(node: TemplateExpression, where: Where): Expr {
  const quasis = [node.head.text, ...node.templateSpans.map((part) => part.literal.text)];
  const parts = node.templateSpans.map((part) => lowerExpression(part.expression, where));
  return { k: "template", quasis, parts, span: spanOf(node, where) };
}

/** The first argument stands for the strings; parts are the further arguments, so that each is evaluated once. */
function lowerTagged(node: Node, where: Where): Expr {
  const { tag, template, typeArguments } = node as Node & {
    tag: Expression;
    template: Expression;
    typeArguments?: readonly Node[];
  };
  const lowered = lowerExpression(template, where);
  const parts = lowered.k === "template" ? lowered.parts : [];
  const strings: Expr =
    lowered.k === "template"
      ? { k: "template", quasis: [lowered.quasis.join("…")], parts: [], span: lowered.span }
      : lowered;
  const args = [strings, ...parts].map((value) => ({ value, spread: false }));
  return callExpr(spanOf(node, where), "tag", lowerExpression(tag, where), args, false, typeArguments, where);
}

function lowerAccess(node: PropertyAccessExpression, where: Where): Expr {
  const exported = lowerExports(node, where);
  if (exported !== null) return exported;
  const optional = node.questionDotToken !== undefined;
  const object = lowerExpression(node.expression, where);
  return new LazyMember(
    spanOf(node, where),
    object,
    node.name.text,
    null,
    optional,
    spanOf(node.name, where),
    where.file.asking,
    node.name,
  );
}

/** `exports.x` and `module.exports.x` of a CommonJS file are names of the file. */
function lowerExports(node: Expression, where: Where): Expr | null {
  const { table, names, path } = where.file;
  if (!table.commonJs || where.scope.value("exports") !== null || where.scope.value("module") !== null)
    return null;
  const name = exportedName(node);
  if (name === null) return null;
  const ref = name === "module.exports" ? names.whole(path) : names.exported(path, name);
  return ref === null ? null : nameExpr(name, ref, spanOf(node, where));
}

function lowerElementAccess(node: ElementAccessExpression, where: Where): Expr {
  const exported = lowerExports(node, where);
  if (exported !== null) return exported;
  const argument = node.argumentExpression;
  const known = isStringLiteralLike(argument) || argument.kind === SyntaxKind.NumericLiteral;
  const property = known ? (argument as Node & { text: string }).text : null;
  const object = lowerExpression(node.expression, where);
  const computed = known ? null : lowerExpression(argument, where);
  const optional = node.questionDotToken !== undefined;
  return new LazyMember(
    spanOf(node, where),
    object,
    property,
    computed,
    optional,
    spanOf(argument, where),
    where.file.asking,
    argument,
  );
}

function callExpr(
  span: Span,
  form: CallExpr["form"],
  callee: Expr,
  args: readonly ArgFacts[],
  optional: boolean,
  typeArguments: readonly Node[] | undefined,
  where: Where,
): CallExpr {
  const { asking } = where.file;
  if (typeArguments === undefined || asking === null)
    return { k: "call", form, callee, args, optional, typeArgs: [], span };
  return new LazyCall(span, form, callee, args, optional, () =>
    typeArguments.map((node) => asking.types.writtenType(asking.unit, node)).filter((type) => type !== null),
  );
}

function lowerCall(node: CallExpression, where: Where): Expr {
  const span = spanOf(node, where);
  if (node.expression.kind === SyntaxKind.ImportKeyword) return lowerImport(node, where);
  const specifier = requiredSpecifier(node, where.scope);
  if (specifier !== null) {
    const ref = where.file.names.imported({ specifier, name: "*", how: "require" }, where.file.path);
    return nameExpr(`require(${JSON.stringify(specifier)})`, ref, span);
  }
  const callee = lowerExpression(node.expression, where);
  const args = lowerArguments(node.arguments, where);
  return callExpr(span, "call", callee, args, node.questionDotToken !== undefined, node.typeArguments, where);
}

function lowerImport(node: CallExpression, where: Where): Expr {
  const span = spanOf(node, where);
  const [argument] = node.arguments;
  if (argument === undefined) return { k: "opaque", what: "missing", parts: [], span };
  const { names, path } = where.file;
  const specifier = isStringLiteralLike(argument) ? argument.text : null;
  return new LazyImport(span, lowerExpression(argument, where), () =>
    specifier === null ? null : names.imported({ specifier, name: "*", how: "import" }, path),
  );
}

function lowerNew(node: NewExpression, where: Where): Expr {
  const callee = lowerExpression(node.expression, where);
  const args = lowerArguments(node.arguments ?? [], where);
  return callExpr(spanOf(node, where), "new", callee, args, false, node.typeArguments, where);
}
