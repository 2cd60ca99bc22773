import { CHANGE_KINDS } from "../../../../runtime/src/manifest/change-kinds.js";
import { renderWitness } from "../../../../runtime/src/manifest/render-witness.js";
import { GRAPH_FORMATS, type WorkflowGraph } from "../graph/index.js";
import { countChanges, type DiffReport, type DiffView, type ShownChange } from "./diff-report.js";
import { remedyPlaceText } from "./remedy-place.js";
import { replayText } from "./replay-text.js";

const HEADS: Readonly<Record<DiffReport["verdict"], string>> = {
  identical: "✅ No workflow changed",
  safe: "✅ Safe: running instances go on",
  risky: "⚠️ Risky: it depends on data whether running instances go on",
  breaking: "❌ Breaking: running instances can't go on",
};

/** A comment for a pull request: verdict, changes with witness and remedy, and a picture of what changed. */
export function renderDiffMarkdown({ report, graphs }: DiffView): string {
  const changed = report.workflows.filter((workflow) => workflow.verdict !== "identical");
  const parts = changed.map((workflow) =>
    [
      `### ${inline(workflow.name)}: ${workflow.verdict}`,
      "",
      `${code(workflow.file)}: ${countChanges(workflow.changes)}`,
      "",
      ...workflow.changes.map(renderChange),
      ...graphs.filter((graph) => graph.name === workflow.name).map(picture),
    ].join("\n"),
  );
  const unused = report.unusedAcceptances.map(
    (id) =>
      `- ${code("stepproof.accepted.json")} accepts a change that is not there: ${code([id.workflow, id.kind, ...id.path].join(" "))}`,
  );
  return `${[`## ${HEADS[report.verdict]}`, ...parts, ...(unused.length === 0 ? [] : [unused.join("\n")])].join("\n\n")}\n`;
}

function renderChange(change: ShownChange): string {
  const level = change.accepted === null ? change.level : `accepted (${change.level})`;
  const lines = [
    `- **${level}**: ${inline(change.message)} (${CHANGE_KINDS[change.kind].title}, ${code(change.token)})`,
  ];
  if (change.accepted !== null) lines.push(`  Accepted: ${inline(change.accepted)}`);
  const { witness, remedy } = change;
  if (witness !== null && change.accepted === null)
    lines.push(fence("text", [...renderWitness(witness), ...replayText(change)].join("\n")));
  if (remedy !== null && change.accepted === null) {
    lines.push(
      `  ${inline(remedy.title)} (${inline(remedyPlaceText(remedy.place))}):`,
      fence("ts", remedy.statement),
    );
  }
  return `${lines.join("\n\n")}\n`;
}

function picture(graph: WorkflowGraph): string {
  return `<details><summary>Picture</summary>\n\n\`\`\`mermaid\n${GRAPH_FORMATS.mermaid([graph])}\`\`\`\n\n</details>`;
}

/** An indented block whose fence is longer than any run of backticks in it. */
function fence(language: string, text: string): string {
  const ticks = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((run) => run[0].length + 1)));
  return [`${ticks}${language}`, ...text.split("\n"), ticks].map((line) => `  ${line}`).join("\n");
}

/** Text that Markdown and HTML leave as it is, on one line. */
function inline(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>#|@]/g, "\\$&");
}

function code(text: string): string {
  const plain = text.replace(/\s+/g, " ");
  const ticks = "`".repeat(Math.max(0, ...[...plain.matchAll(/`+/g)].map((run) => run[0].length)) + 1);
  const blank = /^`|`$/.test(plain) ? " " : "";
  return `${ticks}${blank}${plain}${blank}${ticks}`;
}
