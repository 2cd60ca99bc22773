import { hostOfRequest } from "./analyze.js";
import type { Analysis } from "./2-solve/types.js";
import { checkAnalysis, toCheckReport, type CheckRequest } from "./check.js";
import { NO_CONFIG } from "./config.js";
import type { Host } from "./host/host.js";
import { isInPackage } from "./host/source-unit.js";
import type { Island } from "./islands.js";
import { lookAgain, lookAtAll, type Standing } from "./look-again.js";
import { relativeTo } from "./3-report/relative.js";
import { compareDiagnostics } from "./3-report/report.js";
import { countSeverities, type CheckReport } from "./report/check-report.js";

/** A report with what tells which parts of it still hold when files change. Plain data. */
export interface IslandReport {
  readonly report: CheckReport;
  readonly standing: Standing;
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

function checkAll(host: Host, request: NotedRequest): IslandReport {
  const { taken: report, standing } = lookAtAll(host, request.config ?? NO_CONFIG, (analysis) =>
    reportOf(analysis, request),
  );
  if (report === null) throw new Error("A look at the whole gave no report.");
  // Notes speak of the whole: no part is taken over without them.
  return { report, standing: report.notes.length === 0 ? standing : { ...standing, islands: [] } };
}

/** `null` when something changed that can reach every island. */
function checkAgain(host: Host, request: NotedRequest, { result, changed }: Earlier): IslandReport | null {
  if (![...changed].every((path) => CODE.test(path))) return null;
  const looked = lookAgain(
    host,
    request.config ?? NO_CONFIG,
    {
      standing: result.standing,
      changes: { isChanged: (path) => changed.has(path), filesMoved: false },
    },
    (analysis) => reportOf(analysis, request),
  );
  if (looked === null || request.notes.length > 0) return null; // of the reading itself: no earlier report has them
  const { taken: report, kept, standing } = looked;
  if (report === null)
    return kept.length < result.standing.islands.length ? null : { report: result.report, standing };
  if (report.notes.length > 0) return null;
  const fresh = standing.islands.filter((island) => !kept.includes(island));
  return { report: joined(result.report, report, kept, fresh, request.cwd), standing };
}

function reportOf(analysis: Analysis, request: NotedRequest): CheckReport {
  const { cwd, config = NO_CONFIG, strict = false, notes } = request;
  const result = checkAnalysis(analysis, cwd, { config, strict });
  return toCheckReport({ ...result, notes: [...result.notes, ...notes] }, cwd, 0);
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
