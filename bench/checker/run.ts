/**
 * The checker's benchmarks on a generated project: whole processes, product and reference in turn, medians, ratios.
 * Build first.
 *
 *   npx tsx bench/checker/run.ts [files=500] [workflows=30]      BENCH_ROUNDS=5 BENCH_GROWTH=1
 */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare, write, type Row } from "../measure.js";
import { generateProject } from "./generate.js";
import { check, hostTool, run, STEPPROOF, tsc, tsc7, TYPESCRIPT_7 } from "./processes.js";

const [files = 500, workflows = 30] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "stepproof-bench-"));
const large = join(folder, "large");
const project = join(folder, "project");
const out = join(import.meta.dirname, "../../.tmp/bench");
mkdirSync(out, { recursive: true });

type About = Parameters<typeof compare>[0];
const about = (what: string, unit: string, referenceName: string, target: string): About => ({
  what,
  unit,
  better: "less",
  referenceName,
  target,
});

/** A module that workflows reach, changed by a comment: another hash, the same findings. */
const helper = join(project, "src/modules/m8.ts");
const reference = (): Promise<number> => Promise.resolve(tsc(project).ms);

/** Two manifests of as many workflows as asked for: the generated ones, renamed. */
function writeManifests(count: number): readonly [string, string] {
  const made = join(folder, "manifest.json");
  run(project, [process.execPath, STEPPROOF, "manifest", "-p", "tsconfig.json", "-o", made]);
  const manifest = JSON.parse(readFileSync(made, "utf8")) as { workflows: Record<string, { name: string }> };
  const all = Object.values(manifest.workflows);
  const many = Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const name = `w${String(at).padStart(4, "0")}`;
      return [name, { ...all[at % all.length], name }] as const;
    }),
  );
  const paths = [join(folder, "old.json"), join(folder, "new.json")] as const;
  for (const path of paths) writeFileSync(path, JSON.stringify({ ...manifest, workflows: many }));
  return paths;
}

const rows: Row[] = [];
try {
  const { bytes } = generateProject(project, files, workflows);
  console.log(
    `${files} files, ${workflows} of them with workflows, ${Math.round(bytes / 1e3)} kB, ${process.version}\n`,
  );

  rows.push(
    await compare(
      about("check, cold", "ms", "tsc 6 --noEmit", "≤ × 0.25"),
      () => Promise.resolve(check(project, "--no-cache").ms),
      reference,
    ),
  );
  check(project);
  rows.push(
    await compare(
      about("check, nothing changed", "ms", "tsc 6 --noEmit", "≤ × 0.02"),
      () => Promise.resolve(check(project).ms),
      reference,
    ),
  );
  rows.push(
    await compare(
      about("check, one helper file changed", "ms", "tsc 6 --noEmit", "≤ × 0.05"),
      () => {
        appendFileSync(helper, "// changed\n");
        return Promise.resolve(check(project).ms);
      },
      reference,
    ),
  );
  rows.push(
    await compare(
      about("check, cold: peak memory", "MB", "tsc 6 --noEmit", "≤ × 0.5"),
      () => Promise.resolve(check(project, "--no-cache").megabytes),
      () => Promise.resolve(tsc(project).megabytes),
    ),
  );
  rows.push(
    await compare(
      about("check, cold", "ms", "tsc 7 --noEmit", "≤ × 1.0"),
      () => Promise.resolve(check(project, "--no-cache").ms),
      () => Promise.resolve(tsc7(project).ms),
    ),
  );
  symlinkSync(TYPESCRIPT_7, join(project, "node_modules/typescript"), "dir");
  rows.push(
    await compare(
      about("check --native, cold", "ms", "tsc 7 --noEmit", "≤ × 0.5"),
      () => Promise.resolve(check(project, "--no-cache", "--native").ms),
      () => Promise.resolve(tsc7(project).ms),
    ),
    await compare(
      about("check --native, cold: peak memory of the command", "MB", "check, cold", ""),
      () => Promise.resolve(check(project, "--no-cache", "--native").megabytes),
      () => Promise.resolve(check(project, "--no-cache").megabytes),
    ),
    await compare(
      about("tsc plugin, --noEmit", "ms CPU", "without it", "≤ × 1.05"),
      () => Promise.resolve(hostTool(project, "tsc-plugin")),
      () => Promise.resolve(hostTool(project, "tsc")),
    ),
    await compare(
      about("ESLint: what the plugin adds to a run", "ms CPU", "no-floating-promises adds", "≤ × 1.0"),
      () => Promise.resolve(hostTool(project, "eslint-stepproof") - hostTool(project, "eslint")),
      () => Promise.resolve(hostTool(project, "eslint-no-floating-promises") - hostTool(project, "eslint")),
    ),
  );
  const [before, after] = writeManifests(500);
  rows.push(
    await compare(about("diff of two manifests of 500 workflows", "ms", "none", "≤ 200 ms"), () =>
      Promise.resolve(run(project, [process.execPath, STEPPROOF, "diff", before, after]).ms),
    ),
  );
  if (process.env["BENCH_GROWTH"] === "1") {
    generateProject(large, files * 10, workflows * 10);
    rows.push(
      await compare(
        about("10 × the files and workflows, cold", "ms", "1 × the files", "≤ × 11"),
        () => Promise.resolve(check(large, "--no-cache").ms),
        () => Promise.resolve(check(project, "--no-cache").ms),
      ),
      await compare(
        about("10 × the files and workflows: peak memory", "MB", "1 × the files", "≤ × 8"),
        () => Promise.resolve(check(large, "--no-cache").megabytes),
        () => Promise.resolve(check(project, "--no-cache").megabytes),
      ),
    );
  }
  write(join(out, "checker.json"), rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
