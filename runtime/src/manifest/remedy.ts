import type { Finding } from "./compatibility.js";
import type { Remedy, RemedyEdit, RemedyPlace } from "./diff-types.js";
import type { EntryKind } from "./format.js";
import { keyText, patternText } from "./names.js";
import { describe, quote } from "./phrases.js";
import type { ScopeSites, Site } from "./sites.js";
import type { Difference } from "./structure.js";

/**
 * What to write in the new code so that running instances go on; `null` when nothing can be said that
 * holds. Statements speak of the context as `ctx`; in a loop, branch or try block it is that scope's own.
 */
export function remedyFor(difference: Difference, finding: Finding | null): Remedy | null {
  const { old, now } = difference;
  switch (difference.kind) {
    case "entry-removed":
    case "gate-removed":
    case "removed-deleted":
      return old === null ? null : declareRemoved(difference, old, finding);
    case "entry-declared-removed":
      return now === null ? null : moveRemoved(now, finding);
    case "removed-wrong-kind":
      return old === null || now === null ? null : correctKind(old, now);
    case "entry-renamed":
      return old === null || now === null ? null : keepName(old, now);
    case "entry-kind-changed":
      return old === null || now === null ? null : newName(old, now);
    case "entry-added":
      return now === null ? null : gate(now);
    case "queue-timeout-changed":
      return old === null || now === null ? null : declareDeadline(old, now);
    case "branches-changed":
      return now === null ? null : gateBoth(now, "the old set of branches", "the new one");
    case "entry-moved":
    case "entry-moved-to-scope":
      return now === null ? null : gateBoth(now, "the old order", "the new one");
    case "condition-changed":
      return now === null
        ? null
        : gateBoth(now, `the old condition (${difference.before ?? ""})`, "the new one");
    case "gate-retired":
      return now === null ? null : drain(now);
    case "output-type-changed":
    case "loop-state-type-changed":
    case "state-type-changed":
    case "queue-body-type-changed":
      return bothShapes(difference);
    default:
      return null;
  }
}

function declareRemoved(difference: Difference, old: Site, finding: Finding | null): Remedy {
  const scope = difference.scope;
  const path = scope?.path ?? old.scope.path;
  const was = recordedAs(old, finding);
  const before = scope === null ? null : placeOfGone(old, scope, finding);
  return {
    title: `Declare ${describe(old.node)} removed: instances that recorded it go on, others skip it`,
    statement: removedStatement(old.name, was),
    place: placeBefore(path, before),
    edits: [{ do: "insert-removed", scope: path, name: old.name, was, before }],
  };
}

/** The kind that the history holds under the name. */
function recordedAs(old: Site, finding: Finding | null): EntryKind {
  if (old.node.kind !== "removed") return old.node.kind === "try" ? "step" : old.node.kind;
  const recorded = finding?.run.items[finding.problem.unvisited]?.kind;
  return recorded === undefined || recorded === "try" || recorded === "removed"
    ? (old.node.was as EntryKind)
    : recorded;
}

/**
 * The entry of the new code before which the old one has to be declared: the place where it was, or
 * the new step that is refused, whichever comes first.
 */
function placeOfGone(old: Site, scope: ScopeSites, finding: Finding | null): string | null {
  const kept = new Map(scope.sites.map((site) => [site.key, site]));
  const following = old.scope.sites.slice(old.order + 1).find((site) => kept.has(site.key));
  const candidates = following === undefined ? [] : [kept.get(following.key)];
  const refused = finding?.problem.at?.node;
  candidates.push(scope.sites.find((site) => site.node === refused));
  const known = candidates.filter(
    (site) => site !== undefined && site.scope.path.length === scope.path.length,
  );
  const first = known.sort((a, b) => (a?.order ?? 0) - (b?.order ?? 0))[0];
  return first?.name ?? null;
}

function moveRemoved(now: Site, finding: Finding | null): Remedy | null {
  const step = finding?.problem.why === "new-step" ? finding.problem.at.node : null;
  if (step === null || now.node.kind !== "removed") return null;
  const scope = now.scope.path;
  const before = patternText(step.name);
  return {
    title: `Declare it before the new ${describe(step)}: a new step is refused while a recorded entry is unvisited`,
    statement: removedStatement(now.name, now.node.was as EntryKind),
    place: placeBefore(scope, before),
    edits: [{ do: "move-removed", scope, name: now.name, before }],
  };
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
    title: `Keep the recorded name: under a new name ${describe(now.node)} is another entry, and what is recorded under ${quote(old.name)} is lost`,
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
    { do: "insert-removed", scope, name: old.name, was, before: fresh },
  ];
  return {
    title: `Give the ${now.node.kind} a name of its own (${quote(fresh)}) and declare the old ${was} removed before it`,
    statement: removedStatement(old.name, was),
    place: placeBefore(scope, now.name),
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

function declareDeadline(old: Site, now: Site): Remedy {
  const name = `${old.name}:deadline`;
  const scope = now.scope.path;
  return {
    title: `Keep the timeout, or declare the deadline that instances have recorded as removed`,
    statement: removedStatement(name, "sleep"),
    place: placeBefore(scope, now.name),
    edits: isPlain(old) ? [{ do: "insert-removed", scope, name, was: "sleep", before: now.name }] : [],
  };
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

function placeBefore(scope: readonly string[], before: string | null): RemedyPlace {
  return before === null
    ? { scope, position: "at the end", entry: null }
    : { scope, position: "before", entry: before };
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
