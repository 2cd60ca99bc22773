import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../fixtures/seed", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));

/** The one example that is printed without types. */
const UNTYPED = "handling-terminal-failures-as-data-try.ts";

function programOfSeed(): ts.Program {
  const path = join(folder, "tsconfig.json");
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    folder,
  );
  return ts.createProgram(config.fileNames, config.options);
}

/** Places of expressions whose type is `any`, as `line: text`. */
function untypedExpressions(program: ts.Program, source: ts.SourceFile): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isName =
      ts.isIdentifier(node) && !ts.isPropertyAssignment(node.parent) && !ts.isImportSpecifier(node.parent);
    if (isName || ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
      // `(await response.json()) as T` is any by the DOM's own types and named by the cast.
      const isJson =
        ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)
          ? /\bjson\b/.test(node.getText(source))
          : false;
      if (!isJson && (checker.getTypeAtLocation(node).flags & ts.TypeFlags.Any) !== 0) {
        found.push(
          `${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)}: ${node.getText(source)}`,
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("the seed's examples against the runtime's types", () => {
  const program = programOfSeed();

  test("all of the page's blocks are there", () => {
    expect(files).toHaveLength(22);
  });

  test("they type-check", () => {
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map(
        (d) => `${basename(d.file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(d.messageText, "\n")}`,
      );
    expect(messages).toEqual([]);
  });

  test.each(files.filter((name) => name !== UNTYPED))("%s has no expression of type any", (name) => {
    const source = program.getSourceFile(join(folder, name));
    expect(source).toBeDefined();
    expect(untypedExpressions(program, source!)).toEqual([]);
  });
});
