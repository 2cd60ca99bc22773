import { CHANGE_KINDS, worse, type ChangeKind, type Level } from "./change-kinds.js";
import { incompatibilities, type CompatibilityLimits, type Finding } from "./compatibility.js";
import type { Change, DiffResult, WorkflowDiff } from "./diff-types.js";
import type { EngineName, Manifest, WorkflowManifest } from "./format.js";
import { hash64 } from "./hash.js";
import { keyText } from "./names.js";
import { pathText, quote } from "./phrases.js";
import { remedyFor } from "./remedy.js";
import { REPLAY_FLAGS, type ReplayFlags } from "./replay-flags.js";
import { differences, type Difference } from "./structure.js";
import type { EntryNode } from "./walk.js";
import { scopePath, witnessOf } from "./witness.js";

export interface DiffOptions {
  /** The engine whose rules are applied; default: the one that the new manifest names, per workflow. */
  readonly engine?: EngineName;
  readonly limits?: CompatibilityLimits;
}

/**
 * Which deploys of `now` over running instances of `old` break them: per workflow every change, its
 * level, and for what breaks a history that shows it and what to write instead (design §7).
 */
export function diffManifests(old: Manifest, now: Manifest, options: DiffOptions = {}): DiffResult {
  const names = [...new Set([...Object.keys(old.workflows), ...Object.keys(now.workflows)])].sort();
  let tooLarge = 0;
  const workflows = names.map((name): WorkflowDiff => {
    const before = own(old.workflows, name);
    const after = own(now.workflows, name);
    if (before === null || after === null) return lonely(name, before, after, old, now);
    if (before.hash === after.hash && before.engine === after.engine) {
      return { name, file: after.file, verdict: "identical", changes: [] };
    }
    const result = diffWorkflow(before, after, options);
    tooLarge += result.tooLarge;
    return result.diff;
  });
  const verdict = workflows.reduce<Level | "identical">(
    (worst, diff) => worse(worst, diff.verdict),
    "identical",
  );
  return { version: 1, verdict, workflows, tooLarge };
}

function own(workflows: Manifest["workflows"], name: string): WorkflowManifest | null {
  return Object.hasOwn(workflows, name) ? (workflows[name] ?? null) : null;
}

function diffWorkflow(
  before: WorkflowManifest,
  after: WorkflowManifest,
  options: DiffOptions,
): { diff: WorkflowDiff; tooLarge: number } {
  const flags: ReplayFlags = REPLAY_FLAGS[options.engine ?? after.engine];
  const written = differences(before, after);
  const { findings, effort } = incompatibilities(before, after, flags, options.limits);
  const blamed = new Map<Difference, Finding>();
  const others = new Map<string, { difference: Difference; finding: Finding }>();
  for (const finding of findings) {
    const cause = causeOf(finding, written);
    if (cause === null) {
      const difference = withoutCause(finding);
      const key = JSON.stringify([difference.kind, difference.path]);
      const known = others.get(key);
      if (known === undefined || isWorse(finding, known.finding)) others.set(key, { difference, finding });
    } else {
      const known = blamed.get(cause);
      if (known === undefined || isWorse(finding, known)) blamed.set(cause, finding);
    }
  }
  const changes = [
    ...written.map((difference) => changeOf(difference, blamed.get(difference) ?? null, before)),
    ...[...others.values()].map(({ difference, finding }) => changeOf(difference, finding, before)),
  ].sort(byLevelAndPath);
  const verdict = changes.reduce<Level>((worst, change) => worse(worst, change.level), "safe");
  return { diff: { name: after.name, file: after.file, verdict, changes }, tooLarge: effort.tooLarge };
}

/** A certain refusal before a doubtful one, a real one before a silent one, then the smaller history. */
function isWorse(finding: Finding, known: Finding): boolean {
  if (finding.sure !== known.sure) return finding.sure;
  const silent = (one: Finding): boolean =>
    one.problem.why === "silent-rerun" || one.problem.why === "abandoned";
  if (silent(finding) !== silent(known)) return silent(known);
  return finding.size < known.size;
}

function changeOf(difference: Difference, finding: Finding | null, before: WorkflowManifest): Change {
  const level = finding === null ? CHANGE_KINDS[difference.kind].level : finding.sure ? "breaking" : "risky";
  const { kind, path, message } = difference;
  return {
    kind,
    id: idOf(before.name, difference),
    path,
    level,
    message,
    before: difference.before,
    after: difference.after,
    witness: finding === null ? null : witnessOf(finding, before),
    remedy: level === "safe" ? null : remedyFor(difference, finding),
  };
}

function idOf(workflow: string, { kind, path, before, after }: Difference): Change["id"] {
  return { workflow, kind, path, content: hash64(JSON.stringify([before, after])) };
}

const LEVELS: readonly Level[] = ["breaking", "risky", "safe"];

function byLevelAndPath(one: Change, other: Change): number {
  const level = LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level);
  if (level !== 0) return level;
  const [a, b] = [JSON.stringify([one.path, one.kind]), JSON.stringify([other.path, other.kind])];
  return a < b ? -1 : a > b ? 1 : 0;
}

