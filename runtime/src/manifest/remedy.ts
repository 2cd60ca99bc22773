import type { Finding } from "./findings.js";
import type { InsertPosition, Remedy, RemedyEdit, RemedyPlace } from "./diff-types.js";
import type { EntryKind } from "./format.js";
import { isLiteralKey, keyText, patternText } from "./names.js";
import { describe, quote } from "./phrases.js";
import type { ScopeSites, Site } from "./sites.js";
import type { Difference } from "./structure.js";

/**
 * What can be written in the new code so that running instances go on, the likeliest first; whether it helps is to
 * be proven (`ProvenRemedies`). Statements speak of the context as `ctx`; in a loop, branch or try block it is that
 * scope's own.
 */
export function remediesFor(difference: Difference, finding: Finding | null): readonly Remedy[] {
  const { old, now } = difference;
  switch (difference.kind) {
    case "entry-removed":
    case "gate-removed":
    case "removed-deleted":
      return old === null ? [] : declareRemoved(difference, old, finding);
    case "entry-declared-removed":
      return old === null || now === null ? [] : moveRemoved(old, now, finding);
    case "removed-wrong-kind":
      return old === null || now === null ? [] : [correctKind(old, now)];
    case "entry-renamed":
      if (old === null || now === null) return [];
      return [keepName(old, now), ...declareRemoved(difference, old, finding)];
    case "entry-kind-changed":
      return old === null || now === null ? [] : [newName(old, now)];
    case "entry-added":
      return now === null ? [] : [gate(now)];
    case "queue-timeout-changed":
      return old === null || now === null ? [] : declareDeadline(old, now);
    case "branches-changed":
      return now === null ? [] : [gateBoth(now, "the old set of branches", "the new one")];
    case "entry-moved":
      return now === null ? [] : [gateBoth(now, "the old order", "the new one")];
    case "entry-moved-to-scope":
      return now === null ? [] : [gateBoth(now, "the old place", "the new one")];
    case "condition-changed":
      return now === null
        ? []
        : [gateBoth(now, `the old condition (${conditionText(difference)})`, "the new one")];
    case "gate-retired":
      return now === null ? [] : [drain(now)];
    case "output-type-changed":
    case "loop-state-type-changed":
    case "state-type-changed":
    case "queue-body-type-changed":
      return [bothShapes(difference)];
    default:
      return [];
  }
}

/** What is left when no statement that can be put somewhere helps. */
export function lastResort({ scope, old, now }: Difference): Remedy {
  const site = now ?? old;
  const name = site === null ? "change" : `change-${site.name}`;
  return {
    title:
      "No statement put into the new code helps by itself. Keep the old code of this scope for the instances that run, behind a version gate, or let them end before the deploy (stepproof preflight tells which are left)",
    statement: `const version = await ctx.getVersion(${JSON.stringify(scope === null ? name : unusedName(name, scope))}, 2);\nif (version >= 2) {\n  // the new code\n} else {\n  // the old code\n}`,
    place: { scope: (scope ?? site?.scope)?.path ?? [], position: "at the start", entry: null },
    edits: [],
  };
}

/** Without the fingerprints that tell one computation from another. */
function conditionText({ old }: Difference): string {
  return old?.conditions.map((one) => one.text).join(", and ") ?? "";
}

function declareRemoved(difference: Difference, old: Site, finding: Finding | null): Remedy[] {
  const scope = difference.scope;
  const was = recordedAs(old, finding);
  return placesOfGone(old, scope, finding).map(({ position, entry }): Remedy => {
    const place: RemedyPlace = { scope: scope?.path ?? old.scope.path, position, entry };
    return {
      title: `Declare ${describe(old.node, old.name)} removed: instances that recorded it go on, others skip it`,
      statement: removedStatement(old.name, was),
      place,
      edits: isLiteralKey(old.key)
        ? [{ do: "insert-removed", scope: place.scope, name: old.name, was, position, entry }]
        : [],
    };
  });
}

