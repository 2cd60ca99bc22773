import {
  SyntaxKind,
  canHaveDecorators,
  getDecorators,
  isClassStaticBlockDeclaration,
  isComputedPropertyName,
  isConstructorDeclaration,
  isGetAccessor,
  isIdentifier,
  isMethodDeclaration,
  isPropertyDeclaration,
  isSetAccessor,
  type ClassElement,
  type ClassLikeDeclaration,
  type Node,
  type ParameterDeclaration,
} from "../host/syntax.js";
import type { ClassFacts, ClassId, ClassMember, Expr, FunctionId, Span, Stmt, TypeRef } from "../types.js";
import { declareStatements, declareTypeParameters, hoistVars } from "./declare-names.js";
import { knownParts, LazyFunction } from "./lazy-facts.js";
import { lowerExpression, lowerValue } from "./lower-expression.js";
import { lowerFunction } from "./lower-function.js";
import { lowerName } from "./lower-name.js";
import { propertyKey } from "./lower-pattern.js";
import { lowerStatements } from "./lower-statement.js";
import { hasModifier } from "./module-table.js";
import { Scope } from "./scope.js";
import { typeRef, type TypeSite } from "./type-ref.js";
import { idOf, inside, noteBinding, noteClass, noteFunction, spanOf, type Where } from "./where.js";

/** A class and what is evaluated along with its definition, beside its static members. */
export interface LoweredClass {
  readonly id: ClassId;
  /** Decorators, as calls on what they decorate. */
  readonly after: readonly Expr[];
}

/** Lowers a class with its members and notes it in the file. */
export function lowerClass(node: ClassLikeDeclaration, where: Where, label: string): LoweredClass {
  const id = idOf(node, where);
  const inner = inside(where);
  const unit = where.file.table.unit;
  const site: TypeSite = { names: where.file.names, unit, scope: inner.scope };
  declareTypeParameters(node.typeParameters, inner.scope, unit);
  const name = node.name?.text ?? (label === "" ? "(anonymous)" : label);
  if (node.kind === SyntaxKind.ClassExpression && node.name !== undefined) {
    const binding = idOf(node.name, where);
    inner.scope.bind(node.name.text, binding);
    inner.scope.types.set(node.name.text, { as: "class", id, node });
    noteBinding(binding, node.name.text, spanOf(node.name, where), "class", where, null);
  }
  const heritage = node.heritageClauses ?? [];
  const base = heritage.find((clause) => clause.token === SyntaxKind.ExtendsKeyword)?.types[0];
  const extended = base === undefined ? null : lowerExpression(base.expression, where);
  const written = heritage
    .filter((clause) => clause.token === SyntaxKind.ImplementsKeyword)
    .flatMap((clause) => [...clause.types]);
  const members = new Members(id, name, node, inner, site);
  const cls: ClassFacts = {
    id,
    name,
    file: where.file.path,
    span: spanOf(node, where),
    extends: extended,
    get implements() {
      return written.map((type) => typeRef(type, site)).filter((type) => type !== null);
    },
    constructorId: members.constructorId,
    members: members.found,
  };
  noteClass(cls, where);
  return { id, after: members.after };
}

/** Collects the members of one class. */
class Members {
  readonly found: ClassMember[] = [];
  readonly after: Expr[] = [];
  readonly constructorId: FunctionId | null = null;
  /** Field initialisers run in the constructor. */
  readonly #fields: Where;
  /** What decorators are given: the class by its name, if it has one. */
  readonly #decorated: Expr;
  constructor(
    readonly id: ClassId,
    readonly name: string,
    node: ClassLikeDeclaration,
    readonly where: Where,
    readonly site: TypeSite,
  ) {
    this.#decorated =
      node.name === undefined
        ? { k: "opaque", what: "class", parts: [], span: spanOf(node, where) }
        : lowerName(node.name, where);
    const own = node.members.find((member) => isConstructorDeclaration(member) && member.body !== undefined);
    const memberWhere: Where = { ...where, classId: id };
    if (own !== undefined && isConstructorDeclaration(own)) {
      this.constructorId = lowerFunction(own, memberWhere, { name: `${name}.constructor` });
      for (const parameter of own.parameters) this.#parameterProperty(parameter, this.constructorId);
    }
    this.#fields = { ...memberWhere, owner: this.constructorId ?? where.owner };
    this.#decorate(node, where);
    for (const member of node.members) this.#add(member, memberWhere);
  }

