import { CHANGE_KINDS, type ChangeKind } from "./change-kinds.js";
import type { Change, WorkflowDiff } from "./diff-types.js";
import type { Manifest, WorkflowManifest } from "./format.js";
import { quote } from "./phrases.js";
import { changeId } from "./workflow-diff.js";

/** What it means that only one of two versions has a workflow of this name. */
export function lonelyWorkflow(
  name: string,
  before: WorkflowManifest | null,
  after: WorkflowManifest | null,
  old: Manifest,
  now: Manifest,
): WorkflowDiff {
  const twin = before === null ? twinOf(after, old, now) : twinOf(before, now, old);
  const kind: ChangeKind =
    before === null ? "workflow-added" : twin === null ? "workflow-removed" : "workflow-renamed";
  const { level } = CHANGE_KINDS[kind];
  const message =
    before === null
      ? `new workflow ${quote(name)}${twin === null ? "" : `, the same as ${quote(twin)} was`}`
      : twin === null
        ? `workflow ${quote(name)} is gone; its running instances have no code to go on with`
        : `workflow ${quote(name)} was renamed to ${quote(twin)}; its running instances have no code to go on with`;
  const was = before === null ? null : name;
  const is = before === null ? name : twin;
  const change: Change = {
    kind,
    id: changeId(name, { kind, path: [], before: was, after: is }),
    path: [],
    level,
    message,
    before: was,
    after: is,
    witness:
      before === null
        ? null
        : {
            history: { entries: [] },
            call: null,
            error: `no workflow ${quote(name)} is registered; every instance of it is stuck`,
            diverges: true,
            reruns: [],
            assumptions: [],
            decisions: [],
            because: null,
          },
    remedy:
      before === null
        ? null
        : {
            title: `Keep the name until the last instance has ended`,
            statement:
              twin === null
                ? `setup({ use: { ${name} } })`
                : `setup({ use: { ${JSON.stringify(name)}: ${twin} } })`,
            place: { scope: [], position: "at the end", entry: null },
            edits: [],
          },
  };
  return { name, file: (after ?? before)?.file ?? "", verdict: level, changes: [change] };
}

/** A workflow that only the other manifest has and whose code is the same. */
function twinOf(workflow: WorkflowManifest | null, there: Manifest, here: Manifest): string | null {
  const body = JSON.stringify(workflow?.body);
  const twin = Object.keys(there.workflows)
    .sort()
    .find(
      (name) => !Object.hasOwn(here.workflows, name) && JSON.stringify(there.workflows[name]?.body) === body,
    );
  return twin ?? null;
}
