import { writeManifest } from "../../runtime/src/manifest/index.js";
import { hostOfRequest, mentionsEngine, type AnalyzeRequest } from "./analyze.js";
import type { Reported } from "./3-report/report.js";
import { NO_CONFIG, type Config } from "./config.js";
import { ProjectMemory } from "./host/project-memory.js";
import { isInPackage } from "./host/source-unit.js";
import { isTooLarge, leftOutNote } from "./host/too-large.js";
import { isInputError } from "./input-error.js";
import { KeptCheck, type Look } from "./kept-check.js";
import { withoutKnown } from "./known-findings.js";
import { manifestFrom, withOwnNames } from "./manifest/index.js";
import { toolVersion } from "./package.js";
import { callsThatCarry, type CarryingCall } from "./transform/carried-in.js";

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
  /** The other source files whose change can change what there is to say of this one. Sorted. */
  readonly dependsOn: readonly string[];
}

/** Other files (tsconfig, package.json, config) can change anything. */
const SOURCE = /\.[cm]?[jt]sx?$/;

const NOTHING: ModuleReport = { reported: [], calls: [], dependsOn: [] };

/** What the tsconfig names, or the files with workflows beyond that. */
interface Part {
  readonly check: KeptCheck;
  readonly memory: ProjectMemory;
  /** `null` when it can't be read. */
  known: Known | null;
  /** Something may have changed since. */
  isOld: boolean;
}

/** A look with what is taken from it. */
interface Known {
  readonly look: Look;
  readonly calls: ReadonlyMap<string, readonly CarryingCall[]>;
}

/**
 * Answers for the modules of a build, one by one as the tool reads them, out of one check of the project. Text that
 * differs from what was checked (edited since, or changed by another plugin) makes it look again, at the workflows that
 * it can concern; a module that no workflow reaches does not.
 */
export class Session {
  private readonly texts = new Map<string, string>();
  /** Files with workflows that the tsconfig does not name. */
  private readonly outside = new Set<string>();
  private readonly told = new Set<string>();
  private readonly project: Part;
  private readonly beyond: Part;
  /** How many workflows were solved so far: what was kept after an edit does not count again. */
  solved = 0;

  constructor(private readonly options: SessionOptions) {
    this.project = this.part();
    this.beyond = this.part();
  }

  /**
   * @param path absolute with `/`.
   * @param text as the tool is about to compile it.
   */
  module(path: string, text: string): ModuleReport {
    const { config = NO_CONFIG } = this.options;
    let part = this.partOf(path);
    const isNew = part === null && mentionsEngine(text, config);
    if (part === null && !isNew) return NOTHING;
    if (isTooLarge(path, text)) {
      const note = leftOutNote(path, text);
      if (note !== null) this.tell(note);
      return NOTHING;
    }
    if (part?.look.files.get(path)?.text !== text) {
      this.texts.set(path, text);
      this.forget();
      part = this.partOf(path);
      if (part === null && !this.outside.has(path)) {
        this.outside.add(path);
        this.beyond.isOld = true;
        part = this.partOf(path);
      }
    }
    if (part === null) return NOTHING;
    const { look, calls } = part;
    return {
      reported: look.reported.filter((one) => one.finding.place.file === path),
      calls: calls.get(path) ?? [],
      dependsOn: [...decidesOn(path, look)].filter((file) => file !== path && !isInPackage(file)).sort(),
    };
  }

  /**
   * A file was changed on disk. A new or deleted one can be what an import meant; an edited one counts only if
   * it was read (whether it now holds a workflow, `module` sees by its text).
   */
  changed(path: string, event: "create" | "update" | "delete"): void {
    this.texts.delete(path);
    if (event !== "update" || !SOURCE.test(path) || this.wasRead(path)) this.forget();
  }

  /** For tools that do not say what changed: the next module is answered for by what is on disk then. */
  refresh(): void {
    this.texts.clear();
    this.forget();
  }

  /** What every workflow of the project can record, as the text of a manifest file; `null` when it can't be read. */
  manifestText(): string | null {
    const known = this.lookedAt(this.project, {});
    if (known === null) return null;
    const manifests = withOwnNames(known.look.carried.map(({ carried }) => carried.manifest));
    return writeManifest(manifestFrom(manifests, `stepproof ${toolVersion()}`));
  }

  private part(): Part {
    const { root, config = NO_CONFIG, strict = false } = this.options;
    const onNote = (message: string): void => {
      this.tell(message);
    };
    const check = new KeptCheck({ cwd: root, config, strict, carryFrom: root, onNote });
    return { check, memory: new ProjectMemory(), known: null, isOld: true };
  }

  private forget(): void {
    this.project.isOld = true;
    this.beyond.isOld = true;
  }

  private partOf(path: string): Known | null {
    const { tsconfig } = this.options;
    const project = this.lookedAt(this.project, tsconfig === undefined ? {} : { tsconfig });
    if (project?.look.files.has(path)) return project;
    if (this.outside.size === 0) return null;
    const beyond = this.lookedAt(this.beyond, { paths: [...this.outside].sort() });
    return beyond?.look.files.has(path) ? beyond : null;
  }
  private wasRead(path: string): boolean {
    return [this.project, this.beyond].some(({ known }) => known?.look.reads.has(path));
  }

  /** @returns `null` when it can't be read. */
  private lookedAt(part: Part, what: Pick<AnalyzeRequest, "paths" | "tsconfig">): Known | null {
    if (!part.isOld) return part.known;
    const { root, config = NO_CONFIG } = this.options;
    part.isOld = false;
    try {
      const host = hostOfRequest({
        cwd: root,
        config,
        overlay: this.texts,
        memory: part.memory,
        onNote: (message) => {
          this.tell(message);
        },
        ...what,
      });
      const look = part.check.look(host);
      this.solved += look.solved;
      const reported = withoutKnown(look.reported, config, root);
      part.known = { look: { ...look, reported }, calls: callsThatCarry(look.carried) };
    } catch (error) {
      if (!isInputError(error)) throw error;
      this.tell(error.message);
      part.known = null;
    }
    return part.known;
  }

  private tell(message: string): void {
    if (this.told.has(message)) return;
    this.told.add(message);
    this.options.onProblem?.(message);
  }
}

/** The files that decide what is found in one: of its island, and those that give workflows their names. */
function decidesOn(path: string, { islands, files, reads }: Look): ReadonlySet<string> {
  const own = islands.filter((island) => island.isRegistry || island.files.includes(path));
  if (own.length === 0) return new Set(files.keys());
  if (own.some(({ types }) => types === "program")) return new Set(reads.keys());
  return new Set(own.flatMap((island) => island.reads));
}
