import {
  SyntaxKind,
  getJSDocReturnType,
  getJSDocType,
  isArrowFunction,
  isBlock,
  isIdentifier,
  type FunctionLikeDeclaration,
  type Node,
  type ParameterDeclaration,
} from "../host/syntax.js";
import type { FunctionFacts, FunctionId, ParamFacts, Span, Stmt, TypeRef } from "../types.js";
import { declarePattern, declareStatements, declareTypeParameters, hoistVars } from "./declare-names.js";
import { LazyFunction, LazyParam } from "./lazy-facts.js";
import { lowerExpression } from "./lower-expression.js";
import { lowerBindingName, withDefault } from "./lower-pattern.js";
import { lowerStatements } from "./lower-statement.js";
import { hasModifier } from "./module-table.js";
import { Scope } from "./scope.js";
import { returnTypeRef, typeRef, type TypeSite } from "./type-ref.js";
import { idOf, noteBinding, spanOf, type Where } from "./where.js";

/** How a function is called by people, and where its doc comment stands when that is not at its own head. */
export interface FunctionLabel {
  readonly name: string;
  readonly doc?: Node;
}

/** Lowers a function with its body and notes it in the file; gives its id. */
export function lowerFunction(node: FunctionLikeDeclaration, where: Where, label: FunctionLabel): FunctionId {
  const id = idOf(node, where);
  const scope = new Scope(where.scope);
  const unit = where.file.table.unit;
  const inner: Where = { ...where, scope, owner: id, classId: null };
  const site: TypeSite = { names: where.file.names, unit, scope };
  declareTypeParameters(node.typeParameters, scope, unit);
  const head = ownName(node, inner, id);
  for (const parameter of node.parameters) declarePattern(parameter.name, scope, unit);
  const params = node.parameters
    .filter((parameter) => !isThis(parameter))
    .map((parameter) => lowerParam(parameter, inner, site));
  where.file.functions.push(
    new LazyFunction(
      {
        id,
        name: label.name === "" ? "(anonymous)" : label.name,
        file: where.file.path,
        span: spanOf(node, where),
        nameSpan: headSpan(node, where),
        async: hasModifier(node, SyntaxKind.AsyncKeyword),
        generator: "asteriskToken" in node && node.asteriskToken !== undefined,
        arrow: isArrowFunction(node),
        params,
        body: [...head, ...lowerBody(node, inner)],
        owner: where.owner,
        classId: where.classId,
        declared: declaredIn(node, label.doc, where),
      },
      where.file.asking,
      node,
      node.type === undefined && !unit.jsdoc
        ? null
        : () => returnTypeRef(node.type ?? (unit.jsdoc ? getJSDocReturnType(node) : undefined), site),
    ),
  );
  return id;
}

function isThis(parameter: ParameterDeclaration): boolean {
  return isIdentifier(parameter.name) && parameter.name.text === "this";
}

/** A function expression's own name is a name inside it. */
function ownName(node: FunctionLikeDeclaration, inner: Where, id: FunctionId): Stmt[] {
  if (node.kind !== SyntaxKind.FunctionExpression || node.name === undefined || !isIdentifier(node.name))
    return [];
  const binding = idOf(node.name, inner);
  const span = spanOf(node.name, inner);
  inner.scope.bind(node.name.text, binding);
  noteBinding(binding, node.name.text, span, "function", inner, null);
  return [{ s: "function", binding, id, span }];
}

function lowerParam(parameter: ParameterDeclaration, inner: Where, site: TypeSite): ParamFacts {
  const { jsdoc } = site.unit;
  const annotation =
    parameter.type === undefined && !jsdoc
      ? null
      : (): TypeRef | null => typeRef(parameter.type ?? (jsdoc ? getJSDocType(parameter) : undefined), site);
  const named = lowerBindingName(parameter.name, "param", inner, annotation);
  const pattern = withDefault(named, parameter.initializer, parameter, inner);
  const rest = parameter.dotDotDotToken !== undefined;
  return annotation === null ? { pattern, rest, annotation } : new LazyParam(pattern, rest, annotation);
}

function lowerBody(node: FunctionLikeDeclaration, inner: Where): readonly Stmt[] {
  const { body } = node;
  if (body === undefined) return [];
  if (!isBlock(body))
    return [{ s: "return", value: lowerExpression(body, inner), span: spanOf(body, inner) }];
  hoistVars(body, inner.scope, inner.file.table.unit);
  declareStatements(body.statements, inner.scope, inner.file.table.unit);
  return lowerStatements(body.statements, inner);
}

/** What a chain points at: the name, or an arrow's parameters. */
function headSpan(node: FunctionLikeDeclaration, where: Where): Span {
  if (node.name !== undefined) return spanOf(node.name, where);
  const [start, end] = spanOf(node, where);
  if (isArrowFunction(node)) return [start, node.equalsGreaterThanToken.end];
  const { text } = where.file.table.unit;
  const close =
    node.body === undefined
      ? end
      : text.lastIndexOf(")", node.body.getStart(where.file.table.unit.tree, false)) + 1;
  return [start, Math.max(start, close)];
}

/** `@stepproof pure` or `@stepproof effectful` in a comment before the function or before what declares it. */
function declaredIn(node: Node, doc: Node | undefined, where: Where): FunctionFacts["declared"] {
  const { text, tree } = where.file.table.unit;
  for (const at of doc === undefined ? [node] : [doc, node]) {
    // Before a node's start there are only blanks and comments.
    const tag = /@stepproof\s+(pure|effectful)\b/.exec(text.slice(at.pos, at.getStart(tree, false)))?.[1];
    if (tag === "pure" || tag === "effectful") return tag;
  }
  return null;
}
