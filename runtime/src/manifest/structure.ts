import type { ChangeKind } from "./change-kinds.js";
import { hash64 } from "./hash.js";
import { isScopeNode } from "./scope-nodes.js";
import { compareDetails, workflowDetails } from "./details.js";
import type { Reads, WorkflowManifest } from "./format.js";
import { patternText } from "./names.js";
import { describe, placeText } from "./phrases.js";
import { stepsIn } from "./steps-in.js";
import type { EntryNode } from "./walk.js";
import { innerScopes, sitesOf, type ScopeSites, type Site } from "./sites.js";

/** A difference between two versions, before it is known what it means for histories. */
export interface Difference {
  readonly kind: ChangeKind;
  readonly path: readonly string[];
  readonly message: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Where the entry is written in the old and in the new code. */
  readonly old: Site | null;
  readonly now: Site | null;
  /** The scope of the new code in which the old entry's place would be; `null` when it is gone too. */
  readonly scope: ScopeSites | null;
}

/** What was written differently, entry by entry. */
export function differences(before: WorkflowManifest, after: WorkflowManifest): Difference[] {
  const found: Difference[] = [...workflowDetails(before, after)];
  const gone: Loose[] = [];
  const added: Loose[] = [];
  compareScopes(sitesOf(before.body, [], null), sitesOf(after.body, [], null), { found, gone, added });
  for (const name of new Set([...Object.keys(before.functions), ...Object.keys(after.functions)])) {
    const bodies = [before, after].map((version) =>
      Object.hasOwn(version.functions, name) ? (version.functions[name] ?? []) : [],
    );
    compareScopes(sitesOf(bodies[0] ?? [], [], null), sitesOf(bodies[1] ?? [], [], null), {
      found,
      gone,
      added,
    });
  }
  return [...found, ...looseEnds(gone, added)];
}

/** An entry that only one version has; `scope` is the scope of the new code at that path. */
interface Loose {
  readonly site: Site;
  readonly scope: ScopeSites | null;
}
interface Sink {
  readonly found: Difference[];
  readonly gone: Loose[];
  readonly added: Loose[];
}

function compareScopes(old: ScopeSites, now: ScopeSites, sink: Sink): void {
  const oldByKey = byKey(old.sites);
  const nowByKey = byKey(now.sites);
  const common: { old: Site; now: Site }[] = [];
  for (const [key, sites] of oldByKey) {
    const site = sites[0];
    if (site === undefined) continue;
    const twins = nowByKey.get(key) ?? [];
    const twin = twins.find((candidate) => candidate.node.kind === site.node.kind);
    if (twin !== undefined) common.push({ old: site, now: twin });
    else if (twins[0] !== undefined) sink.found.push(changedKind(site, twins[0], now));
    else if (site.node.kind === "removed") sink.found.push(difference("removed-deleted", site, null, now));
    else sink.gone.push({ site, scope: now });
  }
  for (const [key, sites] of nowByKey) {
    const site = sites[0];
    if (site !== undefined && !oldByKey.has(key) && site.node.kind !== "removed")
      sink.added.push({ site, scope: now });
  }
  const moved = outOfOrder(common);
  const compared = new Map<EntryNode, Set<EntryNode>>();
  for (const pair of common) {
    // Entries of one native loop are written once.
    const twins = compared.get(pair.old.node) ?? new Set();
    if (twins.has(pair.now.node)) continue;
    compared.set(pair.old.node, twins.add(pair.now.node));
    sink.found.push(...compareDetails(pair.old, pair.now, now));
    if (moved.has(pair)) sink.found.push(difference("entry-moved", pair.old, pair.now, now));
    const conditions = changedConditions(oldByKey.get(pair.old.key) ?? [], nowByKey.get(pair.old.key) ?? []);
    if (conditions !== null) {
      sink.found.push({ ...difference("condition-changed", pair.old, pair.now, now), ...conditions });
    }
    if (!isScopeNode(pair.old.node)) continue;
    const inner = innerScopes(pair.now);
    for (const scope of innerScopes(pair.old)) {
      const twin = inner.find((candidate) => candidate.path.at(-1) === scope.path.at(-1));
      if (twin !== undefined) compareScopes(scope, twin, sink);
    }
  }
}

function changedKind(site: Site, twin: Site, scope: ScopeSites): Difference {
  const { node } = twin;
  if (node.kind !== "removed") return difference("entry-kind-changed", site, twin, scope);
  if (site.node.kind !== node.was) return difference("removed-wrong-kind", site, twin, scope);
  return difference(
    node.was === "version_check" ? "gate-retired" : "entry-declared-removed",
    site,
    twin,
    scope,
  );
}

