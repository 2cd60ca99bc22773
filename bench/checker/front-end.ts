/**
 * Measures the checker's front end on a generated project, part by part: opening, lowering what the workflows reach,
 * the first question to the type checker (which makes the program and binds it) and the return types that rules ask.
 * Times are CPU (user) in ms, medians; every round is a process of its own.
 *
 *   npx tsx bench/checker/front-end.ts [rounds=5] [files=500] [workflows=30]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFactsSource } from "../../compiler/src/1-collect/index.js";
import { openProject } from "../../compiler/src/host/index.js";
import type { FactsSource } from "../../compiler/src/types.js";
import { generateProject } from "./generate.js";

type Part = "open" | "lower" | "first type" | "return types" | "files" | "peak MB";
type Round = Record<Part, number>;

function measure(folder: string): Round {
  let before = process.cpuUsage().user;
  const lap = (): number => {
    const now = process.cpuUsage().user;
    const ms = (now - before) / 1000;
    before = now;
    return ms;
  };
  const host = openProject({
    cwd: folder,
    tsconfig: "tsconfig.json",
    engineModules: ["@rivet-dev/workflows"],
  });
  const open = lap();
  const source = createFactsSource(host);
  const files = reach(source);
  const lower = lap();
  const functions = source.roots.flatMap((path) => source.file(path)?.functions ?? []);
  void functions[1]?.returnType;
  const firstType = lap();
  for (const fn of functions) void fn.returnType;
  const returnTypes = lap();
  const peak = process.resourceUsage().maxRSS / 1024;
  return { open, lower, "first type": firstType, "return types": returnTypes, files, "peak MB": peak };
}

/** Lowers every file that the roots' names lead to, as a solver would at most; gives their number. */
function reach(source: FactsSource): number {
  const seen = new Set(source.roots);
  for (const path of seen) {
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const { ref } = value as { ref?: { to: string; id?: string } };
      if (ref?.to === "binding" && ref.id !== undefined) seen.add(ref.id.slice(0, ref.id.lastIndexOf(":")));
      for (const inner of Object.values(value)) visit(inner);
    };
    visit(source.file(path)?.functions);
  }
  return seen.size;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--round") {
  process.stdout.write(JSON.stringify(measure(rest[0] ?? ".")));
} else {
  const [rounds = 5, files = 500, workflows = 30] = [first, ...rest]
    .filter((given) => given !== undefined)
    .map(Number);
  const folder = mkdtempSync(join(tmpdir(), "stepproof-bench-"));
  try {
    const project = generateProject(folder, files, workflows);
    const own = fileURLToPath(import.meta.url);
    const results = Array.from(
      { length: rounds },
      () => JSON.parse(execFileSync("npx", ["tsx", own, "--round", folder], { encoding: "utf8" })) as Round,
    );
    const parts: readonly Part[] = ["open", "lower", "first type", "return types", "files", "peak MB"];
    const medians = Object.fromEntries(
      parts.map((part) => [part, Math.round(median(results.map((round) => round[part])))]),
    );
    console.table(medians);
    console.log(
      JSON.stringify({
        bench: "checker/front-end",
        files: project.files,
        workflows: project.workflows,
        bytes: project.bytes,
        rounds,
        medians,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
