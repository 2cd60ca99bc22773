import {
  SyntaxKind,
  getJSDocReturnType,
  getJSDocType,
  isArrowFunction,
  isBlock,
  isFunctionDeclaration,
  isIdentifier,
  type FunctionLikeDeclaration,
  type Node,
  type ParameterDeclaration,
} from "../host/syntax.js";
import type { FunctionFacts, FunctionId, Glance, ParamFacts, Span, Stmt, TypeRef } from "../types.js";
import { declarePattern, declareStatements, declareTypeParameters, hoistVars } from "./declare-names.js";
import { glanceAt } from "./glance.js";
import {
  LazyFunction,
  LazyParam,
  type Found,
  type FunctionParts,
  type FunctionSource,
  type WrittenReturn,
} from "./lazy-facts.js";
import { lowerExpression } from "./lower-expression.js";
import { lowerBindingName, withDefault } from "./lower-pattern.js";
import { lowerStatements } from "./lower-statement.js";
import { hasModifier } from "./module-table.js";
import { Scope } from "./scope.js";
import { parameterRef, returnTypeRef, typeRef, type TypeSite } from "./type-ref.js";
import { idOf, noteBinding, noteFunction, spanOf, type Where } from "./where.js";
import { writtenData } from "./written-data.js";

/** How a function is called by people, and where its doc comment stands when that is not at its own head. */
export interface FunctionLabel {
  readonly name: string;
  readonly doc?: Node;
  /** The type that the place is given, which types parameters that say nothing: `const f: Handler = (ctx) => …`. */
  readonly type?: Node | undefined;
}

/** Notes a function in the file; gives its id. Parameters and body are lowered when they are first read. */
export function lowerFunction(node: FunctionLikeDeclaration, where: Where, label: FunctionLabel): FunctionId {
  const id = idOf(node, where);
  const fn = new LazyFunction(
    {
      id,
      name: label.name === "" ? "(anonymous)" : label.name,
      file: where.file.path,
      span: spanOf(node, where),
      nameSpan: headSpan(node, where),
      async: hasModifier(node, SyntaxKind.AsyncKeyword),
      generator: "asteriskToken" in node && node.asteriskToken !== undefined,
      arrow: isArrowFunction(node),
      owner: where.owner,
      classId: where.classId,
      declared: declaredIn(node, label.doc, where),
    },
    where.file.asking,
    node,
    new FunctionText(id, node, where, label.type),
  );
  noteFunction(fn, where);
  return id;
}

/** A function that is not lowered yet. */
class FunctionText implements FunctionSource {
  constructor(
    readonly id: FunctionId,
    readonly node: FunctionLikeDeclaration,
    readonly where: Where,
    readonly type: Node | undefined,
  ) {}

  glance(): Glance {
    return glanceAt(this.node, this.where);
  }

  lower(): FunctionParts {
    const { id, node, where } = this;
    const scope = new Scope(where.scope);
    const unit = where.file.table.unit;
    const inside: Found[] = [];
    const inner: Where = { file: where.file, found: inside, scope, owner: id, classId: null };
    const site: TypeSite = { names: where.file.names, unit, scope };
    declareTypeParameters(node.typeParameters, scope, unit);
    const head = ownName(node, inner, id);
    for (const parameter of node.parameters) declarePattern(parameter.name, scope, unit);
    const params = node.parameters
      .filter((parameter) => !isThis(parameter))
      .map((parameter, index) => lowerParam(parameter, index, inner, site, this.type));
    const body = lowerBody(node, inner);
    return {
      params,
      body: head.length === 0 ? body : [...head, ...body],
      inside,
      written: writtenReturn(node, site),
    };
  }
}

function writtenReturn(node: FunctionLikeDeclaration, site: TypeSite): WrittenReturn | null {
  const { type } = node;
  if (type === undefined && !site.unit.jsdoc) return null;
  return {
    ref: () => returnTypeRef(type ?? getJSDocReturnType(node), site),
    holds: () => (type === undefined || hasOverloads(node, site) ? "unsure" : writtenData(type, site)),
  };
}

/** What callers get is then written at the overloads, which stand beside the function where it is declared. */
function hasOverloads(node: FunctionLikeDeclaration, { unit, scope }: TypeSite): boolean {
  if (!isFunctionDeclaration(node)) return false;
  const isTopLevel = scope.parent?.parent === null;
  return (
    !isTopLevel ||
    unit.tree.statements.some(
      (other) =>
        other !== node &&
        isFunctionDeclaration(other) &&
        other.name !== undefined &&
        other.name.text === node.name?.text,
    )
  );
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

function lowerParam(
  parameter: ParameterDeclaration,
  index: number,
  inner: Where,
  site: TypeSite,
  given: Node | undefined,
): ParamFacts {
  const written = parameter.type ?? (site.unit.jsdoc ? getJSDocType(parameter) : undefined);
  const annotation =
    written !== undefined
      ? (): TypeRef | null => typeRef(written, site)
      : given !== undefined
        ? (): TypeRef | null => parameterRef(given, index, site) ?? typedByPlace(parameter, site)
        : null;
  const named = lowerBindingName(parameter.name, "param", inner, annotation);
  const pattern = withDefault(named, parameter.initializer, parameter, inner);
  const rest = parameter.dotDotDotToken !== undefined;
  return annotation === null ? { pattern, rest, annotation } : new LazyParam(pattern, rest, annotation);
}

/** What the checker makes of a parameter whose type is that of a package's function type. */
function typedByPlace(parameter: ParameterDeclaration, site: TypeSite): TypeRef | null {
  const found = site.unit.inPackage ? null : site.names.host.types.namedType(site.unit, parameter.name);
  return found === null ? null : { ...found, args: [], text: found.name };
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
