import { check, manifestOf, type Diagnostic } from "stepproof";
import type { CheckResult } from "../../compiler/src/check.js";
import { hashWorkflow, type WorkflowManifest } from "../../runtime/src/manifest/index.js";
import { sourceOf, type Files } from "./program/source.js";
import type { Block } from "./program/tree.js";

/** Sources of several programs, checked together: each in a folder of its own, by its number. */
export function checkPrograms(programs: readonly Files[], strict = false): CheckResult {
  const overlay = new Map(
    programs.flatMap((files, number) =>
      [...files].map(([name, text]): [string, string] => [`/fuzz/${number}/${name}`, text]),
    ),
  );
  const paths = [...overlay.keys()].filter((path) => path.endsWith(".ts"));
  return check({ cwd: "/fuzz", paths, overlay, strict });
}

/** What was found in program `number`, with files named as the program names them. */
export function findingsIn(result: CheckResult, number: number): Diagnostic[] {
  const prefix = `${number}/`;
  return result.reported
    .map(({ diagnostic }) => diagnostic)
    .filter(({ file }) => file.startsWith(prefix))
    .map((diagnostic) => ({ ...diagnostic, file: diagnostic.file.slice(prefix.length) }));
}

/** What the compiler makes of each of the programs, in their order, all alike in name and file. */
export function compiledManifests(programs: readonly Block[]): WorkflowManifest[] {
  if (programs.length === 0) return [];
  const { analysis } = checkPrograms(programs.map(sourceOf));
  const made = Object.values(manifestOf(analysis, { root: "/fuzz", tool: "fuzz" }).workflows);
  const byFile = new Map(made.map((one) => [one.file, one]));
  return programs.map((_, number) => {
    const workflow = byFile.get(`${number}/main.ts`);
    if (workflow === undefined) throw new Error("The source has no workflow.");
    const { hash: __, ...content } = { ...workflow, name: "program", file: "main.ts" };
    return { ...content, hash: hashWorkflow(content) };
  });
}
