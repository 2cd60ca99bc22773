import { isPackageFile } from "../2-solve/program.js";
import { closest } from "fastest-levenshtein";
import type { FileFacts, Finding, SuppressionFacts } from "../types.js";
import { positionAt } from "./position.js";
import { RULES, findRule } from "./rules.js";

/**
 * Applies the comments `// stepproof-ignore-next-line <rule> -- reason`.
 *
 * A comment silences a finding when it stands over the finding's own line, or over the source at the end
 * of its chain (then all ways to that source are silent). Comments that are at fault become findings of the
 * rule `suppressions`: no rule named, an unknown rule, no reason, or nothing hidden.
 *
 * @param findings all findings of the program.
 * @param files the facts of the files, by absolute path.
 * @param runs tells whether a rule was run at all; of one that was not, a comment need not hide anything.
 * @returns the findings that are left, those about the comments included.
 */
export function applySuppressions(
  findings: readonly Finding[],
  files: ReadonlyMap<string, FileFacts>,
  runs: (rule: string) => boolean,
): Finding[] {
  const used = new Set<string>();
  const kept = findings.filter((finding) => {
    const key = suppressedBy(finding, files);
    if (key === null) return true;
    used.add(key);
    return false;
  });
  for (const file of files.values()) {
    if (isPackageFile(file.path)) continue;
    for (const comment of file.suppressions) kept.push(...faultsOf(comment, file, used, runs));
  }
  return kept;
}

/** The key `file:line:rule` of the comment that silences a finding, or `null`. */
function suppressedBy(finding: Finding, files: ReadonlyMap<string, FileFacts>): string | null {
  const source = finding.chain.at(-1)?.place;
  for (const place of source ? [finding.place, source] : [finding.place]) {
    const file = files.get(place.file);
    if (!file || file.suppressions.length === 0) continue;
    const { line } = positionAt(file.lineStarts, place.span[0]);
    const comment = file.suppressions.find((one) => one.line === line && one.rules.includes(finding.rule));
    if (comment) return keyOf(file, comment, finding.rule);
  }
  return null;
}

function keyOf(file: FileFacts, comment: SuppressionFacts, rule: string): string {
  return `${file.path}:${comment.span[0]}:${rule}`;
}

function faultsOf(
  comment: SuppressionFacts,
  file: FileFacts,
  used: ReadonlySet<string>,
  runs: (rule: string) => boolean,
): Finding[] {
  const fault = (message: string, help: string): Finding => ({
    rule: "suppressions",
    message,
    place: { file: file.path, span: comment.span },
    chain: [],
    help,
  });
  const form = "Write `// stepproof-ignore-next-line <rule> -- reason`.";
  if (comment.rules.length === 0)
    return [fault("This ignore comment names no rule, so it hides nothing", form)];
  const faults: Finding[] = [];
  for (const rule of comment.rules) {
    if (!findRule(rule)) {
      const near = closest(
        rule,
        RULES.map((row) => row.slug),
      );
      faults.push(
        fault(`This ignore comment names \`${rule}\`, which is not a rule`, `Did you mean \`${near}\`?`),
      );
    } else if (runs(rule) && !used.has(keyOf(file, comment, rule))) {
      faults.push(
        fault(
          `This ignore comment hides no finding of \`${rule}\``,
          "Delete it, or move it to the line above the finding.",
        ),
      );
    }
  }
  if (comment.reason === null)
    faults.push(
      fault("This ignore comment gives no reason", `${form} The next reader must be able to check it.`),
    );
  return faults;
}
