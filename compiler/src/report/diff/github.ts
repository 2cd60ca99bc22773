import { CHANGE_KINDS } from "../../../../runtime/src/manifest/change-kinds.js";
import { renderWitness } from "../../../../runtime/src/manifest/render-witness.js";
import type { RenderOptions } from "../check-report.js";
import { githubCommand } from "../github-command.js";
import type { DiffView, ShownChange } from "./diff-report.js";
import { remedyPlaceText } from "./remedy-place.js";
import { replayText } from "./replay-text.js";

const COMMANDS = { breaking: "error", risky: "warning", safe: "notice" } as const;

/** Changes as annotations of a GitHub workflow run; safe and accepted ones as notices. */
export function renderDiffGithub({ report }: DiffView, options: RenderOptions): string {
  return report.workflows
    .flatMap((workflow) =>
      workflow.changes.map((change) => {
        const level = change.accepted === null ? COMMANDS[change.level] : "notice";
        const { file, line } = change.place;
        const place = { file: options.pathPrefix + file, line: line ?? 1 };
        return `${githubCommand(level, place, `${workflow.name}: ${CHANGE_KINDS[change.kind].title}`, textOf(change))}\n`;
      }),
    )
    .join("");
}

function textOf(change: ShownChange): string {
  const { witness, remedy, accepted } = change;
  const lines = [change.message];
  if (accepted !== null) lines.push(`Accepted: ${accepted}`);
  if (witness !== null) lines.push("", ...renderWitness(witness), ...replayText(change));
  if (remedy !== null)
    lines.push("", `${remedy.title}:`, remedy.statement, `(${remedyPlaceText(remedy.place)})`);
  return lines.join("\n");
}
