import { constructOf } from "./constructs/index.js";
import { SharedText, SourceWriter, type FileName } from "./source-writer.js";
import { resultOf, usedVariables, type Block } from "./tree.js";

/** Package of the engine that sources import. */
export const ENGINE = "@stepproof/runtime";

/** The program as TypeScript files, by name: `main.ts`, `world.ts` and, when it has helpers there, `other.ts`. */
export type Files = ReadonlyMap<string, string>;

/** The parts of a file before they are put together, so that laws can put them together otherwise. */
export interface FileParts {
  readonly imports: readonly string[];
  /** Top-level declarations, each of which may stand anywhere in the file. */
  readonly declarations: readonly string[];
  readonly last: readonly string[];
}

export function sourceOf(program: Block): Files {
  const parts = partsOf(program);
  return new Map([...parts].map(([name, one]) => [name, assemble(one)]));
}

export function assemble({ imports, declarations, last }: FileParts): string {
  return `${[imports.join("\n"), ...declarations, ...last].filter((part) => part !== "").join("\n\n")}\n`;
}

export function partsOf(program: Block): ReadonlyMap<string, FileParts> {
  const shared = new SharedText(usedVariables(program));
  const to = new SourceWriter(shared, "main", { context: "ctx", kind: "program" }, write);
  to.use("engine", "workflow");
  to.use("engine", "setup");
  to.use("engine", "queue");
  to.inside(
    "export const program = workflow({",
    () => {
      to.line("state: { total: 0 },");
      to.line("queues: { p: queue<number>(), q: queue<number>() },");
      to.inside(
        "run: async (ctx) => {",
        () => {
          to.block(program);
          to.line(`return ${resultOf(program) ?? "0"};`);
        },
        "},",
      );
    },
    "});",
  );
  const files = new Map<string, FileParts>([["world.ts", WORLD]]);
  if (shared.functions.other.length > 0) files.set("other.ts", fileOf("other", shared, []));
  files.set(
    "main.ts",
    fileOf("main", shared, [to.lines.join("\n"), "export const registry = setup({ use: { program } });"]),
  );
  if (shared.package !== null) {
    files.set("node_modules/faulty/package.json", {
      imports: ['{ "name": "faulty", "version": "1.0.0", "type": "module", "main": "./index.js" }'],
      declarations: [],
      last: [],
    });
    files.set("node_modules/faulty/index.js", { imports: [], declarations: shared.package, last: [] });
  }
  return files;
}

function fileOf(file: FileName, shared: SharedText, last: readonly string[]): FileParts {
  const { engine, world } = shared.imports[file];
  const other = shared.crossings[file];
  const imports = [
    named(engine, ENGINE),
    named(world, "./world.js"),
    named(other, file === "main" ? "./other.js" : "./main.js"),
    shared.plants.has(file) && shared.package !== null ? 'import { plantedFault } from "faulty";' : "",
    shared.functions[file].length > 0 ? `import type { WorkflowContextOf } from "${ENGINE}";` : "",
    file === "other" ? 'import type { program } from "./main.js";' : "",
  ];
  const functions = shared.functions[file].map(({ lines }) => `export ${lines.join("\n")}`);
  const declarations = [...shared.tops[file], ...functions];
  return { imports: imports.filter((line) => line !== ""), declarations, last };
}

function named(names: ReadonlySet<string>, from: string): string {
  return names.size === 0 ? "" : `import { ${[...names].sort().join(", ")} } from "${from}";`;
}

function write(block: Block, to: SourceWriter): void {
  for (const one of block) constructOf(one.kind).source(one as never, to);
}

/** What programs act on, as people write such modules. */
const WORLD: FileParts = {
  imports: [`import { CriticalError } from "${ENGINE}";`],
  declarations: [
    `async function call(key: string, what: string, value: number): Promise<number> {
  const response = await fetch(\`https://example.com/\${what}\`, {
    method: "POST",
    headers: { "idempotency-key": key },
    body: String(value),
  });
  return Number(await response.text());
}`,
    `export async function work(key: string, value: number): Promise<number> {
  return await call(key, "work", value);
}`,
    `export async function notYet(key: string, attempt: number): Promise<void> {
  await call(key, "ready", attempt);
}`,
    `export async function refuse(key: string): Promise<number> {
  await call(key, "refuse", 0);
  throw new CriticalError("refused");
}`,
    `export async function breakDown(key: string): Promise<number> {
  return await call(key, "break-down", 0);
}`,
    `export async function undo(name: string, output: number): Promise<void> {
  await call(name, "undo", output);
}`,
  ],
  last: [],
};
