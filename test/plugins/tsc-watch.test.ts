import ts from "typescript";
import { expect, test } from "vitest";
import transformProgram from "../../compiler/src/plugin/transformer.js";

const FLOW = (name: string, dice: string): string =>
  `import { actor, queue } from "@stepproof/runtime";
import { workflow } from "@stepproof/runtime";
import { roll } from "./${dice}.js";
export const ${name} = actor({ queues: { q: queue() }, run: workflow(async (ctx) => { await ctx.step("${name}", async () => 1); roll(); }) });`;
const PURE = "export function roll(): number { return 1; }";
const RANDOM = "export function roll(): number { return Math.random(); }";

/** Programs of texts that change, as `tspc -w` makes them: each takes over what did not change from the one before. */
class Watched {
  private trees = new Map<string, ts.SourceFile>();
  private last: ts.Program | undefined;
  constructor(private readonly texts: Map<string, string>) {}

  edit(path: string, text: string): void {
    this.texts.set(path, text);
    this.trees.delete(path);
  }

  /** What the plugin tells, and what is emitted, of the program as it is. */
  look(watch: boolean): { findings: string[]; emitted: Record<string, string> } {
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      noLib: true,
      types: [],
      configFilePath: "/tsconfig.json",
      ...(watch ? { watch: true } : {}),
    };
    const host = ts.createCompilerHost(options);
    host.getCurrentDirectory = () => "/";
    host.fileExists = (path) => this.texts.has(path);
    host.readFile = (path) => this.texts.get(path);
    host.directoryExists = () => true;
    host.getSourceFile = (path, how) => {
      const text = this.texts.get(path);
      if (text === undefined) return undefined;
      const tree = this.trees.get(path) ?? ts.createSourceFile(path, text, how);
      this.trees.set(path, tree);
      return tree;
    };
    const program = ts.createProgram([...this.texts.keys()], options, host, this.last);
    if (watch) this.last = program;
    program.getSemanticDiagnostics = () => [];
    transformProgram(program, host, {}, { ts });
    const findings = program
      .getGlobalDiagnostics()
      .filter(({ source }) => source === "stepproof")
      .map(
        (one) =>
          `${one.file?.fileName ?? ""}:${one.start ?? 0} ${ts.flattenDiagnosticMessageText(one.messageText, " ")}`,
      )
      .sort();
    const emitted: Record<string, string> = {};
    program.emit(undefined, (path, text) => (emitted[path] = text));
    return { findings, emitted };
  }
}

test("edits under watch give the findings and the code that a build from scratch gives", () => {
  const watched = new Watched(
    new Map([
      ...["a", "b", "c", "d", "e"].map((name) => [`/${name}.ts`, FLOW(name, `dice-${name}`)] as const),
      ...["a", "b", "c", "d", "e"].map((name) => [`/dice-${name}.ts`, PURE] as const),
    ]),
  );
  const steps: (readonly [path: string, text: string])[] = [
    ["/dice-a.ts", RANDOM],
    ["/b.ts", FLOW("b", "dice-a")],
    ["/dice-a.ts", PURE],
    ["/c.ts", FLOW("c", "dice-c").replace('"c"', '"renamed"')],
  ];
  expect(watched.look(true).findings).toEqual([]);
  const counts = steps.map(([path, text]) => {
    watched.edit(path, text);
    const seen = watched.look(true);
    expect(seen).toEqual(watched.look(false));
    expect(seen.emitted["/c.js"]).toContain("__stepproofCarry");
    return seen.findings.length;
  });
  expect(counts).toEqual([1, 2, 0, 0]);
  expect(watched.look(true).emitted["/c.js"]).toContain("renamed");
});
