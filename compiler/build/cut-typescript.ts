import { build, transform } from "esbuild";
import { Linter } from "eslint";
import ts from "typescript";

/** Of the services: trees whose nodes have `getStart()`, `forEachChild()` and the like. */
const NODES = {
  getNodeConstructor: "NodeObject",
  getTokenConstructor: "TokenObject",
  getIdentifierConstructor: "IdentifierObject",
  getPrivateIdentifierConstructor: "PrivateIdentifierObject",
  getSourceFileConstructor: "SourceFileObject",
};

/** Statements at the top that nothing stands on here: tools of the services, watching, debugging, ends of the script. */
const LEFT_OUT =
  /^(?:"use strict"|registerRefactor\(|registerCodeFix\(|setObjectAllocator\(|if \(sys && sys\.|if \(typeof console|\{\s*\}$|\(?0 &&)/;

/**
 * Cuts the names asked for, and what they stand on, out of `typescript/lib/typescript.js`: its statements are made
 * into an ES module, of which esbuild keeps what is reached.
 *
 * @param text of `typescript.js`.
 * @returns a minified CommonJS module.
 * @throws when a statement at the top has a form that is not known here, or the result refers to what was left out.
 */
export async function cutTypescript(text: string, names: readonly string[]): Promise<string> {
  const reached = withoutUnusedMessages(await bundle(asModule(text, names)));
  failOnFreeNames(reached);
  const { code } = await transform(reached, { minify: true, target: "node20", legalComments: "none" });
  const [license = ""] = /^\/\*![\s\S]*?\*\//.exec(text) ?? [];
  return `${license}\n/* Modified: reduced to what parsing, module resolution and reading a tsconfig need. */\n${code}`;
}

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: "js" },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["source-map-support"],
    logLevel: "error",
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error("esbuild gave nothing back.");
  return output.text;
}

/**
 * The script as a module. Two things would hide from esbuild what can be left out: a declaration that later statements
 * complete (`var Parser; ((Parser2) => { … })(Parser || (Parser = {}))`, `_Version.zero = …`), which becomes one
 * declaration, and one that is computed, which is marked as having no other effect.
 */
function asModule(text: string, names: readonly string[]): string {
  const file = ts.createSourceFile("typescript.js", text, ts.ScriptTarget.Latest, true);
  const statements = statementsOf(file);
  const completing = new Map<string, ts.Statement[]>();
  for (const statement of statements) {
    if (isDeclaration(statement) || LEFT_OUT.test(statement.getText(file))) continue;
    const name = completedBy(statement);
    if (name === null) throw new Error(`What is this for? ${statement.getText(file).slice(0, 200)}`);
    completing.set(name, [...(completing.get(name) ?? []), statement]);
  }
  const placed = new Map<ts.Statement, string>();
  const out = statements.map((statement) => {
    if (!ts.isVariableStatement(statement)) {
      return isDeclaration(statement) ? statement.getText(file) : (placed.get(statement) ?? "");
    }
    return statement.declarationList.declarations.map((one) => declare(one)).join("\n");
  });
  const allocator = Object.entries(NODES).map(([get, made]) => `${get}: () => ${made}`);
  return [
    // `declare` may have placed a declaration at a statement that comes later.
    ...out,
    `setObjectAllocator({ ...objectAllocator, ${allocator.join(", ")} });`,
    `export { ${names.join(", ")} };`,
  ].join("\n");

  function declare({ name, initializer }: ts.VariableDeclaration): string {
    const completions = completing.get(name.getText(file)) ?? [];
    const [first] = completions;
    const value = initializer?.getText(file) ?? "";
    if (first === undefined) {
      if (initializer === undefined) return `var ${name.getText(file)};`;
      const made = isPlain(initializer) ? value : `/* @__PURE__ */ (() => (${value}))()`;
      return `var ${name.getText(file)} = ${made};`;
    }
    const body = completions.map((statement) => statement.getText(file)).join("\n");
    const whole = `var ${name.getText(file)} = /* @__PURE__ */ ((${name.getText(file)}) => {\n${body}\nreturn ${name.getText(file)};\n})(${value});`;
    if (initializer !== undefined) return whole;
    // What completes it may use what is declared in between.
    placed.set(first, whole);
    return "";
  }
}

/** `var ts = {}; ((module) => { …all of it… })(…)` */
function statementsOf(file: ts.SourceFile): readonly ts.Statement[] {
  for (const statement of file.statements) {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) continue;
    const callee = statement.expression.expression.getChildAt(1);
    if (ts.isArrowFunction(callee) && ts.isBlock(callee.body)) return callee.body.statements;
  }
  throw new Error("typescript.js is no longer one function.");
}

function isDeclaration(statement: ts.Statement): boolean {
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isVariableStatement(statement)
  );
}

/** The name whose declaration a statement completes. */
function completedBy(statement: ts.Statement): string | null {
  if (!ts.isExpressionStatement(statement)) return null;
  const { expression } = statement;
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    let target: ts.Expression = expression.left;
    while (ts.isPropertyAccessExpression(target)) target = target.expression;
    return ts.isIdentifier(target) && target !== expression.left ? target.text : null;
  }
  if (!ts.isCallExpression(expression)) return null;
  const [only] = expression.arguments;
  if (only === undefined) return null;
  if (ts.isIdentifier(expression.expression))
    return expression.expression.text === "__export" && ts.isIdentifier(only) ? only.text : null;
  // `((X2) => { … })(X || (X = {}))`
  return ts.isBinaryExpression(only) && ts.isIdentifier(only.left) ? only.left.text : null;
}

/** Values that esbuild itself sees to be without effect. */
function isPlain(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.every(isPlain);
  if (ts.isParenthesizedExpression(value)) return isPlain(value.expression);
  if (ts.isObjectLiteralExpression(value))
    return value.properties.every((one) =>
      ts.isPropertyAssignment(one)
        ? !ts.isComputedPropertyName(one.name) && isPlain(one.initializer)
        : ts.isMethodDeclaration(one),
    );
  return (
    ts.isLiteralExpression(value) ||
    ts.isFunctionLike(value) ||
    ts.isClassExpression(value) ||
    ts.isIdentifier(value) ||
    value.kind === ts.SyntaxKind.TrueKeyword ||
    value.kind === ts.SyntaxKind.FalseKeyword ||
    value.kind === ts.SyntaxKind.NullKeyword
  );
}

/** Without the messages that nothing says any more, which are half of all that is reached. */
function withoutUnusedMessages(code: string): string {
  const table = /^var Diagnostics = .*\{\n([\s\S]*?)^\}\)\)\(\);\n/m.exec(code);
  if (table === null) throw new Error("The table of messages is not where it was.");
  const [all, rows = ""] = table;
  const rest = code.slice(0, table.index) + code.slice(table.index + all.length);
  const used = new Set(Array.from(rest.matchAll(/\bDiagnostics\.(\w+)/g), ([, name]) => name));
  if (/\bDiagnostics\b(?!\.\w)/.test(rest)) throw new Error("The table of messages is used as a whole.");
  const kept = rows.split("\n").filter((row) => used.has(/^\s*(\w+):/.exec(row)?.[1]));
  if (kept.length < used.size) throw new Error("Some messages take more than one line.");
  return code.replace(rows, () => `${kept.join("\n")}\n`);
}

/** @throws when the code refers to something that is neither in it nor of the platform. */
function failOnFreeNames(code: string): void {
  const globals = Object.fromEntries(PLATFORM.map((name) => [name, "readonly" as const]));
  const found = new Linter()
    .verify(code, {
      languageOptions: { ecmaVersion: "latest", sourceType: "commonjs", globals },
      linterOptions: { noInlineConfig: true },
      rules: { "no-undef": "error" },
    })
    .filter(({ severity }) => severity === 2);
  if (found.length > 0)
    throw new Error(
      `The cut refers to what it left out:\n${found.map(({ line, message }) => `${line}: ${message}`).join("\n")}`,
    );
}

/** What a script may find without declaring it: of Node, and a hook of profilers that it asks for first. */
const PLATFORM = [
  ...["process", "console", "Buffer", "setTimeout", "clearTimeout", "performance"],
  ...["__filename", "__dirname", "onProfilerEvent"],
];
