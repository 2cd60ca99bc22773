import type ts from "typescript";
import type { Analysis } from "./2-solve/types.js";
import { analyzeHost, hostOfProgram } from "./analyze.js";
import { checkAnalysis } from "./check.js";
import type { Config } from "./config.js";
import type { Host } from "./host/host.js";
import type { Answer } from "./host/noted-host.js";
import type { SourceUnit } from "./host/source-unit.js";
import type { Island } from "./islands.js";
import { lookAgain, lookAtAll, type Looked, type Standing } from "./look-again.js";
import { compareDiagnostics, type Reported } from "./3-report/report.js";
import { carriedWorkflows, type CarriedWorkflow } from "./transform/carried-in.js";

/** How a project is checked; `cwd` absolute with `/`. */
export interface KeptCheckOptions {
  readonly cwd: string;
  readonly config: Config;
  readonly strict: boolean;
  /** What workflows carry is wanted too; manifests name files relative to this folder, absolute with `/`. */
  readonly carryFrom?: string;
  /** The TypeScript that makes the programs, when it may be another copy than ours. */
  readonly typescript?: typeof ts;
  /** `false` where mostly no look follows the first: what the next one needs is kept from the second on. */
  readonly keepsFirst?: boolean;
  /** Told what was left out since it is too large; it may be told again at the next look. */
  readonly onNote?: (message: string) => void;
}

/** What is known of a project after a look. */
export interface Look {
  /** Sorted. */
  readonly reported: readonly Reported[];
  /** What workflows carry, in the order of their places; empty unless asked for. */
  readonly carried: readonly CarriedWorkflow[];
  /** Files whose code was followed, as they were; those of packages too. */
  readonly files: ReadonlyMap<string, SourceUnit | null>;
  /** All that was read, as it was: these files, and those that types come from. */
  readonly reads: ReadonlyMap<string, SourceUnit | null>;
  /** None: nothing is known to hold alone. */
  readonly islands: readonly Island[];
  /** How many workflows this look has solved; the others were kept. */
  readonly solved: number;
}

/** What is taken from an analysis. */
interface Taken {
  readonly reported: readonly Reported[];
  readonly notes: readonly string[];
  readonly carried: readonly CarriedWorkflow[];
  readonly files: readonly string[];
  readonly solved: number;
}

/** What a look gives together with the islands that it has kept. */
type Joined = Omit<Look, "reads" | "islands">;

/** A look with what tells what of it still stands. */
interface Kept {
  readonly look: Look;
  readonly standing: Standing;
  readonly options: string;
  readonly names: string;
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
}

/**
 * Checks of a project that is edited. After an edit only the islands are looked at again that it can concern (see
 * `look-again.ts`); it tells what a check of the whole tells.
 */
export class KeptCheck {
  private kept: Kept | null = null;
  private isFirst = true;

  constructor(private readonly options: KeptCheckOptions) {}

  /**
   * The findings of a program that someone else holds: an editor makes a new one at each keystroke.
   * @throws {CatalogueDeclarationError} as `analyze`.
   */
  reported(program: ts.Program): readonly Reported[] {
    return this.lookAt(program).reported;
  }

  /**
   * All that is known of such a program.
   * @throws {CatalogueDeclarationError} as `analyze`.
   */
  lookAt(program: ts.Program): Look {
    // Its files are all that an import of it means.
    return this.lookOver(hostOfProgram({ program, ...this.options }), { asksAgain: false });
  }

  /**
   * @param host of the project as it is now. A file that is the same unit again has not changed.
   * @throws {CatalogueDeclarationError} as `analyze`.
   */
  look(host: Host): Look {
    return this.lookOver(host, { asksAgain: true });
  }

  private lookOver(host: Host, { asksAgain }: { readonly asksAgain: boolean }): Look {
    const { config } = this.options;
    const { kept } = this;
    const take = (analysis: Analysis): Taken => this.take(analysis);
    const isFirst = this.isFirst;
    this.isFirst = false;
    if (isFirst && this.options.keepsFirst === false) {
      const joined = this.joined(host, [], take(analyzeHost(host, config)), null);
      return { ...joined, reads: joined.files, islands: [] };
    }
    const options = JSON.stringify(host.options);
    const names = host.names.join("\n");
    if (kept?.options === options) {
      const filesMoved = kept.names !== names;
      const isChanged = (path: string): boolean =>
        (kept.look.reads.has(path) && host.source(path) !== kept.look.reads.get(path)) ||
        ((asksAgain || filesMoved) &&
          (kept.answers.get(path) ?? []).some((one) => one.again(host) !== one.gave));
      const changes = { isChanged: once(isChanged), filesMoved };
      const looked = lookAgain(host, config, { standing: kept.standing, changes }, take);
      if (looked !== null) return this.keep(host, options, names, looked, kept);
    }
    return this.keep(host, options, names, lookAtAll(host, config, take), null);
  }

  private take(analysis: Analysis): Taken {
    const { cwd, config, strict, carryFrom } = this.options;
    return {
      ...checkAnalysis(analysis, cwd, { config, strict }),
      carried: carryFrom === undefined ? [] : carriedWorkflows(analysis, carryFrom),
      files: [...analysis.files.keys()],
      solved: analysis.workflows.length,
    };
  }

  private keep(host: Host, options: string, names: string, looked: Looked<Taken>, before: Kept | null): Look {
    const { taken, kept } = looked;
    const joined =
      taken === null && before !== null && kept.length === before.standing.islands.length
        ? { ...before.look, solved: 0 }
        : this.joined(host, kept, taken, before);
    const { islands, shape } = looked.standing;
    const answers = new Map([...(before?.answers ?? []), ...(looked.notes?.answers ?? [])]);
    const paths = new Set([
      ...joined.files.keys(),
      ...islands.flatMap(({ reads }) => reads),
      ...Object.keys(shape ?? {}),
    ]);
    const reads = new Map([...paths].map((path) => [path, host.source(path)]));
    const look = { ...joined, reads, islands };
    for (const path of answers.keys()) if (!paths.has(path)) answers.delete(path);
    this.kept = { look, standing: looked.standing, options, names, answers };
    return look;
  }

  /** What was found of old in the islands that are kept, with what was found now. */
  private joined(host: Host, kept: readonly Island[], taken: Taken | null, before: Kept | null): Joined {
    for (const note of taken?.notes ?? []) this.options.onNote?.(note);
    const files = new Set(kept.flatMap((island) => island.files));
    const { reported = [], carried = [] } = before?.look ?? {};
    return {
      reported: [
        ...reported.filter((one) => files.has(one.finding.place.file)),
        ...(taken?.reported ?? []),
      ].sort((a, b) => compareDiagnostics(a.diagnostic, b.diagnostic)),
      carried: [...carried.filter((one) => files.has(one.place.file)), ...(taken?.carried ?? [])].sort(
        byPlace,
      ),
      files: new Map([...files, ...(taken?.files ?? [])].map((path) => [path, host.source(path)])),
      solved: taken?.solved ?? 0,
    };
  }
}

/** As an analysis sorts its workflows. */
function byPlace(
  { place: a, carried: one }: CarriedWorkflow,
  { place: b, carried: other }: CarriedWorkflow,
): number {
  return compare(a.file, b.file) || a.span[0] - b.span[0] || compare(one.manifest.name, other.manifest.name);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Asks once about each file. */
function once(isChanged: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    let changed = known.get(path);
    if (changed === undefined) known.set(path, (changed = isChanged(path)));
    return changed;
  };
}
