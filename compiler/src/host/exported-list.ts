import type ts from "typescript";
import { typescript } from "./typescript.js";

/** The list that a config file exports (an ESLint flat config), as offsets in its text. */
export interface ExportedList {
  readonly esm: boolean;
  /** Ends of the last import, or 0: where another one goes. */
  readonly importsEnd: number;
  /** Starts and ends of the elements, in order. */
  readonly elements: readonly { readonly start: number; readonly end: number }[];
  /** Just before the closing bracket. */
  readonly close: number;
}

/**
 * Finds the list in `export default [ … ]`, `export default defineConfig(…)`, `module.exports = …`, also
 * behind a variable; `null` when the file exports something else or does not parse.
 *
 * @param fileName its extension says how to read it.
 */
export function exportedList(text: string, fileName: string): ExportedList | null {
  const file = typescript.createSourceFile(fileName, text, typescript.ScriptTarget.Latest, true);
  const { parseDiagnostics } = file as unknown as { readonly parseDiagnostics?: readonly unknown[] };
  if (parseDiagnostics !== undefined && parseDiagnostics.length > 0) return null;
  const found = exportedExpression(file);
  const list = found === null ? null : listOf(found.value, file, 0);
  if (found === null || list === null) return null;
  const imports = file.statements.filter((one) =>
    found.esm ? typescript.isImportDeclaration(one) : isRequire(one),
  );
  return {
    esm: found.esm,
    importsEnd: imports.at(-1)?.getEnd() ?? 0,
    elements: list.map((one) => ({ start: one.getStart(), end: one.getEnd() })),
    close: list.end + trailingBlank(text, list.end),
  };
}

function exportedExpression(file: ts.SourceFile): { esm: boolean; value: ts.Expression } | null {
  for (const statement of file.statements) {
    if (typescript.isExportAssignment(statement)) return { esm: true, value: statement.expression };
    if (!typescript.isExpressionStatement(statement)) continue;
    const { expression } = statement;
    if (
      typescript.isBinaryExpression(expression) &&
      expression.operatorToken.kind === typescript.SyntaxKind.EqualsToken &&
      expression.left.getText() === "module.exports"
    )
      return { esm: false, value: expression.right };
  }
  return null;
}

/** Variables of variables are followed so far. */
const MOST_STEPS = 4;

function listOf(
  value: ts.Expression,
  file: ts.SourceFile,
  steps: number,
): ts.NodeArray<ts.Expression> | null {
  if (steps > MOST_STEPS) return null;
  if (typescript.isArrayLiteralExpression(value)) return value.elements;
  if (typescript.isParenthesizedExpression(value) || typescript.isAsExpression(value))
    return listOf(value.expression, file, steps);
  if (typescript.isSatisfiesExpression(value)) return listOf(value.expression, file, steps);
  if (typescript.isCallExpression(value)) {
    const [only] = value.arguments;
    if (only !== undefined && value.arguments.length === 1 && typescript.isArrayLiteralExpression(only))
      return only.elements;
    return value.arguments.length === 0 ? null : value.arguments;
  }
  if (!typescript.isIdentifier(value)) return null;
  for (const statement of file.statements) {
    if (!typescript.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer !== undefined && name.getText() === value.text)
        return listOf(initializer, file, steps + 1);
  }
  return null;
}

/** `const x = require("…")`. */
function isRequire(statement: ts.Statement): boolean {
  return (
    typescript.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(({ initializer }) =>
      initializer?.getText().startsWith("require("),
    )
  );
}

/** A list ends behind its last comma; comments and blanks may follow before the bracket. */
function trailingBlank(text: string, from: number): number {
  return /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0;
}
