import type ts from "typescript";
import type { MemberDecl } from "../types.js";
import type { Asked } from "./checker-questions.js";
import { moduleOfDeclaration, typeNameAround } from "./declared-where.js";
import { nodeId } from "./source-unit.js";
import { isProgramPath, type ModelSymbol, type Syntax } from "./type-model.js";

/**
 * What a property access stands for, by its types: the functions of the program that it can call (the method, its
 * overrides, implementations of the interface), or a member of a type of a package or of the platform.
 */
export function memberDecl(asked: Asked, name: ts.Node): MemberDecl | null {
  const symbol = resolved(name, asked);
  // What an index signature allows is declared nowhere; some checkers give the signature for it.
  if (symbol === undefined || symbol.name === "__index") return null;
  const declarations = asked.declarations(symbol);
  const own = declarations.filter((declared) => isProgramPath(declared.path));
  if (own.length > 0) {
    if (!canRun(symbol, name, asked)) return null;
    const functions = new Set(
      own.flatMap((declared) => implementations(declared.node(), symbol.name, asked)),
    );
    return functions.size === 0 ? null : { in: "program", functions: [...functions].sort() };
  }
  return external(
    declarations.map((declared) => declared.node()),
    name,
    symbol.name,
    asked,
  );
}

/** False for data: reading it runs nothing, and what is in it its values tell. */
function canRun(symbol: ModelSymbol, at: ts.Node, asked: Asked): boolean {
  if (asked.is(symbol, "function")) return true;
  const type = asked.nonNullable(asked.typeOfSymbol(symbol, at));
  const parts = asked.kindOf(type) === "union" ? asked.partsOf(type) : [type];
  return parts.some((part) => asked.callResults(part).length > 0);
}

/** What a name stands for; behind an import, what is imported. */
function resolved(name: ts.Node, asked: Asked): ModelSymbol | undefined {
  const [symbol] = asked.symbolsAt([name]);
  return symbol && asked.aliased(symbol);
}

function implementations(declaration: ts.Node, member: string, asked: Asked): string[] {
  const { syntax } = asked;
  const found = functionsOf(declaration, asked);
  const { parent } = declaration;
  if (
    !syntax.isClassLike(parent) &&
    !syntax.isInterfaceDeclaration(parent) &&
    !syntax.isTypeLiteralNode(parent)
  )
    return found;
  const owner = ownerSymbol(parent, asked);
  if (owner === undefined) return found;
  for (const heir of asked.implementations.below(owner))
    found.push(...functionsOfSymbol(asked.ownMember(heir, member), asked));
  if (!syntax.isClassLike(parent)) {
    for (const literal of asked.implementations.literals(owner, member))
      found.push(...functionsOfSymbol(asked.member(literal, member), asked));
  }
  return found;
}

function ownerSymbol(
  parent: ts.ClassLikeDeclaration | ts.InterfaceDeclaration | ts.TypeLiteralNode,
  asked: Asked,
): ModelSymbol | undefined {
  if (asked.syntax.isTypeLiteralNode(parent)) {
    const alias = parent.parent;
    return asked.syntax.isTypeAliasDeclaration(alias) ? asked.symbolsAt([alias.name])[0] : undefined;
  }
  const { name } = parent;
  return name === undefined ? asked.typeAt(parent).getSymbol() : asked.symbolsAt([name])[0];
}

function functionsOfSymbol(symbol: ModelSymbol | undefined, asked: Asked, depth = 0): string[] {
  if (symbol === undefined) return [];
  return asked
    .declarations(symbol)
    .filter((declared) => isProgramPath(declared.path))
    .flatMap((declared) => functionsOf(declared.node(), asked, depth));
}

/** The functions that one declaration of a member holds: a body of its own, or the function it is given. */
function functionsOf(declaration: ts.Node, asked: Asked, depth = 0): string[] {
  const { syntax } = asked;
  const file = declaration.getSourceFile();
  if (depth > 5) return [];
  if (
    syntax.isMethodDeclaration(declaration) ||
    syntax.isGetAccessor(declaration) ||
    syntax.isSetAccessor(declaration) ||
    syntax.isFunctionDeclaration(declaration)
  ) {
    return declaration.body === undefined ? [] : [nodeId(file.fileName, declaration, file)];
  }
  if (syntax.isShorthandPropertyAssignment(declaration)) {
    const value = asked.shorthandValue(declaration);
    return functionsOfSymbol(value && asked.aliased(value), asked, depth + 1);
  }
  if (
    !syntax.isPropertyDeclaration(declaration) &&
    !syntax.isPropertyAssignment(declaration) &&
    !syntax.isVariableDeclaration(declaration)
  )
    return [];
  let value = declaration.initializer;
  while (
    value !== undefined &&
    (syntax.isParenthesizedExpression(value) ||
      syntax.isAsExpression(value) ||
      syntax.isSatisfiesExpression(value))
  ) {
    value = value.expression;
  }
  if (value === undefined) return [];
  if (syntax.isArrowFunction(value) || syntax.isFunctionExpression(value))
    return [nodeId(file.fileName, value, file)];
  if (!syntax.isIdentifier(value)) return [];
  return functionsOfSymbol(resolved(value, asked), asked, depth + 1);
}

/** A member of a type outside the program: by the type of the object, and by the type that declares it if that differs. */
function external(
  declarations: readonly ts.Node[],
  name: ts.Node,
  member: string,
  asked: Asked,
): MemberDecl | null {
  const declaring = declaringType(declarations, asked);
  if (declaring === null) return null;
  const named = namedReceiver(name, asked);
  if (named === null)
    return declaring.type === null ? null : { in: "external", ...declaring, type: declaring.type, member };
  const type = typeName(named, asked.syntax);
  const module = moduleOfDeclaration(named, asked);
  if (declaring.type === null || (declaring.type === type && declaring.module === module))
    return { in: "external", module, type, member };
  return {
    in: "external",
    module,
    type,
    member,
    declaredIn: { module: declaring.module, type: declaring.type },
  };
}

/** Of the types that declare a member of a union, the first by name: checkers list them in different orders. */
function declaringType(
  declarations: readonly ts.Node[],
  asked: Asked,
): { readonly module: string; readonly type: string | null } | null {
  const all = declarations.map((node) => ({
    module: moduleOfDeclaration(node, asked),
    type: typeNameAround(node, asked.syntax),
  }));
  const key = (one: (typeof all)[number]): string => `${one.module}#${one.type ?? ""}`;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1))[0] ?? null;
}

/** The class or interface of the object, when that is declared outside the program. */
function namedReceiver(
  name: ts.Node,
  asked: Asked,
): ts.ClassLikeDeclaration | ts.InterfaceDeclaration | null {
  const { syntax } = asked;
  const access = name.parent as ts.Node | undefined;
  if (
    access === undefined ||
    !(syntax.isPropertyAccessExpression(access) || syntax.isElementAccessExpression(access))
  )
    return null;
  const receiver = asked.apparent(asked.nonNullable(asked.typeAt(access.expression))).getSymbol();
  const [declared] = receiver === undefined ? [] : asked.declarations(receiver);
  if (declared === undefined || declared.is === "other" || isProgramPath(declared.path)) return null;
  return declared.node() as ts.ClassLikeDeclaration | ts.InterfaceDeclaration;
}

function typeName(declaration: ts.ClassLikeDeclaration | ts.InterfaceDeclaration, syntax: Syntax): string {
  const around = typeNameAround(declaration, syntax);
  const own = declaration.name?.text ?? "default";
  return around === null ? own : `${around}.${own}`;
}