/** The pairs that are not in the longest common order (the fewest that were moved). */
function outOfOrder(pairs: readonly { old: Site; now: Site }[]): Set<{ old: Site; now: Site }> {
  const tails: number[] = [];
  const previous: number[] = [];
  pairs.forEach((pair, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const tail = pairs[tails[middle] ?? 0];
      if (tail !== undefined && tail.now.order < pair.now.order) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  });
  const kept = new Set<number>();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) kept.add(index);
  return new Set(pairs.filter((_pair, index) => !kept.has(index)));
}

function changedConditions(
  old: readonly Site[],
  now: readonly Site[],
): { message: string; before: string; after: string } | null {
  if ([...old, ...now].every(({ conditions }) => conditions.length === 0)) return null;
  const text = (sites: readonly Site[]): string =>
    [...new Set(sites.map((site) => site.conditions.map((one) => one.text).join(", and ") || "always"))]
      .sort()
      .join("; or ");
  const before = text(old);
  const after = text(now);
  const site = old[0];
  if (site === undefined) return null;
  if (before !== after)
    return {
      message: `${describe(site.node)} ${placeText(site)}was reached when: ${before}; now when: ${after}`,
      before,
      after,
    };
  const [was, is] = [waysOf(old), waysOf(now)];
  if (was === is) return null;
  const [from, to] = [entriesRead(old), entriesRead(now)];
  return {
    message: `${describe(site.node)} ${placeText(site)}is reached when: ${after}, but this is computed in another way now${from === to ? "" : ` (from ${to}; before from ${from})`}`,
    before: `${before} (${from}, ${was})`,
    after: `${after} (${to}, ${is})`,
  };
}

/** How the conditions of an entry are computed, to compare. */
function waysOf(sites: readonly Site[]): string {
  const ways = [...new Set(readsOf(sites).map((one) => JSON.stringify(one.ways)))].sort();
  return ways.length === 0 ? "" : hash64(ways.join());
}

/** The entries that the conditions of an entry are computed from, for people. */
function entriesRead(sites: readonly Site[]): string {
  const entries = [...new Set(readsOf(sites).flatMap((one) => one.entries))].sort();
  return entries.length === 0 ? "no entry's result" : entries.join(", ");
}

function readsOf(sites: readonly Site[]): readonly Reads[] {
  return sites.flatMap((site) => site.conditions.flatMap(({ guard }) => guard.reads ?? []));
}

function byKey(sites: readonly Site[]): Map<string, Site[]> {
  const groups = new Map<string, Site[]>();
  for (const site of sites) {
    const group = groups.get(site.key);
    if (group === undefined) groups.set(site.key, [site]);
    else group.push(site);
  }
  return groups;
}

/** One way to pair what is gone with what is new: they share one of the keys, and `fits`. */
interface Pairing {
  readonly kind: ChangeKind;
  readonly keys: (site: Site) => readonly string[];
  readonly fits: (gone: Site, added: Site) => boolean;
}

/** The surest first. */
const PAIRINGS: readonly Pairing[] = [
  { kind: "entry-renamed", keys: (site) => contentKeys(site), fits: () => true },
  {
    kind: "entry-moved-to-scope",
    keys: (site) => [JSON.stringify([site.node.kind, site.name])],
    fits: (gone, added) => !samePath(gone.scope.path, added.scope.path),
  },
  {
    kind: "entry-moved-to-scope",
    keys: stepKeys,
    fits: (gone, added) => gone.node.kind !== added.node.kind || !samePath(gone.scope.path, added.scope.path),
  },
  { kind: "entry-renamed", keys: slotKeys, fits: () => true },
];

/** Sites with one key that are tried for a pair; more are not worth the time. */
const MOST_TRIED = 16;

