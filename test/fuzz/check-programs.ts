import { check, type Diagnostic } from "stepproof";
import type { CheckResult } from "../../compiler/src/check.js";
import type { Files } from "./program/source.js";

/** Sources of several programs, checked together: each in a folder of its own, by its number. */
export function checkPrograms(programs: readonly Files[]): CheckResult {
  const overlay = new Map(
    programs.flatMap((files, number) =>
      [...files].map(([name, text]): [string, string] => [`/fuzz/${number}/${name}`, text]),
    ),
  );
  const paths = [...overlay.keys()].filter((path) => path.endsWith(".ts"));
  return check({ cwd: "/fuzz", paths, overlay });
}

/** What was found in program `number`, with files named as the program names them. */
export function findingsIn(result: CheckResult, number: number): Diagnostic[] {
  const prefix = `${number}/`;
  return result.reported
    .map(({ diagnostic }) => diagnostic)
    .filter(({ file }) => file.startsWith(prefix))
    .map((diagnostic) => ({ ...diagnostic, file: diagnostic.file.slice(prefix.length) }));
}
