import { check, type CheckRequest } from "../check.js";
import { fixFiles } from "../fix/fix-files.js";
import { readText, writeText } from "./files.js";

/**
 * Applies the safe fixes until none is left; a fix can uncover another finding.
 * @returns how many were applied.
 * @throws what `check` throws.
 */
export function mend(request: CheckRequest): number {
  const rounds = 10;
  let total = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { reported } = check(request);
    const fixes = reported.flatMap(({ finding }) => (finding.fix?.safe === true ? [finding.fix] : []));
    const applied = fixFiles(fixes, {
      read: (file) => readText(file),
      write: (file, text) => {
        writeText(file, text);
      },
    });
    total += applied;
    if (applied === 0) break;
  }
  return total;
}
