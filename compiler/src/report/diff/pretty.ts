import pc from "picocolors";
import { CHANGE_KINDS } from "../../../../runtime/src/manifest/change-kinds.js";
import { renderWitness } from "../../../../runtime/src/manifest/render-witness.js";
import type { RenderOptions } from "../check-report.js";
import { wrap } from "../wrap.js";
import { countChanges, type DiffReport, type DiffView, type ShownChange } from "./diff-report.js";
import { remedyPlaceText } from "./remedy-place.js";
import { replayText } from "./replay-text.js";

type Colors = ReturnType<typeof pc.createColors>;

const VERDICTS: Readonly<Record<DiffReport["verdict"], string>> = {
  identical: "Identical: no workflow changed.",
  safe: "Safe: every instance of the old version goes on under the new one.",
  risky: "Risky: whether running instances go on depends on data.",
  breaking: "Breaking: running instances of the old version can't go on under the new one.",
};

/** A diff for people: per workflow its changes, and for what breaks a history that shows it and what to write. */
export function renderDiffPretty({ report }: DiffView, options: RenderOptions): string {
  const colors = pc.createColors(options.color);
  const changed = report.workflows.filter((workflow) => workflow.verdict !== "identical");
  const parts = changed.map((workflow) => {
    const head = `${colors.bold(workflow.name)}  ${colors.dim(workflow.file)}  ${paint(workflow.verdict, colors)(workflow.verdict)}`;
    return [head, "", ...workflow.changes.map((change) => renderChange(change, options, colors))].join("\n");
  });
  return [...parts, renderSummary(report, colors)].join("\n");
}

function renderChange(change: ShownChange, options: RenderOptions, colors: Colors): string {
  const level = change.accepted === null ? paint(change.level, colors)(change.level) : colors.dim("accepted");
  const lines = [`  ${level}  ${colors.bold(CHANGE_KINDS[change.kind].title)}  ${colors.dim(change.token)}`];
  lines.push(wrap(change.message, options.width, "    "));
  if (change.before !== null && change.after !== null && change.before !== change.after) {
    lines.push(`    ${colors.red("-")} ${change.before}`, `    ${colors.green("+")} ${change.after}`);
  }
  if (change.accepted !== null)
    return [...lines, wrap(`Accepted: ${change.accepted}`, options.width, "    "), ""].join("\n");
  lines.push(
    ...witnessLines(change, colors),
    ...replayLines(change, options, colors),
    ...renderRemedy(change, options, colors),
    "",
  );
  return lines.join("\n");
}

/** The tree of the history must not be broken; only its texts are longer than a terminal now and then. */
function witnessLines(change: ShownChange, colors: Colors): string[] {
  if (change.witness === null) return [];
  const [head = "", ...lines] = renderWitness(change.witness);
  return [
    "",
    `    ${colors.cyan(`${head} that an instance can have`)}`,
    ...lines.map((line) => `    ${line}`),
  ];
}

function replayLines(change: ShownChange, options: RenderOptions, colors: Colors): string[] {
  const [head, ...lines] = replayText(change);
  if (head === undefined) return [];
  return [
    wrap(colors.cyan(head), options.width, "    "),
    ...lines.map((line) => wrap(line.trimStart(), options.width, "      ")),
  ];
}

function renderRemedy(change: ShownChange, options: RenderOptions, colors: Colors): string[] {
  const { remedy } = change;
  if (remedy === null) return [];
  return [
    "",
    `    ${colors.green("remedy")}  ${wrap(remedy.title, options.width, "            ").trimStart()}`,
    ...remedy.statement.split("\n").map((line) => `      ${colors.bold(line)}`),
    `      ${colors.dim(remedyPlaceText(remedy.place))}`,
  ];
}

function renderSummary(report: DiffReport, colors: Colors): string {
  const changes = report.workflows.flatMap((workflow) => workflow.changes);
  const lines = [paint(report.verdict, colors)(VERDICTS[report.verdict])];
  if (changes.length > 0)
    lines.push(
      `${countChanges(changes)} in ${report.workflows.filter((one) => one.changes.length > 0).length} of ${report.workflows.length} workflows.`,
    );
  const accepted = changes.filter((change) => change.accepted !== null).length;
  if (accepted > 0) lines.push(`${accepted} of them accepted.`);
  for (const id of report.unusedAcceptances) {
    lines.push(
      colors.yellow(
        `stepproof.accepted.json accepts a change that is not there: ${id.workflow}, ${id.kind}, ${id.path.join("/")}. Delete it.`,
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

function paint(verdict: DiffReport["verdict"], colors: Colors): (text: string) => string {
  if (verdict === "breaking") return colors.red;
  return verdict === "risky" ? colors.yellow : colors.green;
}
