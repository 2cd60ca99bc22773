import { createHash } from "node:crypto";
import { writeManifest } from "../../runtime/src/manifest/index.js";
import type { Analysis } from "./2-solve/types.js";
import type { Reported } from "./3-report/report.js";
import { mentionsEngine } from "./analyze.js";
import { check } from "./check.js";
import { NO_CONFIG, type Config } from "./config.js";
import { NODE_DISK } from "./host/disk.js";
import { ProjectMemory } from "./host/project-memory.js";
import { isInPackage } from "./host/source-unit.js";
import { isTooLarge, leftOutNote } from "./host/too-large.js";
import { isInputError } from "./input-error.js";
import { withoutKnown } from "./known-findings.js";
import { manifestOf } from "./manifest/index.js";
import { toolVersion } from "./package.js";
import { carriedIn, type CarryingCall } from "./transform/carried-in.js";

/** How a session sees a project. Paths are absolute with `/`. */
export interface SessionOptions {
  /** The project's folder: its tsconfig says which files there are, and manifests name files relative to it. */
  readonly root: string;
  readonly tsconfig?: string;
  readonly config?: Config;
  readonly strict?: boolean;
  /** Told once per message: a project that can't be read, a file that is left out. The host tool goes on. */
  readonly onProblem?: (message: string) => void;
}

/** What a session knows of one module of a build. */
export interface ModuleReport {
  /** The findings in it, sorted. */
  readonly reported: readonly Reported[];
  /** The calls that are to carry a manifest; empty when there are none. */
  readonly calls: readonly CarryingCall[];
  /** The other source files that workflows reach: a change of one can change the findings in this one. Sorted. */
  readonly dependsOn: readonly string[];
}

/** Other files (tsconfig, package.json, config) can change anything. */
const SOURCE = /\.[cm]?[jt]sx?$/;

const NOTHING: ModuleReport = { reported: [], calls: [], dependsOn: [] };

/** One analysis with what is taken from it. */
interface Round {
  readonly analysis: Analysis;
  readonly reported: readonly Reported[];
  readonly carried: ReadonlyMap<string, readonly CarryingCall[]>;
}

/**
 * Answers for the modules of a build, one by one as the tool reads them, out of one analysis of the project. Text
 * that differs from what was analysed (edited since, or changed by another plugin) makes it look again; a module
 * that no workflow reaches does not.
 */
export class Session {
  private readonly texts = new Map<string, string>();
  /** Files with workflows that the tsconfig does not name. */
  private readonly outside = new Set<string>();
  private readonly told = new Set<string>();
  private readonly memory = new ProjectMemory();
  private readonly memoryBeyond = new ProjectMemory();
  private project: Round | "unreadable" | null = null;
  private beyond: Round | null = null;

  constructor(private readonly options: SessionOptions) {}

  /** The analysis of the project as it is now; `null` when it can't be read. */
  get analysis(): Analysis | null {
    return this.projectRound()?.analysis ?? null;
  }

  /**
   * @param path absolute with `/`.
   * @param text as the tool is about to compile it.
   */
  module(path: string, text: string): ModuleReport {
    const { config = NO_CONFIG } = this.options;
    let round = this.roundOf(path);
    const isNew = round === null && mentionsEngine(text, config);
    if (round === null && !isNew) return NOTHING;
    if (isTooLarge(path, text)) {
      const note = leftOutNote(path, text);
      if (note !== null) this.tell(note);
      return NOTHING;
    }
    if (round === null || !isTextOf(round, path, text)) {
      this.texts.set(path, text);
      this.forget();
      round = this.roundOf(path);
      if (round === null && !this.outside.has(path)) {
        this.outside.add(path);
        this.beyond = null;
        round = this.roundOf(path);
      }
    }
    if (round === null) return NOTHING;
    const { reported, analysis } = round;
    return {
      reported: reported.filter((one) => one.finding.place.file === path),
      calls: round.carried.get(path) ?? [],
      dependsOn: [...analysis.files.keys()].filter((file) => file !== path && !isInPackage(file)).sort(),
    };
  }

  /**
   * A file was changed on disk. A new or deleted one can be what an import meant; an edited one counts only if
   * a workflow reaches it (whether it now holds a workflow, `module` sees by its text).
   */
  changed(path: string, event: "create" | "update" | "delete"): void {
    this.texts.delete(path);
    if (event !== "update" || !SOURCE.test(path) || this.roundOf(path) !== null) this.forget();
  }

  /** For tools that do not say what changed: forgets the analysis when a file that it read is another one now. */
  refresh(): void {
    const rounds = [this.project, this.beyond].filter((round) => round !== null && round !== "unreadable");
    const files = rounds.flatMap((round) => [...round.analysis.files]).filter(([path]) => !isInPackage(path));
    const isOld = files.some(([path, facts]) => hashOnDisk(path) !== facts.hash);
    if (this.project !== "unreadable" && !isOld) return;
    this.texts.clear();
    this.forget();
  }

  /** What every workflow of the project can record, as the text of a manifest file; `null` when it can't be read. */
  manifestText(): string | null {
    const { analysis } = this;
    return (
      analysis &&
      writeManifest(manifestOf(analysis, { root: this.options.root, tool: `stepproof ${toolVersion()}` }))
    );
  }

  private forget(): void {
    this.project = null;
    this.beyond = null;
  }

  private roundOf(path: string): Round | null {
    const project = this.projectRound();
    if (project?.analysis.files.has(path)) return project;
    if (this.outside.size === 0) return null;
    this.beyond ??= this.round({ paths: [...this.outside].sort() });
    return this.beyond?.analysis.files.has(path) ? this.beyond : null;
  }

  private projectRound(): Round | null {
    const { tsconfig } = this.options;
    this.project ??= this.round(tsconfig === undefined ? {} : { tsconfig }) ?? "unreadable";
    return this.project === "unreadable" ? null : this.project;
  }

  private round(what: { readonly paths?: readonly string[]; readonly tsconfig?: string }): Round | null {
    const { root, config = NO_CONFIG, strict = false } = this.options;
    try {
      const { analysis, reported, notes } = check({
        cwd: root,
        config,
        strict,
        overlay: this.texts,
        memory: what.paths === undefined ? this.memory : this.memoryBeyond,
        ...what,
      });
      for (const note of notes) this.tell(note);
      return {
        analysis,
        reported: withoutKnown(reported, config, root),
        carried: carriedIn(analysis, root),
      };
    } catch (error) {
      if (!isInputError(error)) throw error;
      this.tell(error.message);
      return null;
    }
  }

  private tell(message: string): void {
    if (this.told.has(message)) return;
    this.told.add(message);
    this.options.onProblem?.(message);
  }
}

function isTextOf(round: Round, path: string, text: string): boolean {
  return round.analysis.files.get(path)?.hash === hashOf(text);
}

/** As `FileFacts.hash`. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** `null` when the file is gone. */
function hashOnDisk(path: string): string | null {
  const text = NODE_DISK.read(path);
  return text === undefined ? null : hashOf(text);
}