/** The kind that the history holds under the name. */
function recordedAs(old: Site, finding: Finding | null): EntryKind {
  if (old.node.kind !== "removed") return old.node.kind === "try" ? "step" : old.node.kind;
  const recorded = finding?.run.items[finding.problem.unvisited]?.kind;
  return recorded === undefined || recorded === "try" || recorded === "removed"
    ? (old.node.was as EntryKind)
    : recorded;
}

interface InsertPlace {
  readonly position: InsertPosition;
  readonly entry: string | null;
}

/**
 * Where the old entry can be declared, the place where it was first: before what came after it (or before the new
 * step that is refused, if that comes first), behind what came before it, at the end and the start of its scope.
 */
function placesOfGone(old: Site, scope: ScopeSites | null, finding: Finding | null): InsertPlace[] {
  const start: InsertPlace = { position: "at the start", entry: null };
  const end: InsertPlace = { position: "at the end", entry: null };
  if (scope === null) return [end, start];
  // Where arms stand last, all of them may return: the end is not come to, and manifests don't say so.
  const last = scope.sites.at(-1);
  const ends = last !== undefined && last.conditions.length > 0 ? [start] : [end, start];
  const kept = new Map(scope.sites.map((site) => [site.key, site]));
  const following = old.scope.sites.slice(old.order + 1).find((site) => kept.has(site.key));
  const preceding = old.scope.sites.slice(0, old.order).findLast((site) => kept.has(site.key));
  const refused = scope.sites.find((site) => site.node === finding?.problem.at?.node);
  const first = [following && kept.get(following.key), refused]
    .filter((site) => site !== undefined && site.scope.path.length === scope.path.length)
    .sort((a, b) => (a?.order ?? 0) - (b?.order ?? 0))[0];
  const behind = preceding && kept.get(preceding.key);
  const places = [
    ...(first ? [{ position: "before" as const, site: first }] : []),
    ...(behind ? [{ position: "behind" as const, site: behind }] : []),
  ];
  const besides = (always: boolean): InsertPlace[] =>
    places
      // In an arm in which the old entry was not, not every instance comes past it.
      .filter(({ site }) => site.conditions.length <= old.conditions.length === always)
      .map(({ position, site }) => ({ position, entry: site.name }));
  const [sure, doubtful] = [besides(true), besides(false)];
  // Behind an entry that is reached a statement is reached as well; of the end manifests don't say it.
  return first ? [...sure, start, ...doubtful, ...ends] : [...sure, ...ends, ...doubtful];
}

function moveRemoved(old: Site, now: Site, finding: Finding | null): Remedy[] {
  const step = finding?.problem.why === "new-step" ? finding.problem.at.node : null;
  if (step === null || now.node.kind !== "removed") return [];
  const scope = now.scope.path;
  const statement = removedStatement(now.name, now.node.was as EntryKind);
  const before = patternText(step.name);
  const rule = "a new step is refused while a recorded entry is unvisited";
  return [
    {
      title: `Declare it before the new ${describe(step)}: ${rule}`,
      statement,
      place: { scope, position: "before", entry: before },
      edits: [{ do: "move-removed", scope, name: now.name, position: "before", entry: before }],
    },
    {
      title: `Declare ${describe(old.node, old.name)} first of all: ${rule}`,
      statement,
      place: { scope, position: "at the start", entry: null },
      edits: [{ do: "move-removed", scope, name: now.name, position: "at the start", entry: null }],
    },
  ];
}

function correctKind(old: Site, now: Site): Remedy {
  const was = old.node.kind === "try" || old.node.kind === "removed" ? "step" : old.node.kind;
  const scope = now.scope.path;
  return {
    title: `Name the kind that is recorded: ${was}`,
    statement: removedStatement(now.name, was),
    place: { scope, position: "instead of", entry: now.name },
    edits: [{ do: "set-removed-kind", scope, name: now.name, was }],
  };
}

function keepName(old: Site, now: Site): Remedy {
  const scope = now.scope.path;
  const literal = isPlain(old) && isPlain(now);
  return {
    title: `Keep the recorded name: under a new name ${describe(now.node, now.name)} is another entry, and what is recorded under ${quote(old.name)} is lost`,
    statement: literal ? JSON.stringify(old.name) : `\`${old.name}\``,
    place: { scope, position: "instead of", entry: now.name },
    edits: literal ? [{ do: "rename", scope, from: now.name, to: old.name }] : [],
  };
}

