import type ts from "typescript";
import type { Activation, Analysis, Operation, Scope } from "./2-solve/types.js";
import type { Reported } from "./3-report/report.js";
import { analyzeHost, hostOfProgram } from "./analyze.js";
import { checkAnalysis } from "./check.js";
import type { Config } from "./config.js";
import type { Host } from "./host/host.js";
import { importsOf } from "./host/imports-of.js";
import { isInPackage, type SourceUnit } from "./host/source-unit.js";

/** How the programs are checked; `cwd` absolute with `/`. */
export interface KeptCheckOptions {
  readonly cwd: string;
  readonly config: Config;
  readonly strict: boolean;
  /** The TypeScript that makes the programs, when it may be another copy than ours. */
  readonly typescript?: typeof ts;
  /** Told what was left out since it is too large; it may be told again with the next program. */
  readonly onNote?: (message: string) => void;
}

/** What one file with workflows led to when it was last looked at. */
interface Root {
  /** Files that decide what is found for it: by import, or called through types. */
  readonly reaches: ReadonlySet<string>;
  /** Files with workflow code of its workflows: where their findings stand. Empty for a mere registry. */
  readonly own: ReadonlySet<string>;
}

interface Kept {
  /** Which files there are, and under which options. */
  readonly key: string;
  readonly roots: Map<string, Root>;
  readonly units: Map<string, SourceUnit | null>;
  /** Names of the workflows of a file, in the order of the text: they can be given in another file. */
  readonly names: Map<string, readonly string[]>;
  /** Files with calls that make workflows. */
  readonly calls: Set<string>;
  reported: readonly Reported[];
}

/** What a look at a program gives. */
export interface Look {
  /** Sorted within each file. */
  readonly reported: readonly Reported[];
  /** Files with calls that make workflows. */
  readonly calls: ReadonlySet<string>;
  /** Of the whole program; `null` when only a part of it was looked at again. */
  readonly analysis: Analysis | null;
}

/**
 * Checks of a program that is edited: an editor makes a new one at each keystroke. What no workflow reaches changes
 * nothing; else the files with workflows that reach a changed file are analysed again, with those that share
 * workflow code with them, and no others.
 *
 * It tells what a check of the whole program tells, but for state of a module that only the workflow of another file
 * changes, and types of files that workflows name but do not run: those are seen at the next look at the whole.
 */
export class KeptCheck {
  private kept: Kept | null = null;
  private leadsTo = new WeakMap<SourceUnit, readonly string[]>();

  constructor(private readonly options: KeptCheckOptions) {}

  /**
   * The findings of a program, sorted within each file.
   * @throws {CatalogueDeclarationError} as `analyze`.
   */
  reported(program: ts.Program): readonly Reported[] {
    return this.look(program).reported;
  }

  /**
   * The same, with what the transform needs.
   * @throws {CatalogueDeclarationError} as `analyze`.
   */
  look(program: ts.Program): Look {
    const host = hostOfProgram({ program, ...this.options });
    const key = keyOf(program);
    const { kept } = this;
    const stale = kept?.key === key ? this.staleRoots(kept, host) : null;
    if (kept === null || stale === null) return this.lookAtAll(host, key);
    if (stale.size > 0) this.lookAgain(kept, host, stale);
    return { reported: kept.reported, calls: kept.calls, analysis: null };
  }

  private lookAtAll(host: Host, key: string): Look {
    if (this.kept?.key !== key) this.leadsTo = new WeakMap();
    const analysis = analyzeHost(host, this.options.config);
    const kept: Kept = {
      key,
      roots: this.rootsOf(host.roots, analysis, host),
      units: new Map(),
      names: namesOf(analysis),
      calls: new Set(analysis.workflows.map((workflow) => workflow.call.file)),
      reported: this.findings(analysis),
    };
    this.keepUnits(kept, host);
    this.kept = kept;
    return { reported: kept.reported, calls: kept.calls, analysis };
  }

  /** The roots to be looked at again; `null` = everything. */
  private staleRoots(kept: Kept, host: Host): ReadonlySet<string> | null {
    const present = new Set(host.roots);
    if ([...kept.roots.keys()].some((root) => !present.has(root))) return null;
    const changed = new Set(
      [...kept.units].flatMap(([path, unit]) => (host.source(path) === unit ? [] : [path])),
    );
    const stale = new Set(host.roots.filter((root) => !kept.roots.has(root)));
    for (const [path, root] of kept.roots) {
      if (root.own.size === 0) {
        // It gives workflows their names.
        if (changed.has(path)) return null;
      } else if ([...changed].some((file) => root.reaches.has(file))) stale.add(path);
    }
    for (let before = -1; before !== stale.size;) {
      before = stale.size;
      const own = new Set([...stale].flatMap((root) => [...(kept.roots.get(root)?.own ?? [])]));
      for (const [path, root] of kept.roots) if ([...root.own].some((file) => own.has(file))) stale.add(path);
    }
    return stale.size > kept.roots.size / 2 ? null : stale;
  }

