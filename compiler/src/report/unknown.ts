import type { Analysis } from "../2-solve/types.js";
import { positionAt } from "../3-report/position.js";
import { relativeTo } from "../3-report/relative.js";

/**
 * The calls that the analysis could not follow, one per line: what `--strict` would report, with the reason.
 * @param cwd absolute with `/`.
 */
export function renderUnknown(analysis: Analysis, cwd: string): string {
  const lines = analysis.unknownCallees.map(({ text, why, operation }) => {
    const { file, span } = operation.place;
    const facts = analysis.files.get(file);
    const { line, column } = facts ? positionAt(facts.lineStarts, span[0]) : { line: 1, column: 1 };
    const reason =
      why === "package"
        ? "a package that is not installed and not in the catalogue"
        : "a value that could be any function";
    return `${relativeTo(cwd, file)}:${line}:${column}  ${text}  ${reason}\n`;
  });
  const all = [...new Set(lines)].sort();
  if (all.length === 0) return "Every call that workflow code makes was followed to its end.\n";
  const help =
    'Declare what you know of them in stepproof.config ("pure", "effectful"), or tag your own functions with @stepproof pure.';
  return `${all.join("")}\n${all.length} ${all.length === 1 ? "call" : "calls"} could not be followed. ${help}\n`;
}