function newName(old: Site, now: Site): Remedy {
  const scope = now.scope.path;
  const fresh = unusedName(`${now.name}-${now.node.kind}`, now.scope);
  const was = old.node.kind === "try" || old.node.kind === "removed" ? "step" : old.node.kind;
  const literal = isPlain(now);
  const edits: RemedyEdit[] = [
    { do: "rename", scope, from: now.name, to: fresh },
    { do: "insert-removed", scope, name: old.name, was, position: "before", entry: fresh },
  ];
  return {
    title: `Give the ${now.node.kind} a name of its own (${quote(fresh)}) and declare the old ${was} removed before it`,
    statement: removedStatement(old.name, was),
    place: { scope, position: "before", entry: now.name },
    edits: literal && old.node.kind !== "try" && now.node.kind !== "try" ? edits : [],
  };
}

function gate(now: Site): Remedy {
  const scope = now.scope.path;
  const name = unusedName(`add-${now.name}`, now.scope);
  return {
    title: `Put it behind a version gate: instances that are past this point skip it, new ones run it`,
    statement: `const version = await ctx.getVersion(${JSON.stringify(name)}, 2);\nif (version >= 2) {\n  …\n}`,
    place: { scope, position: "around", entry: now.name },
    edits: isPlain(now) ? [{ do: "gate", scope, entry: now.name, gate: name }] : [],
  };
}

function gateBoth(now: Site, old: string, fresh: string): Remedy {
  const name = unusedName(`change-${now.name}`, now.scope);
  return {
    title: `Keep both behind a version gate: ${old} for instances that are past this point, ${fresh} for the others`,
    statement: `const version = await ctx.getVersion(${JSON.stringify(name)}, 2);\nif (version >= 2) {\n  // ${fresh}\n} else {\n  // ${old}\n}`,
    place: { scope: now.scope.path, position: "around", entry: now.name },
    edits: [],
  };
}

function declareDeadline(old: Site, now: Site): Remedy[] {
  const name = `${old.name}:deadline`;
  const scope = now.scope.path;
  const places: readonly InsertPlace[] = [
    { position: "before", entry: now.name },
    { position: "at the start", entry: null },
  ];
  return places.map(({ position, entry }): Remedy => {
    return {
      title: `Keep the timeout, or declare the deadline that instances have recorded as removed`,
      statement: removedStatement(name, "sleep"),
      place: { scope, position, entry },
      edits: isPlain(old) ? [{ do: "insert-removed", scope, name, was: "sleep", position, entry }] : [],
    };
  });
}

function drain(now: Site): Remedy {
  return {
    title: `Keep the gate and its old arm until no instance is pinned to an older version (stepproof preflight --db tells)`,
    statement: `await ctx.getVersion(${JSON.stringify(now.name)}, …);`,
    place: { scope: now.scope.path, position: "instead of", entry: now.name },
    edits: [],
  };
}

function bothShapes(difference: Difference): Remedy {
  const site = difference.now;
  return {
    title: `Read both shapes: what is recorded keeps the old one (${difference.before ?? ""})`,
    statement: `// ${difference.before ?? "the old type"} | ${difference.after ?? "the new type"}`,
    place: {
      scope: site?.scope.path ?? [],
      position: site === null ? "at the end" : "instead of",
      entry: site?.name ?? null,
    },
    edits: [],
  };
}

function removedStatement(name: string, was: EntryKind): string {
  return `await ctx.removed(${name.includes("${") ? `\`${name}\`` : JSON.stringify(keyText(name))}, ${JSON.stringify(was)});`;
}

function isPlain(site: Site): boolean {
  return site.node.name.every((part) => typeof part === "string");
}

function unusedName(wanted: string, scope: ScopeSites): string {
  const used = new Set(scope.sites.map((site) => site.name));
  let name = wanted;
  for (let number = 2; used.has(name); number++) name = `${wanted}-${number}`;
  return name;
}
