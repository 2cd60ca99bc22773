import {
  NodeFlags,
  SyntaxKind,
  isCallExpression,
  isClassDeclaration,
  isEnumDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportEqualsDeclaration,
  isInterfaceDeclaration,
  isModuleDeclaration,
  isNamespaceImport,
  isOmittedExpression,
  isPropertyAccessExpression,
  isStringLiteralLike,
  isTypeAliasDeclaration,
  isVariableDeclarationList,
  isVariableStatement,
  type BindingName,
  type ImportDeclaration,
  type ImportEqualsDeclaration,
  type Node,
  type Statement,
  type TypeParameterDeclaration,
  type VariableDeclaration,
  type VariableDeclarationList,
} from "../host/syntax.js";
import { nodeId, type SourceUnit } from "../host/source-unit.js";
import { requiredNames } from "./require-call.js";
import type { Scope } from "./scope.js";

/** True for `declare …` and other declarations that exist for types only. */
export function isAmbient(node: Node): boolean {
  const modifiers = (node as Node & { modifiers?: readonly Node[] }).modifiers;
  return modifiers?.some((modifier) => modifier.kind === SyntaxKind.DeclareKeyword) ?? false;
}

/** Declares what the statements of one block declare: `let`, `const`, functions, classes, enums, imports, types. */
export function declareStatements(statements: readonly Statement[], scope: Scope, unit: SourceUnit): void {
  for (const statement of statements) declareStatement(statement, scope, unit);
}

function declareStatement(statement: Statement, scope: Scope, unit: SourceUnit): void {
  const id = (node: Node): string => nodeId(unit.path, node, unit.tree);
  if (isVariableStatement(statement)) {
    if (!isAmbient(statement) && isBlockScoped(statement.declarationList))
      declareList(statement.declarationList, scope, unit);
  } else if (isFunctionDeclaration(statement)) {
    // An overload's signature has no body, but its name is the function's first place.
    if (statement.name !== undefined && !isAmbient(statement))
      scope.bind(statement.name.text, id(statement.name));
  } else if (isClassDeclaration(statement)) {
    if (statement.name === undefined) return;
    if (!isAmbient(statement)) scope.bind(statement.name.text, id(statement.name));
    scope.types.set(statement.name.text, { as: "class", id: id(statement), node: statement });
  } else if (isEnumDeclaration(statement)) {
    if (!isAmbient(statement)) scope.bind(statement.name.text, id(statement.name));
  } else if (isModuleDeclaration(statement)) {
    if (isIdentifier(statement.name) && !isAmbient(statement))
      scope.bind(statement.name.text, id(statement.name));
  } else if (isInterfaceDeclaration(statement) || isTypeAliasDeclaration(statement)) {
    scope.types.set(statement.name.text, { as: "declared", node: statement, scope, unit });
  } else if (isImportDeclaration(statement)) {
    declareImports(statement, scope);
  } else if (isImportEqualsDeclaration(statement)) {
    declareImportEquals(statement, scope, unit);
  }
}

function isBlockScoped(list: VariableDeclarationList): boolean {
  return (list.flags & NodeFlags.BlockScoped) !== 0;
}

/** Declares the names of a `let`, `const`, `using` or `var` list; `const x = require("…")` is an import. */
export function declareList(list: VariableDeclarationList, scope: Scope, unit: SourceUnit): void {
  for (const declaration of list.declarations) {
    const required = requiredNames(declaration, scope);
    if (required === null) {
      declarePattern(declaration.name, scope, unit);
      if (isMadeRequire(declaration)) scope.requireIsMade = true;
      continue;
    }
    for (const [local, from] of required) {
      scope.values.set(local, { as: "import", from });
      scope.types.set(local, { as: "import", from });
    }
  }
}

/** `const require = createRequire(import.meta.url)` */
function isMadeRequire({ name, initializer }: VariableDeclaration): boolean {
  if (!isIdentifier(name) || name.text !== "require" || initializer === undefined) return false;
  if (!isCallExpression(initializer)) return false;
  const called = initializer.expression;
  const last = isPropertyAccessExpression(called) ? called.name : called;
  return isIdentifier(last) && last.text === "createRequire";
}

/** Declares every name of a binding pattern. */
export function declarePattern(name: BindingName, scope: Scope, unit: SourceUnit): void {
  if (isIdentifier(name)) {
    scope.bind(name.text, nodeId(unit.path, name, unit.tree));
    return;
  }
  for (const element of name.elements)
    if (!isOmittedExpression(element)) declarePattern(element.name, scope, unit);
}

/** Type parameters are types of the scope, known by their constraint. */
export function declareTypeParameters(
  parameters: readonly TypeParameterDeclaration[] | undefined,
  scope: Scope,
  unit: SourceUnit,
): void {
  for (const node of parameters ?? []) scope.types.set(node.name.text, { as: "declared", node, scope, unit });
}

function declareImports(node: ImportDeclaration, scope: Scope): void {
  const clause = node.importClause;
  if (clause === undefined || !isStringLiteralLike(node.moduleSpecifier)) return;
  const specifier = node.moduleSpecifier.text;
  const add = (local: string, name: string): void => {
    const named = { as: "import", from: { specifier, name, how: "import" } } as const;
    scope.values.set(local, named);
    scope.types.set(local, named);
  };
  if (clause.name !== undefined) add(clause.name.text, "default");
  if (clause.namedBindings === undefined) return;
  if (isNamespaceImport(clause.namedBindings)) add(clause.namedBindings.name.text, "*");
  else
    for (const element of clause.namedBindings.elements)
      add(element.name.text, (element.propertyName ?? element.name).text);
}

function declareImportEquals(node: ImportEqualsDeclaration, scope: Scope, unit: SourceUnit): void {
  const reference = node.moduleReference;
  if (reference.kind !== SyntaxKind.ExternalModuleReference) {
    scope.bind(node.name.text, nodeId(unit.path, node.name, unit.tree));
    return;
  }
  const { expression } = reference as typeof reference & { expression: Node };
  if (!isStringLiteralLike(expression)) return;
  const named = { as: "import", from: { specifier: expression.text, name: "*", how: "require" } } as const;
  scope.values.set(node.name.text, named);
  scope.types.set(node.name.text, named);
}

/** Declares the `var`s of a function's or module's body, which belong to it from whatever depth. */
export function hoistVars(node: Node, scope: Scope, unit: SourceUnit): void {
  if (isVariableDeclarationList(node)) {
    if (!isBlockScoped(node)) declareList(node, scope, unit);
    return;
  }
  if (!HOLDS_STATEMENTS.has(node.kind) || isAmbient(node)) return;
  node.forEachChild((child) => {
    hoistVars(child, scope, unit);
  });
}

const HOLDS_STATEMENTS: ReadonlySet<number> = new Set([
  SyntaxKind.SourceFile,
  SyntaxKind.ModuleBlock,
  SyntaxKind.Block,
  SyntaxKind.VariableStatement,
  SyntaxKind.IfStatement,
  SyntaxKind.DoStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.ForStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.LabeledStatement,
  SyntaxKind.SwitchStatement,
  SyntaxKind.CaseBlock,
  SyntaxKind.CaseClause,
  SyntaxKind.DefaultClause,
  SyntaxKind.TryStatement,
  SyntaxKind.CatchClause,
  SyntaxKind.WithStatement,
]);
