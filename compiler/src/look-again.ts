import { isDeepStrictEqual } from "node:util";
import { analyzeHost, namesFrom } from "./analyze.js";
import type { Analysis } from "./2-solve/types.js";
import type { Config } from "./config.js";
import type { Host } from "./host/host.js";
import { noteReads, type Notes } from "./host/noted-host.js";
import {
  declaresTheSame,
  givesTheSame,
  leadsToTheSame,
  programShape,
  type ProgramShape,
} from "./host/program-shape.js";
import { islandsOf, type Island } from "./islands.js";

/** What tells, when files change, which islands of a project still come out as they did. Plain data. */
export interface Standing {
  /** None: nothing holds alone. */
  readonly islands: readonly Island[];
  /** What files that only list workflows call them, by the id of the workflow's root scope. */
  readonly names: Readonly<Record<string, string>>;
  /** The type checker's program, where an island has asked about types; `null` when none has, or it can't tell. */
  readonly shape: ProgramShape | null;
  /** The looks that the islands are of: how much of the bounds on a program's size each took, and at which roots. */
  readonly looks: readonly { readonly roots: readonly string[]; readonly effort: number }[];
}

/** A look at a project, or at the part of it that does not stand. */
export interface Looked<T> {
  /** What was taken from the analysis of what was looked at; `null` when nothing had to be. */
  readonly taken: T | null;
  readonly notes: Notes | null;
  /** Islands of before that stand; the others are those that were looked at. */
  readonly kept: readonly Island[];
  readonly standing: Standing;
}

/** What is known of how the project differs from the one that was looked at. */
export interface Changes {
  /** Whether a file has another text, or something that was asked about it has another answer. */
  readonly isChanged: (path: string) => boolean;
  /** Files may have come or gone, so that names in any file may mean others. */
  readonly filesMoved: boolean;
}

/**
 * A look at the whole.
 * @param take all that is wanted of the analysis. Its facts ask the type checker when they are read, and what was asked
 * decides what the islands hang on: nothing may be read later.
 * @throws {CatalogueDeclarationError} as `analyze`.
 */
export function lookAtAll<T>(given: Host, config: Config, take: (analysis: Analysis) => T): Looked<T> {
  const { host, notes } = noteReads(given);
  const analysis = analyzeHost(host, config);
  const taken = take(analysis);
  const islands =
    analysis.effort < 1 ? islandsOf(analysis, host.roots, notes, () => host.types.imports()) : [];
  const names = namesBy(islands, given, config);
  return {
    taken,
    notes,
    kept: [],
    standing: {
      islands: agreesOnNames(analysis, names) ? islands : [],
      names: Object.fromEntries(names),
      shape: islands.some(({ types }) => types !== "none") ? programShape(host) : null,
      looks: [{ roots: host.roots, effort: analysis.effort }],
    },
  };
}

/**
 * A look at the islands that a change can concern; what comes out of them, with what came out of those that are kept,
 * is what a look at the whole gives. `null` when something changed that can reach every island.
 */
export function lookAgain<T>(
  given: Host,
  config: Config,
  earlier: { readonly standing: Standing; readonly changes: Changes },
  take: (analysis: Analysis) => T,
): Looked<T> | null {
  const { standing, changes } = earlier;
  const { islands } = standing;
  const present = new Set(given.roots);
  const before = new Set(islands.flatMap(({ roots }) => roots));
  const added = given.roots.filter((root) => !before.has(root));
  const isGone = ({ roots }: Island): boolean => !roots.every((root) => present.has(root));
  if (islands.length === 0) return null;
  if (islands.some((one) => one.isRegistry && (isGone(one) || one.files.some(changes.isChanged))))
    return null;

  const registered = namesBy(islands, given, config);
  const { isStale, shape } = staleness(given, standing, changes, added.length > 0 || islands.some(isGone));
  const stale = new Set(islands.filter((one) => !one.isRegistry && (isGone(one) || isStale(one))));
  for (;;) {
    const kept = islands.filter((one) => !stale.has(one));
    if (!areNamesKept(kept, standing.names, registered)) return null;
    const roots = [...added, ...[...stale].flatMap((one) => one.roots)]
      .filter((root) => present.has(root))
      .sort();
    if (roots.length === 0 && !leavesTo(kept, [...stale], []))
      return { taken: null, notes: null, kept, standing: { ...standing, islands: kept } };

    const { host, notes } = noteReads({ ...given, roots });
    const analysis = analyzeHost(host, config, { registered });
    const taken = take(analysis);
    const fresh = islandsOf(analysis, roots, notes, () => host.types.imports());
    if (leavesTo(kept, [...stale], fresh)) return null;
    if (fresh.length === 0 || fresh.some((one) => one.isRegistry)) return null;
    if (!agreesOnNames(analysis, registered)) return null;
    const looks = [
      ...standing.looks.filter((look) =>
        kept.some((one) => one.roots.some((root) => look.roots.includes(root))),
      ),
      { roots, effort: analysis.effort },
    ];
    // Bounds that all share are not felt as long as the sum of what each takes alone is below them.
    if (looks.reduce((sum, { effort }) => sum + effort, 0) >= 1) return null;
    const joined = touched(kept, fresh);
    if (joined.length === 0) {
      const asked = fresh.some(({ types }) => types !== "none");
      return {
        taken,
        notes,
        kept,
        standing: {
          islands: [...kept, ...fresh],
          names: Object.fromEntries(registered),
          shape: asked ? programShape(host) : shape,
          looks,
        },
      };
    }
    if (joined.some((one) => one.isRegistry)) return null;
    for (const one of joined) stale.add(one);
  }
}

