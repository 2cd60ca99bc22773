import { explore, type Choose } from "./explore.js";
import type { WorkflowManifest } from "./format.js";
import type { HistoryRange } from "./history-ranges.js";
import { questionAsked, type OldRun } from "./old-run.js";
import { replayHistories, type ReplayInput } from "./replay.js";
import type { ReplayFlags } from "./replay-flags.js";
import type { ReplayResult } from "./replay-result.js";
import type { PairCode, ScopePair } from "./scope-pair.js";
import type { WalkLimits } from "./walk.js";

/** The versions of a workflow, and the engine that runs them. */
export interface Deploy {
  readonly before: WorkflowManifest;
  readonly after: WorkflowManifest;
  readonly flags: ReplayFlags;
  readonly limits: WalkLimits;
}

/** All ways in which the new code can go on some histories. */
export interface RunReplays {
  readonly results: readonly ReplayResult[];
  /** False when there are more ways than were tried. */
  readonly complete: boolean;
  /** Walks through the code that it took. */
  readonly walks: number;
  /** Histories from this one on are not among the results; `Infinity` = all are. */
  readonly before: number;
}

/** Ways of the old code on its own history that are tried. */
const MOST_OWN_WAYS = 8;

/** Replays both versions of a scope on the histories of one run of the old one. */
export class RunReplay {
  private readonly positions: ReadonlyMap<string, number>;
  private allAccepted: boolean | null = null;

  constructor(
    private readonly deploy: Deploy,
    private readonly pair: ScopePair,
    private readonly code: PairCode,
    private readonly run: OldRun,
  ) {
    const positions = new Map<string, number>();
    run.items.forEach((item, at) => {
      if (!positions.has(item.key)) positions.set(item.key, at);
    });
    this.positions = positions;
  }

  /**
   * The new code on the histories, in at most `limit` walks.
   * @param options `lastDone`: the last entry of a history is completed. `mended`: see `ReplayInput`.
   */
  of(
    histories: HistoryRange,
    limit: number,
    options: { readonly lastDone?: boolean; readonly mended?: (at: number) => boolean } = {},
  ): RunReplays {
    const { code, pair, run } = this;
    const input: Omit<ReplayInput, "choose"> = {
      ...this.common(),
      block: code.block,
      functions: this.deploy.after.functions,
      gates: pair.newGates,
      declared: code.declared,
      histories,
      completed: (at, upTo) => at < upTo || options.lastDone === true,
      answer: (question, occurrence, gates) => {
        const asked = questionAsked(question, gates);
        if (asked === null) return null;
        const ids = question.node === null ? [] : code.guards.candidates(question.node);
        for (const id of [...ids, question.key]) {
          const known = run.answers.get(`${id}#${occurrence}`);
          if (known?.implied === true && question.ownErrorOnly !== true) continue;
          if (known?.asked === asked && known.answer < question.options) return known.answer;
        }
        return null;
      },
      ...(options.mended && { mended: options.mended }),
    };
    const results: ReplayResult[] = [];
    let before = Infinity;
    const walks = explore(limit, (choose) => {
      const picks: number[] = [];
      const replays = replayHistories({
        ...input,
        choose: (options) => {
          const pick = choose(options);
          picks.push(pick);
          return pick;
        },
      });
      before = Math.min(before, replays.before);
      // The others were told by an earlier walk, which parts from this one behind them.
      const parted = picks.findLastIndex((pick) => pick > 0);
      results.push(...replays.results.filter((result) => result.chosen > parted));
    });
    return { results, complete: walks.complete, walks: walks.results.length, before };
  }

  /** Unchanged code must not be blamed for what it does by itself under the engine's own rules. */
  oldAccepts(upTo: number): boolean {
    const { first, items } = this.run;
    // Mostly it accepts all of them at once.
    this.allAccepted ??= this.ownWay({ from: first, to: Math.max(items.length, first + 1) }, () => 0);
    if (this.allAccepted) return true;
    const histories = { from: upTo, to: upTo + 1 };
    const ways = explore(MOST_OWN_WAYS, (choose) => this.ownWay(histories, choose), Boolean);
    return ways.results.at(-1) === true;
  }

  /** Whether the old code goes on after each of the histories, when it goes one of the ways that are open to it. */
  private ownWay(histories: HistoryRange, choose: Choose): boolean {
    const { code, pair, run } = this;
    const { results, before } = replayHistories({
      ...this.common(),
      block: code.old,
      functions: this.deploy.before.functions,
      gates: pair.oldGates,
      declared: code.oldDeclared,
      histories,
      completed: (at, last) => at < last,
      answer: (question, occurrence) => {
        const id = (question.node === null ? null : code.guards.idOf(question.node)) ?? question.key;
        return run.answers.get(`${id}#${occurrence}`)?.answer ?? null;
      },
      choose,
    });
    return before === Infinity && results.every((result) => result.refusal === null);
  }

  private common(): Pick<ReplayInput, "limits" | "flags" | "endValidated" | "items" | "locate"> {
    const { flags, limits } = this.deploy;
    return {
      limits,
      flags,
      endValidated: !this.pair.root || flags.rootValidated,
      items: this.run.items,
      locate: (name) => {
        const at = this.positions.get(name.key);
        return at === undefined ? [] : [at];
      },
    };
  }
}

/** Results for one history, and for longer ones up to `next`. */
export interface JudgedHistory {
  readonly upTo: number;
  readonly next: number;
  readonly results: readonly ReplayResult[];
}

/** The histories below `end` at which the results change, each with the results for it. */
export function byHistory(results: readonly ReplayResult[], end: number): JudgedHistory[] {
  const starting = new Map<number, ReplayResult[]>();
  for (const result of results) {
    const { from } = result.histories;
    if (from < end) starting.set(from, [...(starting.get(from) ?? []), result]);
  }
  const starts = [...starting.keys()].sort((one, other) => one - other);
  let current: ReplayResult[] = [];
  return starts.map((upTo, at) => {
    current = current.filter(({ histories }) => histories.to > upTo).concat(starting.get(upTo) ?? []);
    return { upTo, next: starts[at + 1] ?? end, results: current };
  });
}