/** Pairs what is gone with what is new: renamed, moved to another scope; the rest is removed or added. */
function looseEnds(gone: readonly Loose[], added: readonly Loose[]): Difference[] {
  const found: Difference[] = [];
  const goneLeft = new Set(gone);
  const addedLeft = new Set(added);
  for (const pairing of PAIRINGS) {
    const index = new Map<string, Loose[]>();
    for (const loose of addedLeft) {
      for (const key of pairing.keys(loose.site))
        index.set(key, [...(index.get(key) ?? []), loose].slice(0, MOST_TRIED));
    }
    for (const loose of goneLeft) {
      const twin = pairing
        .keys(loose.site)
        .flatMap((key) => index.get(key) ?? [])
        .find((candidate) => addedLeft.has(candidate) && pairing.fits(loose.site, candidate.site));
      if (twin === undefined) continue;
      found.push(difference(pairing.kind, loose.site, twin.site, loose.scope));
      goneLeft.delete(loose);
      addedLeft.delete(twin);
    }
  }
  for (const { site, scope } of goneLeft) {
    found.push(
      difference(site.node.kind === "version_check" ? "gate-removed" : "entry-removed", site, null, scope),
    );
  }
  for (const { site, scope } of addedLeft) {
    found.push(
      difference(site.node.kind === "version_check" ? "gate-added" : "entry-added", null, site, scope),
    );
  }
  return found;
}

function samePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/** Steps: the same body. Scopes: the same steps in them. In the same scope. */
function contentKeys({ node, scope }: Site): string[] {
  if (node.kind === "step") return [JSON.stringify([scope.path, node.kind, node.body])];
  if (!isScopeNode(node)) return [];
  const steps = stepsIn(node).map((step) => [patternText(step.name), step.body]);
  return steps.length === 0 ? [] : [JSON.stringify([scope.path, node.kind, steps])];
}

/** The steps that an entry is or holds, by body and by name. */
function stepKeys({ node }: Site): string[] {
  return stepsIn(node).flatMap((step) => [`body ${step.body}`, `name ${patternText(step.name)}`]);
}

/** The entries around it, for entries that have nothing of their own to be known by. */
function slotKeys({ node, scope, order }: Site): string[] {
  if (node.kind === "step") return [];
  const around = [order - 1, order + 1].map((at) => scope.sites[at]?.key ?? null);
  return around.map((key, side) => JSON.stringify([scope.path, node.kind, side, key]));
}

/** A difference with its message. At least one of `old` and `now` is given. */
export function difference(
  kind: ChangeKind,
  old: Site | null,
  now: Site | null,
  scope: ScopeSites | null,
): Difference {
  const site = old ?? now;
  const path = site === null ? [] : [...site.scope.path, site.name];
  return {
    kind,
    path,
    message: messageOf(kind, old, now),
    before: old === null ? null : describe(old.node, old.name),
    after: now === null ? null : describe(now.node, now.name),
    old,
    now,
    scope,
  };
}

function messageOf(kind: ChangeKind, old: Site | null, now: Site | null): string {
  const was = old === null ? "" : describe(old.node, old.name);
  const is = now === null ? "" : describe(now.node, now.name);
  const where = placeText(old ?? now);
  switch (kind) {
    case "entry-added":
      return `new ${is} ${where}`.trimEnd();
    case "entry-removed":
      return `${was} ${where}is gone, and no ctx.removed() says so`;
    case "entry-declared-removed":
      return `${was} ${where}is gone and declared with ctx.removed()`;
    case "removed-wrong-kind":
      return `ctx.removed() declares ${is}, but what is recorded is a ${old?.node.kind ?? ""}`;
    case "removed-deleted":
      return `${was} ${where}is gone; instances that recorded its placeholder or the old entry still hold it`;
    case "entry-renamed":
      return `${was} ${where}was renamed to ${quoted(now)}`;
    case "entry-kind-changed":
      return `${was} ${where}became a ${now?.node.kind ?? ""} of the same name`;
    case "entry-moved":
      return `${was} ${where}moved to another place in its scope`;
    case "entry-moved-to-scope":
      return movedText(was, where, is, old, now);
    case "gate-added":
      return `new ${is} ${where}`.trimEnd();
    case "gate-removed":
      return `${was} ${where}is gone, and no ctx.removed(${JSON.stringify(old?.name ?? "")}, "version_check") says so`;
    case "gate-retired":
      return `${was} ${where}is retired; instances still pinned to an older version must have ended before the deploy (stepproof preflight tells)`;
    default:
      return `${was || is} ${where}changed`;
  }
}

function movedText(was: string, where: string, is: string, old: Site | null, now: Site | null): string {
  const path = now?.scope.path ?? [];
  const there = path.length === 0 ? "the workflow itself" : `the scope ${path.join("/")}`;
  if (now === null || now.node.kind === old?.node.kind) return `${was} ${where}moved into ${there}`;
  // What a scope held stands outside of it now, or the other way round.
  return isScopeNode(now.node)
    ? `${was} ${where}moved into ${is}`
    : `${was} ${where}is gone, and ${is} that was in it stands in ${there} now`;
}

function quoted(site: Site | null): string {
  return JSON.stringify(site?.name ?? "");
}
