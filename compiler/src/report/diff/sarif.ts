import { CHANGE_KINDS } from "../../../../runtime/src/manifest/change-kinds.js";
import type { RenderOptions } from "../check-report.js";
import { artifact, sarifLog } from "../sarif.js";
import type { DiffView, ShownChange } from "./diff-report.js";
import { replayText } from "./replay-text.js";

const LEVELS = { breaking: "error", risky: "warning", safe: "note" } as const;
const HELP = "https://unpkg.com/stepproof/docs/ci.md";

/** Changes as SARIF, one rule per kind of change; accepted ones are suppressed with their reason. */
export function renderDiffSarif({ report }: DiffView, options: RenderOptions): string {
  const kinds = Object.entries(CHANGE_KINDS);
  const rules = kinds.map(([kind, row]) => ({
    id: `deploy/${kind}`,
    shortDescription: { text: row.title },
    fullDescription: { text: `${row.title}: what it means for instances that are running.` },
    help: { text: "stepproof diff shows the history that breaks and the statement to add." },
    helpUri: HELP,
    defaultConfiguration: { level: LEVELS[row.level] },
  }));
  const results = report.workflows.flatMap((workflow) =>
    workflow.changes.map((change) => ({
      ruleId: `deploy/${change.kind}`,
      ruleIndex: kinds.findIndex(([kind]) => kind === change.kind),
      level: LEVELS[change.level],
      message: { text: messageOf(workflow.name, change) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: artifact(options.pathPrefix + change.place.file),
            region: { startLine: change.place.line ?? 1 },
          },
          logicalLocations: [{ fullyQualifiedName: [workflow.name, ...change.path].join("/") }],
        },
      ],
      partialFingerprints: { "stepproof/change/v1": change.token },
      ...(change.accepted === null
        ? {}
        : { suppressions: [{ kind: "external", justification: change.accepted }] }),
    })),
  );
  return sarifLog(rules, results, options.toolVersion);
}

function messageOf(workflow: string, change: ShownChange): string {
  const remedy = change.remedy === null ? "" : ` ${change.remedy.title}: ${change.remedy.statement}`;
  const replay = replayText(change).map((line) => ` ${line.trim()}`);
  return `Workflow ${workflow}: ${change.message.replace(/\.$/, "")}.${remedy}${replay.join("")}`;
}
