import {
  SyntaxKind,
  isArrayBindingPattern,
  isClassDeclaration,
  isEnumDeclaration,
  isExportAssignment,
  isExportDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isImportEqualsDeclaration,
  isInterfaceDeclaration,
  isModuleDeclaration,
  isNamedExports,
  isObjectBindingPattern,
  isOmittedExpression,
  isStringLiteralLike,
  isTypeAliasDeclaration,
  isVariableStatement,
  type BindingName,
  type Expression,
  type Node,
  type Statement,
} from "../host/syntax.js";
import { nodeId, type SourceUnit } from "../host/source-unit.js";
import type { BindingId } from "../types.js";
import { readCommonJs } from "./commonjs.js";
import { declareStatements, hoistVars } from "./declare-names.js";
import { declareTypedefs } from "./jsdoc-types.js";
import { Scope, type ImportedName } from "./scope.js";

/** What a module exports under a name. */
export type Exported =
  /** A name of its module scope, which may itself be an import. */
  | { readonly as: "local"; readonly name: string }
  | { readonly as: "import"; readonly from: ImportedName }
  /** A value without a name of its own: `export default <expression>`, `exports.x = <expression>`. */
  | { readonly as: "value"; readonly id: BindingId; readonly node: Node };

/** Names of a module and what it exports, read from its top level only. */
export interface ModuleTable {
  readonly unit: SourceUnit;
  readonly scope: Scope;
  readonly exports: Map<string, Exported>;
  /** `export * from` these. */
  readonly stars: ImportedName[];
  /** `export =` or `module.exports =`; `null` when the module is its exports. */
  whole: Exported | null;
  /** Exports are assigned, not declared. */
  readonly commonJs: boolean;
}

/** Reads the table of one file; nothing below the top level is looked at except `var`s. */
export function readModuleTable(unit: SourceUnit): ModuleTable {
  const { statements } = unit.tree;
  const scope = new Scope(null);
  hoistVars(unit.tree, scope, unit);
  declareStatements(statements, scope, unit);
  if (unit.jsdoc) declareTypedefs(unit, scope);
  const exports = new Map<string, Exported>();
  const isModule = statements.some(isModuleSyntax);
  const commonJs = !isModule && !unit.path.endsWith(".json") && /\b(?:exports|require)\b/.test(unit.text);
  const table: ModuleTable = { unit, scope, exports, stars: [], whole: null, commonJs };
  if (unit.path.endsWith(".json")) readJson(table);
  if (commonJs) readCommonJs(table);
  for (const statement of statements) readExport(statement, table);
  return table;
}

/** A JSON module is its value. */
function readJson(table: ModuleTable): void {
  const [statement] = table.unit.tree.statements;
  if (statement !== undefined)
    table.whole = { as: "value", id: nodeId(table.unit.path, statement, table.unit.tree), node: statement };
}

function isModuleSyntax(statement: Statement): boolean {
  if (statement.kind === SyntaxKind.ImportDeclaration || isExportDeclaration(statement)) return true;
  if (isExportAssignment(statement)) return statement.isExportEquals !== true;
  return hasModifier(statement, SyntaxKind.ExportKeyword);
}

export function hasModifier(node: Node, kind: number): boolean {
  const modifiers = (node as Node & { modifiers?: readonly Node[] }).modifiers;
  return modifiers?.some((modifier) => modifier.kind === kind) ?? false;
}

function readExport(statement: Statement, table: ModuleTable): void {
  if (isExportDeclaration(statement)) {
    readExportDeclaration(statement, table);
  } else if (isExportAssignment(statement)) {
    const exported = exportedValue(statement.expression, statement, table);
    if (statement.isExportEquals === true) table.whole = exported;
    else table.exports.set("default", exported);
  } else if (hasModifier(statement, SyntaxKind.ExportKeyword)) {
    readExportedDeclaration(statement, table);
  }
}

/** The value of `export default <expression>` and its like: a name stays a name, anything else gets a binding. */
export function exportedValue(expression: Expression, at: Node, table: ModuleTable): Exported {
  if (isIdentifier(expression) && table.scope.value(expression.text) !== null)
    return { as: "local", name: expression.text };
  return { as: "value", id: nodeId(table.unit.path, at, table.unit.tree), node: at };
}

function readExportDeclaration(statement: Statement, table: ModuleTable): void {
  if (!isExportDeclaration(statement)) return;
  const { exportClause, moduleSpecifier } = statement;
  const specifier =
    moduleSpecifier !== undefined && isStringLiteralLike(moduleSpecifier) ? moduleSpecifier.text : null;
  if (exportClause === undefined) {
    if (specifier !== null) table.stars.push({ specifier, name: "*", how: "import" });
  } else if (isNamedExports(exportClause)) {
    for (const element of exportClause.elements) {
      const name = (element.propertyName ?? element.name).text;
      const exported: Exported =
        specifier === null
          ? { as: "local", name }
          : { as: "import", from: { specifier, name, how: "import" } };
      table.exports.set(element.name.text, exported);
    }
  } else if (specifier !== null) {
    table.exports.set(exportClause.name.text, {
      as: "import",
      from: { specifier, name: "*", how: "import" },
    });
  }
}

function readExportedDeclaration(statement: Statement, table: ModuleTable): void {
  const isDefault = hasModifier(statement, SyntaxKind.DefaultKeyword);
  if (isVariableStatement(statement)) {
    for (const declaration of statement.declarationList.declarations) {
      for (const name of namesOf(declaration.name)) table.exports.set(name, { as: "local", name });
    }
  } else if (isDeclarationWithName(statement)) {
    const name = statement.name !== undefined && "text" in statement.name ? statement.name.text : null;
    if (name !== null) table.exports.set(isDefault ? "default" : name, { as: "local", name });
    else if (isDefault) {
      const id = nodeId(table.unit.path, statement, table.unit.tree);
      table.exports.set("default", { as: "value", id, node: statement });
    }
  }
}

function isDeclarationWithName(
  statement: Statement,
): statement is Statement & { name?: { text: string } & Node } {
  return (
    isFunctionDeclaration(statement) ||
    isClassDeclaration(statement) ||
    isEnumDeclaration(statement) ||
    isModuleDeclaration(statement) ||
    isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement) ||
    isImportEqualsDeclaration(statement)
  );
}

/** Every name that a pattern declares. */
export function namesOf(name: BindingName): string[] {
  if (isIdentifier(name)) return [name.text];
  if (!isObjectBindingPattern(name) && !isArrayBindingPattern(name)) return [];
  return name.elements.flatMap((element) => (isOmittedExpression(element) ? [] : namesOf(element.name)));
}
