/**
 * Measures what the language-service plugin adds to a keystroke: a real tsserver session on a generated project, with
 * the plugin and without. Times are CPU of the server (user and system) in ms, medians of the edits. Linux only:
 * CPU is read from /proc. Build first.
 *
 *   npx tsx bench/checker/keystroke.ts [edits=10] [files=500] [workflows=30]
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TsServer } from "../../test/apps/tsserver.js";
import { median } from "../measure.js";
import { generateProject } from "./generate.js";

const [edits = 10, files = 500, workflows = 30] = process.argv.slice(2).map(Number);
const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
const folder = mkdtempSync(join(tmpdir(), "stepproof-keystroke-"));

/** CPU of a process in ms, at the kernel's 100 ticks a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

interface Measured {
  /** From the start of the server to the first findings. */
  readonly opening: number;
  readonly inWorkflow: number;
  /** The helper is edited, the workflow's findings are asked for. */
  readonly inHelper: number;
}

async function session(plugins: readonly object[]): Promise<Measured> {
  const path = join(folder, "tsconfig.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as { compilerOptions: object };
  writeFileSync(path, JSON.stringify({ ...config, compilerOptions: { ...config.compilerOptions, plugins } }));
  const sources = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" }).map((name) =>
    join(folder, "src", name),
  );
  const textOf = (file: string): string => readFileSync(file, "utf8");
  const flow = sources.find((name) => name.endsWith(".ts") && textOf(name).includes("@rivet-dev/workflows"));
  if (flow === undefined) throw new Error("The generated project has no workflow.");
  const helper = join(folder, "src/modules/m8.ts");
  const server = new TsServer(typescript, folder);
  try {
    server.open(flow);
    await server.diagnostics(flow);
    const opening = cpuOf(server.pid);
    server.open(helper);
    await server.diagnostics(flow);
    const measure = async (file: string): Promise<number> => {
      const times: number[] = [];
      for (let edit = 0; edit < edits; edit++) {
        const before = cpuOf(server.pid);
        server.tell("change", { file, line: 1, offset: 1, endLine: 1, endOffset: 1, insertString: "/**/" });
        await server.diagnostics(flow);
        times.push(cpuOf(server.pid) - before);
      }
      return median(times);
    };
    return { opening, inWorkflow: await measure(flow), inHelper: await measure(helper) };
  } finally {
    server.stop();
  }
}

try {
  generateProject(folder, files, workflows);
  console.log(`${files} files, ${workflows} with workflows, ${process.version}; CPU in ms`);
  console.log("without the plugin", await session([]));
  console.log("with the plugin   ", await session([{ name: "stepproof/language-service" }]));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
