import ts from "typescript";
import type { Fixture, FixtureFile } from "./fixture.js";

/** Names that the published package exports from `rivetkit/workflow`; all others come from `rivetkit`. */
const FROM_WORKFLOW = new Set(["workflow", "Loop"]);

/** In the comment at the head of a fixture whose fault the published package does not have. */
const NOT_IN_RIVETKIT = "(not in rivetkit-2)";

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The same fixture written for the published package: imports from `rivetkit` and `rivetkit/workflow`, and
 * `actor({ run: workflow(fn) })` for `workflow({ run: fn })`. Lines stay where they are.
 * @returns `null` when the fixture is not written for `@rivet-dev/workflows` in a form that can be rewritten.
 */
export function inRivetkitDialect(fixture: Fixture): Fixture | null {
  if (fixture.files.some((file) => file.text.includes(NOT_IN_RIVETKIT))) return null;
  let definitions = 0;
  const files = fixture.files.map((file): FixtureFile => {
    if (!/\.(?:[cm]?[jt]s|[jt]sx)$/.test(file.path) || !file.text.includes("@rivet-dev/workflows"))
      return file;
    const edits: Edit[] = [];
    const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
    const rewritten = rewrite(tree, edits);
    definitions += rewritten;
    return { path: file.path, text: applied(file.text, edits) };
  });
  return definitions === 0 ? null : { ...fixture, id: `${fixture.id}@rivetkit`, files };
}

function rewrite(tree: ts.SourceFile, edits: Edit[]): number {
  let definitions = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && isEngine(node.moduleSpecifier)) {
      edits.push({ at: node.getStart(), end: node.getEnd(), text: imports(node) });
    } else if (ts.isLiteralTypeNode(node) && isEngine(node.literal)) {
      edits.push({ at: node.getStart(), end: node.getEnd(), text: `"rivetkit/workflow"` });
    } else if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === "workflow"
    ) {
      const config = node.arguments[0];
      if (config && ts.isObjectLiteralExpression(config) && wrapRun(config, edits)) {
        edits.push({ at: node.expression.getStart(), end: node.expression.getEnd(), text: "actor" });
        definitions += 1;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  for (const statement of tree.statements) rewriteRequire(statement, edits);
  return definitions;
}

/** `const { queue, workflow } = require(engine)`. */
function rewriteRequire(statement: ts.Statement, edits: Edit[]): void {
  if (!ts.isVariableStatement(statement) || !statement.getText().includes('require("@rivet-dev/workflows")'))
    return;
  const [declaration] = statement.declarationList.declarations;
  if (!declaration || !ts.isObjectBindingPattern(declaration.name)) return;
  const names = declaration.name.elements.map((element) => element.getText());
  const own = names.filter((name) => FROM_WORKFLOW.has(name));
  const rest = ["actor", ...names.filter((name) => !FROM_WORKFLOW.has(name))];
  const text = `const { ${rest.join(", ")} } = require("rivetkit"); const { ${own.join(", ")} } = require("rivetkit/workflow");`;
  edits.push({ at: statement.getStart(), end: statement.getEnd(), text });
}

function isEngine(node: ts.Node): boolean {
  return ts.isStringLiteral(node) && node.text === "@rivet-dev/workflows";
}

function imports(node: ts.ImportDeclaration): string {
  const clause = node.importClause;
  const named = clause?.namedBindings;
  if (!clause || !named || !ts.isNamedImports(named)) return node.getText();
  const typeOnly = clause.phaseModifier === ts.SyntaxKind.TypeKeyword ? "type " : "";
  const elements = named.elements.map((element) => element.getText());
  const isWorkflow = (text: string): boolean => {
    const name = text.replace(/^type /, "").split(" as ")[0] ?? "";
    return FROM_WORKFLOW.has(name) || /^Workflow\w*Of$/.test(name);
  };
  const workflow = elements.filter(isWorkflow);
  const rest = elements.filter((text) => !isWorkflow(text));
  if (typeOnly === "" && workflow.includes("workflow") && !rest.includes("actor")) rest.unshift("actor");
  const line = (names: readonly string[], module: string): string =>
    names.length === 0 ? "" : `import ${typeOnly}{ ${names.join(", ")} } from "${module}";`;
  // Several lines in the original stay several lines.
  const breaks = "\n".repeat(node.getText().split("\n").length - 1);
  return `${line(rest, "rivetkit")} ${line(workflow, "rivetkit/workflow")}`.trim() + breaks;
}

function wrapRun(config: ts.ObjectLiteralExpression, edits: Edit[]): boolean {
  for (const property of config.properties) {
    if (property.name?.getText() !== "run") continue;
    if (ts.isPropertyAssignment(property)) {
      edits.push({
        at: property.initializer.getStart(),
        end: property.initializer.getStart(),
        text: "workflow(",
      });
      edits.push({ at: property.initializer.getEnd(), end: property.initializer.getEnd(), text: ")" });
      return true;
    }
    if (ts.isMethodDeclaration(property) && property.body) {
      const star = property.getStart();
      const parameters = property.parameters.map((parameter) => parameter.getText()).join(", ");
      edits.push({
        at: star,
        end: property.body.getStart(),
        text: `run: workflow(async (${parameters}) => `,
      });
      edits.push({ at: property.getEnd(), end: property.getEnd(), text: ")" });
      return true;
    }
  }
  return false;
}

function applied(text: string, edits: readonly Edit[]): string {
  let result = text;
  // Last first, so that earlier offsets hold; of edits at one offset the inner one (pushed later) comes first.
  for (const { at, end, text: insert } of [...edits].reverse().sort((a, b) => b.at - a.at)) {
    result = result.slice(0, at) + insert + result.slice(end);
  }
  return result;
}
