import { analyzeHost, hostOfRequest, namesFrom } from "./analyze.js";
import type { Analysis } from "./2-solve/types.js";
import { checkAnalysis, toCheckReport, type CheckRequest } from "./check.js";
import { NO_CONFIG } from "./config.js";
import type { Host } from "./host/host.js";
import { noteReads } from "./host/noted-host.js";
import { isInPackage } from "./host/source-unit.js";
import { islandsOf, type Island } from "./islands.js";
import { relativeTo } from "./3-report/relative.js";
import { compareDiagnostics } from "./3-report/report.js";
import { countSeverities, type CheckReport } from "./report/check-report.js";

/** A report with what tells which parts of it still hold when files change. Plain data. */
export interface IslandReport {
  readonly report: CheckReport;
  /** None: nothing of it holds alone. */
  readonly islands: readonly Island[];
  /** What files that only list workflows call them, by the id of the workflow's root scope. */
  readonly names: Readonly<Record<string, string>>;
  /** At most this much of the bounds on a program's size was taken. */
  readonly effort: number;
}

/** An earlier report of the same request, and all files that have another text since. */
export interface Earlier {
  readonly result: IslandReport;
  readonly changed: ReadonlySet<string>;
}

/** With what was noted while the project was read. */
interface NotedRequest extends CheckRequest {
  readonly notes: readonly string[];
}

/** Texts of others (tsconfig, package.json, data) can change anything. */
const CODE = /\.[cm]?[jt]sx?$/;

/**
 * The report of a check, the same to the byte with and without an earlier one: of that, the islands that no change
 * reaches are taken over.
 * @throws what `check` throws.
 */
export function checkInIslands(given: CheckRequest, earlier: Earlier | null): IslandReport {
  const notes: string[] = [];
  const onNote = (message: string): void => {
    notes.push(message);
    given.onNote?.(message);
  };
  const request: NotedRequest = { ...given, onNote, notes };
  const host = hostOfRequest(request);
  return (earlier === null ? null : checkAgain(host, request, earlier)) ?? checkAll(host, request);
}

function checkAll(given: Host, request: NotedRequest): IslandReport {
  const { config = NO_CONFIG } = request;
  const { host, notes } = noteReads(given);
  const analysis = analyzeHost(host, config);
  const report = reportOf(analysis, request);
  const islands =
    analysis.effort < 1 && report.notes.length === 0 ? islandsOf(analysis, host.roots, notes) : [];
  const names = namesBy(islands, given, request);
  return {
    report,
    islands: agreesOnNames(analysis, names) ? islands : [],
    names: Object.fromEntries(names),
    effort: analysis.effort,
  };
}

/** `null` when something changed that can reach every island. */
function checkAgain(given: Host, request: NotedRequest, { result, changed }: Earlier): IslandReport | null {
  const { islands } = result;
  const isChanged = (path: string): boolean => changed.has(path);
  if (islands.length === 0 || ![...changed].every((path) => CODE.test(path))) return null;
  if (!sameNames(given.roots, islands.flatMap(({ roots }) => roots).sort())) return null;
  if (islands.some(({ isRegistry, files }) => isRegistry && files.some(isChanged))) return null;
  const isStale = ({ isRegistry, asksTypes, reads }: Island): boolean =>
    !isRegistry && (asksTypes || reads.some(isChanged));
  const kept = islands.filter((island) => !isStale(island));
  const roots = islands.filter(isStale).flatMap((island) => island.roots);
  const registered = namesBy(islands, given, request);
  if (!areNamesKept(kept, result.names, registered)) return null;
  if (request.notes.length > 0) return null; // of the reading itself: no earlier report has them
  if (roots.length === 0) return result;

  const { host, notes } = noteReads({ ...given, roots: roots.sort() });
  const analysis = analyzeHost(host, request.config ?? NO_CONFIG, { registered });
  const effort = result.effort + analysis.effort;
  const looked = reportOf(analysis, request);
  const fresh = islandsOf(analysis, host.roots, notes);
  const stands =
    effort < 1 &&
    looked.notes.length === 0 &&
    looked.workflows.length > 0 &&
    fresh.length > 0 &&
    agreesOnNames(analysis, registered) &&
    areApart(fresh, kept);
  if (!stands) return null;
  return {
    report: joined(result.report, looked, kept, fresh, request.cwd),
    islands: [...kept, ...fresh],
    names: Object.fromEntries(registered),
    effort,
  };
}

function reportOf(analysis: Analysis, request: NotedRequest): CheckReport {
  const { cwd, config = NO_CONFIG, strict = false, notes } = request;
  const result = checkAnalysis(analysis, cwd, { config, strict });
  return toCheckReport({ ...result, notes: [...result.notes, ...notes] }, cwd, 0);
}

/** What the registries call the workflows of other files. */
function namesBy(islands: readonly Island[], host: Host, request: CheckRequest): ReadonlyMap<string, string> {
  const roots = islands.filter(({ isRegistry }) => isRegistry).flatMap((island) => island.roots);
  return roots.length === 0
    ? new Map()
    : namesFrom({ ...host, roots: roots.sort() }, request.config ?? NO_CONFIG);
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

/** Whether what was looked at now has still nothing in common with what was not. */
function areApart(fresh: readonly Island[], kept: readonly Island[]): boolean {
  const files = new Set(kept.flatMap((island) => island.files));
  const classes = new Set(kept.flatMap((island) => island.classes));
  return !fresh.some(
    (island) =>
      island.files.some((path) => files.has(path)) || island.classes.some((name) => classes.has(name)),
  );
}

/** The earlier report, as far as it is of the kept islands, and the new one of the fresh ones. */
function joined(
  earlier: CheckReport,
  looked: CheckReport,
  kept: readonly Island[],
  fresh: readonly Island[],
  cwd: string,
): CheckReport {
  const sources = (islands: readonly Island[]): string[] =>
    islands.flatMap(({ files }) => files.filter((path) => !isInPackage(path)));
  const keptFiles = new Set(sources(kept).map((path) => relativeTo(cwd, path)));
  const isKept = ({ file }: { readonly file: string }): boolean => keptFiles.has(file);
  const diagnostics = [...earlier.diagnostics.filter(isKept), ...looked.diagnostics].sort(compareDiagnostics);
  const absolute = new Map(
    [...sources(kept), ...sources(fresh)].map((path) => [relativeTo(cwd, path), path]),
  );
  const pathOf = ({ file }: { readonly file: string }): string => absolute.get(file) ?? file;
  return {
    ...looked,
    diagnostics,
    // Those of one file stand in one of the two reports, in their order.
    workflows: [...earlier.workflows.filter(isKept), ...looked.workflows].sort((a, b) =>
      pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : 0,
    ),
    summary: {
      ...looked.summary,
      ...countSeverities(diagnostics),
      files: keptFiles.size + looked.summary.files,
    },
  };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}
