import type { ChangeKind } from "./change-kinds.js";
import type { Finding } from "./findings.js";
import { withoutTurns } from "./names.js";
import type { Site } from "./sites.js";
import type { Difference } from "./structure.js";
import type { EntryNode } from "./walk.js";
import { scopePath } from "./witness.js";

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

/** The difference because of which a history is refused; `null` when none explains it. */
export function causeOf(finding: Finding, written: readonly Difference[]): Difference | null {
  const { problem, run } = finding;
  const item = run.items[problem.unvisited];
  const oldNode = item?.node ?? null;
  const newNode = problem.at?.node ?? null;
  const timeout = item !== undefined && item.key.endsWith(":deadline");
  const kindsAtOld = CAUSES_AT_OLD.filter((kind) => kind !== "queue-timeout-changed" || timeout);
  const ofOld = written.filter((one) => one.old !== null && one.old.node === oldNode);
  const ofNew = written.filter((one) => one.now !== null && one.now.node === newNode);
  const atOld = (kind: ChangeKind): Difference | undefined => ofOld.find((one) => one.kind === kind);
  const atNew = (kind: ChangeKind): Difference | undefined => ofNew.find((one) => one.kind === kind);
  return (
    // A native loop writes several entries at once; each turn may have had a fate of its own.
    firstOf(kindsAtOld, (kind) => ofOld.find((one) => one.kind === kind && isNamed(one.old, item?.key))) ??
    firstOf(kindsAtOld, atOld) ??
    firstOf(CAUSES_AT_NEW, (kind) =>
      ofNew.find((one) => one.kind === kind && isNamed(one.now, problem.at?.key)),
    ) ??
    firstOf(CAUSES_AT_NEW, atNew) ??
    firstOf(CAUSES_IN_PASSING, (kind) => atOld(kind) ?? atNew(kind)) ??
    sameScope(finding, written, oldNode, newNode)
  );
}

const isNamed = (site: Site | null, key: string | undefined): boolean =>
  site !== null && key !== undefined && withoutTurns(site.key) === withoutTurns(key);

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
