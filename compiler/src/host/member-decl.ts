import type ts from "typescript";
import type { MemberDecl } from "../types.js";
import type { CheckedProgram } from "./checker-questions.js";
import { isProgramSource, moduleOfDeclaration, typeNameAround } from "./declared-where.js";
import { nodeId } from "./source-unit.js";

/**
 * What a property access stands for, by its types: the functions of the program that it can call (the method, its
 * overrides, implementations of the interface), or a member of a type of a package or of the platform.
 */
export function memberDecl(checked: CheckedProgram, name: ts.Node): MemberDecl | null {
  const symbol = resolved(checked.checker.getSymbolAtLocation(name), checked);
  if (symbol === undefined) return null;
  const declarations = symbol.declarations ?? [];
  const own = declarations.filter((declaration) => isProgramSource(declaration.getSourceFile()));
  if (own.length > 0) {
    if (!canRun(symbol, name, checked)) return null;
    const functions = new Set(
      own.flatMap((declaration) => implementations(declaration, symbol.name, checked)),
    );
    return functions.size === 0 ? null : { in: "program", functions: [...functions].sort() };
  }
  const [first] = declarations;
  return first === undefined ? null : external(first, name, symbol.name, checked);
}

/** False for data: reading it runs nothing, and what is in it its values tell. */
function canRun(symbol: ts.Symbol, at: ts.Node, { checker, ts }: CheckedProgram): boolean {
  if ((symbol.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor | ts.SymbolFlags.Function)) !== 0)
    return true;
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, at));
  return (type.isUnion() ? type.types : [type]).some((part) => part.getCallSignatures().length > 0);
}

function resolved(symbol: ts.Symbol | undefined, { checker, ts }: CheckedProgram): ts.Symbol | undefined {
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
  return checker.getAliasedSymbol(symbol);
}

function implementations(declaration: ts.Declaration, member: string, checked: CheckedProgram): string[] {
  const { checker, ts } = checked;
  const found = functionsOf(declaration, checked);
  const { parent } = declaration as ts.Node as { parent: ts.Node };
  if (!ts.isClassLike(parent) && !ts.isInterfaceDeclaration(parent) && !ts.isTypeLiteralNode(parent))
    return found;
  const owner = ownerSymbol(parent, checked);
  if (owner === undefined) return found;
  for (const heir of checked.implementations.below(owner)) {
    for (const heirMember of [heir.members?.get(checked.ts.escapeLeadingUnderscores(member))]) {
      for (const own of heirMember?.declarations ?? []) found.push(...functionsOf(own, checked));
    }
  }
  if (!ts.isClassLike(parent)) {
    for (const literal of checked.implementations.literals(owner, member)) {
      const property = checker.getTypeAtLocation(literal).getProperty(member);
      for (const own of property?.declarations ?? []) found.push(...functionsOf(own, checked));
    }
  }
  return found;
}

function ownerSymbol(parent: ts.Node, { checker, ts }: CheckedProgram): ts.Symbol | undefined {
  if (ts.isTypeLiteralNode(parent)) {
    const alias = parent.parent;
    return ts.isTypeAliasDeclaration(alias) ? checker.getSymbolAtLocation(alias.name) : undefined;
  }
  const { name } = parent as ts.ClassLikeDeclaration | ts.InterfaceDeclaration;
  return name === undefined ? checker.getTypeAtLocation(parent).symbol : checker.getSymbolAtLocation(name);
}

/** The functions that one declaration of a member holds: a body of its own, or the function it is given. */
function functionsOf(declaration: ts.Node, checked: CheckedProgram, depth = 0): string[] {
  const { ts, checker } = checked;
  const file = declaration.getSourceFile();
  if (!isProgramSource(file) || depth > 5) return [];
  if (
    ts.isMethodDeclaration(declaration) ||
    ts.isGetAccessor(declaration) ||
    ts.isSetAccessor(declaration) ||
    ts.isFunctionDeclaration(declaration)
  ) {
    return declaration.body === undefined ? [] : [nodeId(file.fileName, declaration, file)];
  }
  if (ts.isShorthandPropertyAssignment(declaration)) {
    const value = checker.getShorthandAssignmentValueSymbol(declaration);
    return (resolved(value, checked)?.declarations ?? []).flatMap((own) =>
      functionsOf(own, checked, depth + 1),
    );
  }
  if (
    !ts.isPropertyDeclaration(declaration) &&
    !ts.isPropertyAssignment(declaration) &&
    !ts.isVariableDeclaration(declaration)
  )
    return [];
  let value = declaration.initializer;
  while (
    value !== undefined &&
    (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value))
  ) {
    value = value.expression;
  }
  if (value === undefined) return [];
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
    return [nodeId(file.fileName, value, file)];
  if (!ts.isIdentifier(value)) return [];
  const named = resolved(checker.getSymbolAtLocation(value), checked);
  return (named?.declarations ?? []).flatMap((own) => functionsOf(own, checked, depth + 1));
}

/** A member of a type outside the program: by the type of the object, and by the type that declares it if that differs. */
function external(
  declaration: ts.Declaration,
  name: ts.Node,
  member: string,
  checked: CheckedProgram,
): MemberDecl | null {
  const { checker, ts } = checked;
  const module = moduleOfDeclaration(declaration, checked);
  const declaring = typeNameAround(declaration, ts);
  const access = name.parent as ts.Node | undefined;
  const object =
    access !== undefined && (ts.isPropertyAccessExpression(access) || ts.isElementAccessExpression(access))
      ? access.expression
      : undefined;
  const receiver =
    object === undefined
      ? undefined
      : checker.getApparentType(checker.getNonNullableType(checker.getTypeAtLocation(object))).symbol;
  const [at] = (receiver as ts.Symbol | undefined)?.declarations ?? [];
  const named =
    at !== undefined &&
    (ts.isClassLike(at) || ts.isInterfaceDeclaration(at)) &&
    !isProgramSource(at.getSourceFile())
      ? at
      : null;
  if (named === null) return declaring === null ? null : { in: "external", module, type: declaring, member };
  const type = typeName(named, ts);
  const owner = moduleOfDeclaration(named, checked);
  if (declaring === null || (declaring === type && module === owner))
    return { in: "external", module: owner, type, member };
  return { in: "external", module: owner, type, member, declaredIn: { module, type: declaring } };
}

function typeName(
  declaration: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
  typescript: typeof ts,
): string {
  const around = typeNameAround(declaration, typescript);
  const own = declaration.name?.text ?? "default";
  return around === null ? own : `${around}.${own}`;
}