  private lookAgain(kept: Kept, host: Host, stale: ReadonlySet<string>): void {
    const roots = [...stale].sort();
    const analysis = analyzeHost({ ...host, roots }, this.options.config, {
      nameOf: (file, count, index) => {
        const names = kept.names.get(file);
        return names?.length === count ? (names[index] ?? null) : null;
      },
    });
    const looked = this.rootsOf(roots, analysis, host);
    const files = filesJudged(kept.roots, looked);
    for (const [path, root] of looked) kept.roots.set(path, root);
    for (const [file, names] of namesOf(analysis)) if (files.has(file)) kept.names.set(file, names);
    for (const file of files) kept.calls.delete(file);
    for (const { call } of analysis.workflows) kept.calls.add(call.file);
    kept.reported = [
      ...kept.reported.filter((one) => !files.has(one.finding.place.file)),
      ...this.findings(analysis).filter((one) => files.has(one.finding.place.file)),
    ];
    this.keepUnits(kept, host);
  }

  private findings(analysis: Analysis): readonly Reported[] {
    const { cwd, config, strict, onNote } = this.options;
    const { reported, notes } = checkAnalysis(analysis, cwd, { config, strict });
    for (const note of notes) onNote?.(note);
    return reported;
  }

  private keepUnits(kept: Kept, host: Host): void {
    kept.units.clear();
    for (const { reaches } of kept.roots.values())
      for (const file of reaches) if (!kept.units.has(file)) kept.units.set(file, host.source(file));
  }

  private rootsOf(paths: readonly string[], analysis: Analysis, host: Host): Map<string, Root> {
    return new Map(
      paths.map((path) => {
        const called = reachedFrom(path, analysis);
        const files = [...called].map((act) => act.function.file).filter((file) => !isInPackage(file));
        const own = new Set([...called].filter((act) => act.own).map((act) => act.function.file));
        return [path, { reaches: this.imported([path, ...files], host), own }];
      }),
    );
  }

  /** The files, and what they import, and so on. */
  private imported(from: readonly string[], host: Host): ReadonlySet<string> {
    const found = new Set<string>();
    const work = [...from];
    for (let file = work.pop(); file !== undefined; file = work.pop()) {
      if (found.has(file)) continue;
      found.add(file);
      const unit = host.source(file);
      if (unit !== null) work.push(...this.targetsOf(unit, host));
    }
    return found;
  }

  private targetsOf(unit: SourceUnit, host: Host): readonly string[] {
    let targets = this.leadsTo.get(unit);
    if (targets === undefined) {
      targets = importsOf(unit).flatMap(({ specifier, how }) => {
        const target = host.modules.resolve(specifier, unit.path, how);
        return target.kind === "file" && !isInPackage(target.path) ? [target.path] : [];
      });
      this.leadsTo.set(unit, targets);
    }
    return targets;
  }
}

/**
 * The files whose findings a look at some roots decides: those with workflow code of theirs, and helpers that no other
 * root reaches (syntax errors and comments stand there).
 */
function filesJudged(
  before: ReadonlyMap<string, Root>,
  looked: ReadonlyMap<string, Root>,
): ReadonlySet<string> {
  const judged = new Set<string>();
  const helpers = new Set<string>();
  for (const [path, now] of looked) {
    judged.add(path);
    for (const root of [before.get(path), now]) {
      for (const file of root?.own ?? []) judged.add(file);
      for (const file of root?.reaches ?? []) helpers.add(file);
    }
  }
  const others = [...before].filter(([path, root]) => root.own.size > 0 && !looked.has(path));
  for (const file of helpers) if (!others.some(([, root]) => root.reaches.has(file))) judged.add(file);
  return judged;
}

/** A new or deleted file can be what an import means. */
function keyOf(program: ts.Program): string {
  const names = program.getSourceFiles().map((file) => file.fileName);
  return `${JSON.stringify(program.getCompilerOptions())}\n${names.join("\n")}`;
}

function namesOf(analysis: Analysis): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { name, place } of analysis.workflows)
    names.set(place.file, [...(names.get(place.file) ?? []), name]);
  return names;
}

/** What runs on behalf of the code in a file. */
function reachedFrom(path: string, analysis: Analysis): ReadonlySet<Activation> {
  const seen = new Set<Activation>();
  const work = analysis.activations.filter(
    (act) => act.function.file === path || isOpenedIn(path, act.scope),
  );
  for (let act = work.pop(); act; act = work.pop()) {
    if (seen.has(act)) continue;
    seen.add(act);
    for (const operation of act.operations) work.push(...runBy(operation));
  }
  return seen;
}

/** A `run` or a hook that is written in another file belongs to the definition that names it. */
function isOpenedIn(path: string, scope: Scope | null): boolean {
  return scope !== null && (scope.opener.file === path || isOpenedIn(path, scope.parent));
}

function runBy(operation: Operation): readonly Activation[] {
  switch (operation.kind) {
    case "call":
      return operation.targets;
    case "entry":
      return operation.callbacks.flatMap((callback) => callback.activations);
    case "effect":
      return operation.later;
    default:
      return [];
  }
}
