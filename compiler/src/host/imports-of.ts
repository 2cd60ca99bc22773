import type ts from "typescript";
import { typescript } from "./typescript.js";
import type { SourceUnit } from "./source-unit.js";

/** One import of a file, as written. */
export interface WrittenImport {
  readonly specifier: string;
  readonly how: "import" | "require";
}

const known = new WeakMap<SourceUnit, readonly WrittenImport[]>();

/** What a file imports when it runs, `import()` and `require()` of literals included; imports of types are not. */
export function importsOf(unit: SourceUnit): readonly WrittenImport[] {
  let imports = known.get(unit);
  if (imports === undefined) known.set(unit, (imports = [...staticImports(unit), ...otherImports(unit)]));
  return imports;
}

function staticImports({ tree }: SourceUnit): WrittenImport[] {
  return tree.statements.flatMap((statement): WrittenImport[] => {
    if (statement.kind === typescript.SyntaxKind.ImportDeclaration) {
      const { importClause, moduleSpecifier } = statement as ts.ImportDeclaration;
      return importClause?.isTypeOnly === true ? [] : written(moduleSpecifier);
    }
    if (statement.kind === typescript.SyntaxKind.ExportDeclaration) {
      const { isTypeOnly, moduleSpecifier } = statement as ts.ExportDeclaration;
      return isTypeOnly || moduleSpecifier === undefined ? [] : written(moduleSpecifier);
    }
    return [];
  });
}

function written(node: ts.Expression): WrittenImport[] {
  return [{ specifier: (node as ts.StringLiteral).text, how: "import" }];
}

/** Found by a scan of the text, made only where there can be one. */
function otherImports({ text }: SourceUnit): WrittenImport[] {
  if (!/\b(?:import|require)\s*\(/.test(text)) return [];
  return typescript
    .preProcessFile(text, true, true)
    .importedFiles.flatMap(({ fileName }): WrittenImport[] => [
      { specifier: fileName, how: "import" },
      { specifier: fileName, how: "require" },
    ]);
}