/** Which islands a change concerns, and the type checker's program as it is now. */
function staleness(
  host: Host,
  { shape: before }: Standing,
  { isChanged, filesMoved }: Changes,
  rootsMoved: boolean,
): { readonly isStale: (island: Island) => boolean; readonly shape: ProgramShape | null } {
  const changed = Object.keys(before ?? {}).filter(isChanged);
  const moved =
    filesMoved || rootsMoved || !changed.every((path) => before && givesTheSame(path, before, host));
  const shape = before !== null && moved ? programShape(host) : before;
  const known = shape && before && { shape, before };
  const typesHold = known !== null && declaresTheSame(known.shape, known.before);
  const isSameProgram =
    changed.length === 0 && known !== null && isDeepStrictEqual(known.shape, known.before);
  const leadsOn = (path: string): boolean =>
    known !== null && !leadsToTheSame(path, known.shape, known.before);
  const isStale = ({ types, reads }: Island): boolean =>
    reads.some(isChanged) ||
    (types === "imports" && (!typesHold || reads.some(leadsOn))) ||
    (types === "program" && !isSameProgram);
  return { isStale, shape };
}

/** What the registries call the workflows of other files. */
function namesBy(islands: readonly Island[], host: Host, config: Config): ReadonlyMap<string, string> {
  const roots = islands.filter(({ isRegistry }) => isRegistry).flatMap((island) => island.roots);
  return roots.length === 0 ? new Map() : namesFrom({ ...host, roots: roots.sort() }, config);
}

/** False when a name depends on more than the registry that gives it, or on how often a factory was called before. */
function agreesOnNames(analysis: Analysis, names: ReadonlyMap<string, string>): boolean {
  return (
    ![...names.keys()].some((id) => id.includes("@")) &&
    analysis.workflows.every(({ root, name }) => (names.get(root.id) ?? name) === name)
  );
}

/** Whether the workflows of the islands are called as they were. */
function areNamesKept(
  islands: readonly Island[],
  before: Readonly<Record<string, string>>,
  now: ReadonlyMap<string, string>,
): boolean {
  const files = new Set(islands.flatMap((island) => island.files));
  return [...new Set([...Object.keys(before), ...now.keys()])].every(
    (id) => before[id] === now.get(id) || !files.has(fileOfDefinition(id)),
  );
}

/** `definition:FILE:OFFSET` → `FILE` */
function fileOfDefinition(id: string): string {
  return id.slice(id.indexOf(":") + 1, id.lastIndexOf(":"));
}

/** Whether a file that no island follows any more is read by a file that only lists workflows: then it is that one's. */
function leavesTo(kept: readonly Island[], stale: readonly Island[], fresh: readonly Island[]): boolean {
  const followed = new Set(fresh.flatMap(({ files }) => files));
  const left = new Set(stale.flatMap(({ files }) => files.filter((path) => !followed.has(path))));
  return kept.some(({ isRegistry, reads }) => isRegistry && reads.some((path) => left.has(path)));
}

/** The kept islands that have something in common with what was looked at now. */
function touched(kept: readonly Island[], fresh: readonly Island[]): readonly Island[] {
  const files = new Set(fresh.flatMap((island) => island.files));
  const classes = new Set(fresh.flatMap((island) => island.classes));
  return kept.filter(
    (island) =>
      island.files.some((path) => files.has(path)) || island.classes.some((name) => classes.has(name)),
  );
}