  #add(member: ClassElement, where: Where): void {
    this.#decorate(member, where);
    const isStatic = hasModifier(member, SyntaxKind.StaticKeyword);
    const span = spanOf(member, where);
    if (isClassStaticBlockDeclaration(member)) {
      const value = staticBlock(member, where, this.name);
      this.found.push({
        name: "(static block)",
        static: true,
        kind: "field",
        functionId: null,
        value,
        annotation: null,
        span,
      });
      return;
    }
    if (
      member.name === undefined ||
      isConstructorDeclaration(member) ||
      hasModifier(member, SyntaxKind.DeclareKeyword)
    )
      return;
    const name = this.#memberName(member.name, where, span);
    if (isPropertyDeclaration(member)) {
      const type = member.type;
      const value = member.initializer;
      const at = isStatic ? where : this.#fields;
      this.#push(
        name,
        isStatic,
        "field",
        null,
        span,
        () => typeRef(type, this.site),
        () =>
          value === undefined
            ? null
            : lowerValue(value, at, { name: `${this.name}.${name}`, doc: member, type }),
      );
    } else if (isMethodDeclaration(member) || isGetAccessor(member) || isSetAccessor(member)) {
      const kind = isMethodDeclaration(member) ? "method" : isGetAccessor(member) ? "get" : "set";
      const hasBody = member.body !== undefined;
      // A signature that is followed by its implementation is an overload.
      if (!hasBody && !hasModifier(member, SyntaxKind.AbstractKeyword)) return;
      const functionId = hasBody ? lowerFunction(member, where, { name: `${this.name}.${name}` }) : null;
      this.#push(name, isStatic, kind, functionId, span, null, () => null);
    }
  }

  #push(
    name: string,
    isStatic: boolean,
    kind: ClassMember["kind"],
    functionId: FunctionId | null,
    span: Span,
    annotation: (() => TypeRef | null) | null,
    value: () => Expr | null,
  ): void {
    this.found.push({
      name,
      static: isStatic,
      kind,
      functionId,
      value: value(),
      get annotation() {
        return annotation === null ? null : annotation();
      },
      span,
    });
  }

  /** A computed name is evaluated when the class is defined. */
  #memberName(name: Node, where: Where, span: Span): string {
    if (!isComputedPropertyName(name))
      return "text" in name && typeof name.text === "string" ? name.text : "";
    const { key, computed } = propertyKey(name, where);
    if (key !== null) return key;
    this.found.push({
      name: "(computed name)",
      static: true,
      kind: "field",
      functionId: null,
      value: computed,
      annotation: null,
      span,
    });
    return "(computed)";
  }

  /** `constructor(private readonly db: Pool)` declares a field with the argument's value. */
  #parameterProperty(parameter: ParameterDeclaration, constructorId: FunctionId): void {
    const { name, type } = parameter;
    if (!isIdentifier(name) || !PROPERTY_MODIFIERS.some((kind) => hasModifier(parameter, kind))) return;
    const scope = new Scope(this.where.scope);
    scope.bind(name.text, idOf(name, this.where));
    const at: Where = { ...this.where, scope, owner: constructorId };
    this.#push(
      name.text,
      false,
      "field",
      null,
      spanOf(parameter, this.where),
      () => typeRef(type, this.site),
      () => lowerName(name, at),
    );
  }

  #decorate(node: Node, where: Where): void {
    for (const decorator of canHaveDecorators(node) ? (getDecorators(node) ?? []) : []) {
      const span = spanOf(decorator, where);
      const target = this.#decorated;
      this.after.push({
        k: "call",
        form: "call",
        callee: lowerExpression(decorator.expression, where),
        args: [{ value: target, spread: false }],
        optional: false,
        typeArgs: [],
        span,
      });
    }
  }
}

const PROPERTY_MODIFIERS = [
  SyntaxKind.PublicKeyword,
  SyntaxKind.PrivateKeyword,
  SyntaxKind.ProtectedKeyword,
  SyntaxKind.ReadonlyKeyword,
  SyntaxKind.OverrideKeyword,
];

/** `static { … }` is a function of the class that is called once, when the class is defined. */
function staticBlock(node: ClassElement, where: Where, className: string): Expr {
  const span = spanOf(node, where);
  const id = idOf(node, where);
  const inner: Where = { ...inside(where), owner: id, classId: null };
  let body: readonly Stmt[] = [];
  if (isClassStaticBlockDeclaration(node)) {
    hoistVars(node.body, inner.scope, where.file.table.unit);
    declareStatements(node.body.statements, inner.scope, where.file.table.unit);
    body = lowerStatements(node.body.statements, inner);
  }
  const known = {
    name: `${className}.static`,
    file: where.file.path,
    span,
    nameSpan: [span[0], span[0] + "static".length],
  } as const;
  const kind = { async: false, generator: false, arrow: false, declared: null };
  noteFunction(
    new LazyFunction(
      { id, ...known, ...kind, owner: where.owner, classId: where.classId },
      null,
      null,
      knownParts(body),
    ),
    where,
  );
  const callee: Expr = { k: "function", id, span };
  return { k: "call", form: "call", callee, args: [], optional: false, typeArgs: [], span };
}
