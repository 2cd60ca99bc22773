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
import { readManifest, type WorkflowManifest } from "../../runtime/src/manifest/index.js";
import { hashWorkflow } from "../../runtime/src/manifest/write-manifest.js";
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

/**
 * Two manifests of as many workflows as asked for: the generated ones, renamed. Of the second, every `changedEach`th
 * workflow has lost its first step (0 = none).
 */
function writeManifests(count: number, changedEach: number): readonly [string, string] {
  const made = join(folder, "manifest.json");
  run(project, [process.execPath, STEPPROOF, "manifest", "-p", "tsconfig.json", "-o", made]);
  const manifest = readManifest(readFileSync(made, "utf8"));
  const all = Object.values(manifest.workflows);
  const paths = [join(folder, "old.json"), join(folder, "new.json")] as const;
  for (const [version, path] of paths.entries()) {
    const many = Array.from({ length: count }, (_, at) => {
      const workflow = all[at % all.length];
      if (workflow === undefined) throw new Error("The generated project has no workflow.");
      const isChanged = version === 1 && changedEach > 0 && at % changedEach === 0;
      const body = isChanged ? withoutFirstStep(workflow.body) : workflow.body;
      const renamed = { ...workflow, name: `w${String(at).padStart(4, "0")}`, body };
      return [renamed.name, { ...renamed, hash: hashWorkflow(renamed) }] as const;
    });
    writeFileSync(path, JSON.stringify({ ...manifest, workflows: Object.fromEntries(many) }));
  }
  return paths;
}

function withoutFirstStep(body: WorkflowManifest["body"]): WorkflowManifest["body"] {
  const first = body.findIndex(({ kind }) => kind === "step");
  return body.filter((_, at) => at !== first);
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
  for (const [what, changedEach] of [
    ["diff of two equal manifests of 500 workflows", 0],
    ["diff of two manifests of 500 workflows, 50 of them changed", 10],
  ] as const) {
    const [before, after] = writeManifests(500, changedEach);
    rows.push(
      await compare(about(what, "ms", "none", "≤ 200 ms"), () =>
        Promise.resolve(run(project, [process.execPath, STEPPROOF, "diff", before, after], [0, 1]).ms),
      ),
    );
  }
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
