import type { Analysis } from "../2-solve/types.js";
import { manifestOf, type ManifestOptions } from "../manifest/index.js";
import {
  diffManifests,
  type Change,
  type ChangeId,
  type DiffOptions,
  type DiffResult,
  type Manifest,
} from "../../../runtime/src/manifest/index.js";
import type { Fix } from "../types.js";
import { EntrySites } from "./entry-sites.js";
import { fixFiles } from "./fix-files.js";
import { remedyFix } from "./remedy-fix.js";

export interface FixDiffRequest {
  /** The manifest of the version whose instances run. */
  readonly old: Manifest;
  /** Analyses the sources, with these texts (by absolute path) in place of those on disk. */
  readonly analyse: (overlay: ReadonlyMap<string, string>) => Analysis;
  readonly read: (file: string) => string;
  readonly manifest: ManifestOptions;
  readonly diff?: DiffOptions;
  /** Changes that were let through: they stay as they are. */
  readonly isAccepted?: (id: ChangeId) => boolean;
}

export interface FixDiffResult {
  /** New texts by absolute path, of the files that changed. */
  readonly files: ReadonlyMap<string, string>;
  /** The changes whose remedies were applied, in the order of the rounds. */
  readonly applied: readonly Change[];
  /** What is left: the diff of the old manifest and the new texts. */
  readonly left: DiffResult;
}

/** One remedy can make room for the next. */
const MOST_ROUNDS = 60;

/**
 * Applies the remedies of a diff to the source, until none is left that can be applied. Nothing is
 * written: the texts come back. A round takes one remedy of each workflow, so that the sources are
 * analysed once for all of them; when the result does not parse, or one of the changes is still there, it
 * is undone and the remedies are tried one by one.
 */
export function fixDiff(request: FixDiffRequest): FixDiffResult {
  const texts = new Map<string, string>();
  const read = (file: string): string => texts.get(file) ?? request.read(file);
  const tried = new Set<string>();
  const applied: Change[] = [];
  let analysis = request.analyse(texts);
  let left = diffManifests(request.old, manifestOf(analysis, request.manifest), request.diff);
  const attempt = (round: readonly Found[]): boolean => {
    const before = new Map(texts);
    fixFiles(
      round.map((one) => one.fix),
      { read, write: (file, text) => texts.set(file, text) },
    );
    const nowAnalysis = request.analyse(texts);
    const now = diffManifests(request.old, manifestOf(nowAnalysis, request.manifest), request.diff);
    if (isBroken(nowAnalysis, texts) || round.some((one) => isOpen(left, now, one.change))) {
      texts.clear();
      for (const [file, text] of before) texts.set(file, text);
      return false;
    }
    applied.push(...round.map((one) => one.change));
    analysis = nowAnalysis;
    left = now;
    return true;
  };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = remedies(left, analysis, read).filter(
      ({ key, change }) => !tried.has(key) && request.isAccepted?.(change.id) !== true,
    );
    const each = firstOfEach(found);
    const [next] = each;
    if (next === undefined) break;
    if (each.length > 1 && attempt(each)) {
      for (const { key } of each) tried.add(key);
      continue;
    }
    tried.add(next.key);
    attempt([next]);
  }
  return { files: texts, applied, left };
}

interface Found {
  readonly change: Change;
  readonly fix: Fix;
  readonly key: string;
}

/** The first remedy of each workflow. */
function firstOfEach(found: readonly Found[]): Found[] {
  const seen = new Set<string>();
  return found.filter(({ change }) => {
    const known = seen.has(change.id.workflow);
    seen.add(change.id.workflow);
    return !known;
  });
}

function remedies(diff: DiffResult, analysis: Analysis, read: (file: string) => string): Found[] {
  return diff.workflows.flatMap((workflow) => {
    const found = analysis.workflows.find((one) => one.name === workflow.name);
    if (found === undefined) return [];
    const sites = new EntrySites(found);
    return workflow.changes.flatMap((change) => {
      if (change.level === "safe") return [];
      const fix = remedyFix(change, sites, read);
      return fix === null
        ? []
        : [{ change, fix, key: JSON.stringify([workflow.name, change.remedy?.edits]) }];
    });
  });
}

function isBroken(analysis: Analysis, texts: ReadonlyMap<string, string>): boolean {
  return [...texts.keys()].some((file) => (analysis.files.get(file)?.syntaxErrors.length ?? 0) > 0);
}

/** The change is there still, or another that is not safe has come to its entry instead. */
function isOpen(before: DiffResult, now: DiffResult, { id, kind, path }: Change): boolean {
  const same = JSON.stringify(path);
  const [was, is] = [before, now].map(({ workflows }) =>
    workflows
      .filter(({ name }) => name === id.workflow)
      .flatMap(({ changes }) => changes)
      .filter((one) => one.level !== "safe" && JSON.stringify(one.path) === same),
  ) as [Change[], Change[]];
  return is.length >= was.length || is.some((one) => one.kind === kind);
}