// ------------------------------------------------------------------- which change is to blame

/** Kinds that explain a refusal of the entry that they speak of, the likeliest first. */
const CAUSES_AT_OLD: readonly ChangeKind[] = [
  "removed-wrong-kind",
  "entry-kind-changed",
  "branches-changed",
  "entry-renamed",
  "entry-moved-to-scope",
  "gate-removed",
  "gate-retired",
  "entry-removed",
  "entry-declared-removed",
  "removed-deleted",
  "queue-timeout-changed",
];
const CAUSES_AT_NEW: readonly ChangeKind[] = [
  "entry-added",
  "entry-renamed",
  "entry-moved-to-scope",
  "entry-kind-changed",
];
const CAUSES_IN_PASSING: readonly ChangeKind[] = [
  "entry-moved",
  "condition-changed",
  "gate-added",
  "gate-raised",
  "gate-lowered",
];

function causeOf(finding: Finding, written: readonly Difference[]): Difference | null {
  const { problem, run } = finding;
  const item = run.items[problem.unvisited];
  const oldNode = item?.node ?? null;
  const newNode = problem.at?.node ?? null;
  const atOld = (kind: ChangeKind): Difference | undefined =>
    written.find((one) => one.kind === kind && one.old !== null && one.old.node === oldNode);
  const atNew = (kind: ChangeKind): Difference | undefined =>
    written.find((one) => one.kind === kind && one.now !== null && one.now.node === newNode);
  const timeout = item !== undefined && item.key.endsWith(":deadline");
  return (
    firstOf(
      CAUSES_AT_OLD.filter((kind) => kind !== "queue-timeout-changed" || timeout),
      atOld,
    ) ??
    firstOf(CAUSES_AT_NEW, atNew) ??
    firstOf(CAUSES_IN_PASSING, (kind) => atOld(kind) ?? atNew(kind)) ??
    sameScope(finding, written, oldNode, newNode)
  );
}

function firstOf(
  kinds: readonly ChangeKind[],
  find: (kind: ChangeKind) => Difference | undefined,
): Difference | null {
  for (const kind of kinds) {
    const found = find(kind);
    if (found !== undefined) return found;
  }
  return null;
}

/** Entries of several sites (two arms with one name) and changed guards: by key, then by scope. */
function sameScope(
  finding: Finding,
  written: readonly Difference[],
  oldNode: EntryNode | null,
  newNode: EntryNode | null,
): Difference | null {
  const path = scopePath(finding.path);
  const here = written.filter((one) => {
    const scope = (one.old ?? one.now)?.scope.path;
    return (
      scope !== undefined &&
      scope.length === path.length &&
      scope.every((part, index) => part === path[index])
    );
  });
  const names = [oldNode, newNode].filter((node) => node !== null).map((node) => JSON.stringify(node.name));
  const byName = (kind: ChangeKind): Difference | undefined =>
    here.find(
      (one) =>
        one.kind === kind &&
        [one.old, one.now].some((site) => site !== null && names.includes(JSON.stringify(site.node.name))),
    );
  return (
    firstOf([...CAUSES_AT_OLD.slice(0, -1), ...CAUSES_AT_NEW, ...CAUSES_IN_PASSING], byName) ??
    here.find((one) => one.kind === "condition-changed" && isAsked(one, finding)) ??
    firstOf(["entry-moved", "condition-changed", "gate-raised", "gate-lowered", "gate-added"], (kind) =>
      here.find((one) => one.kind === kind),
    )
  );
}

/** One of the guards that lead to the refusal is among the conditions that changed. */
function isAsked({ before, after }: Difference, { asked, run }: Finding): boolean {
  return (
    asked.some(({ text }) => after?.includes(text) === true) ||
    run.assumed.some(({ text }) => before?.includes(text) === true)
  );
}

function withoutCause(finding: Finding): Difference {
  const scope = scopePath(finding.path);
  const item = finding.run.items[finding.problem.unvisited];
  const name = item === undefined ? null : keyText(item.key);
  const path = name === null ? scope : [...scope, name];
  const large = finding.problem.why === "too-large";
  const where = path.length === 0 ? "the workflow" : pathText(path);
  return {
    kind: large ? "too-large" : "history-refused",
    path,
    message: large
      ? `${where} has too many combinations of guards to prove that running instances go on`
      : `what was recorded at ${where} is not accepted any more`,
    before: null,
    after: null,
    old: null,
    now: null,
    scope: null,
  };
}

// ------------------------------------------------------------------- workflows without a twin

function lonely(
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
  const difference: Difference = {
    kind,
    path: [],
    message,
    before: before === null ? null : name,
    after: before === null ? name : twin,
    old: null,
    now: null,
    scope: null,
  };
  const change: Change = {
    kind,
    id: idOf(name, difference),
    path: [],
    level,
    message,
    before: difference.before,
    after: difference.after,
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
