import { applyEdits, modify, parseTree, parse, type JSONPath, type ParseError } from "jsonc-parser";

/** The tsconfig entry: findings in the editor (TypeScript up to 6), and in `tspc` of ts-patch. */
const TS_PLUGIN = {
  name: "stepproof/language-service",
  transform: "stepproof/transformer",
  transformProgram: true,
} as const;

const SCRIPTS = { "check:workflows": "stepproof check", manifest: "stepproof manifest" } as const;

/** What an edit of a JSON file came to. `null` = it is no JSON object, so that nothing can be added. */
export type JsonEdit =
  { readonly state: "there" } | { readonly state: "change"; readonly text: string } | null;

/** A tsconfig with our plugin; comments, trailing commas, indent and line ends stay. */
export function withTsPlugin(text: string): JsonEdit {
  const json = objectOf(text);
  if (json === null) return null;
  const options = (json as { compilerOptions?: { plugins?: unknown } }).compilerOptions;
  const plugins = Array.isArray(options?.plugins) ? (options.plugins as readonly unknown[]) : [];
  if (plugins.some((one) => /"stepproof\//.test(JSON.stringify(one)))) return { state: "there" };
  const path: JSONPath = ["compilerOptions", "plugins"];
  const edited =
    plugins.length === 0
      ? edit(text, path, [TS_PLUGIN], false)
      : edit(text, [...path, plugins.length], TS_PLUGIN, true);
  return { state: "change", text: edited };
}

/** A package.json with the scripts that it lacks. A script of one of the names that is there stays. */
export function withScripts(text: string): JsonEdit {
  const json = objectOf(text);
  if (json === null) return null;
  const scripts = (json as { scripts?: Record<string, unknown> }).scripts ?? {};
  const missing = Object.entries(SCRIPTS).filter(([name]) => scripts[name] === undefined);
  if (missing.length === 0) return { state: "there" };
  const edited = missing.reduce((so, [name, value]) => edit(so, ["scripts", name], value, false), text);
  return { state: "change", text: edited };
}

/** True when a package.json names the package among its dependencies of any kind. */
export function dependsOn(text: string, name: string): boolean {
  const json = objectOf(text) as Record<string, Record<string, unknown> | undefined> | null;
  return ["dependencies", "devDependencies", "peerDependencies"].some(
    (kind) => json?.[kind]?.[name] !== undefined,
  );
}

function objectOf(text: string): object | null {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true };
  if (parseTree(text, errors, options)?.type !== "object" || errors.length > 0) return null;
  return parse(text, [], options) as object;
}

function edit(text: string, path: JSONPath, value: unknown, isArrayInsertion: boolean): string {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
}
