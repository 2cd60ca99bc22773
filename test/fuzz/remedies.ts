import type { RemedyEdit } from "../../runtime/src/manifest/index.js";
import { compiledManifests } from "./check-programs.js";
import { at, breakingIn, diffOf, type Change, type Pair } from "./pair.js";
import { mended } from "./program/mended.js";
import { showProgram } from "./show.js";
import type { Tally } from "./tally.js";

/** More remedies than a pair of small programs wants. */
const ROUNDS = 12;

/** A pair on its way to be mended. */
interface Mending extends Pair {
  /** The edits of each round. */
  readonly made: readonly (readonly RemedyEdit[])[];
}

/**
 * Applies every remedy that is an edit, one a round, until none is left.
 * @throws when one is offered again, when they come to no end, or when an entry that they speak of breaks instances
 * all the same. Breaking changes without edits are a person's to mend; some show when another is out of the way.
 */
export function remediesHelp(pairs: readonly Pair[], tally: Tally): void {
  let left: readonly Mending[] = pairs.map((pair) => ({ ...pair, made: [] }));
  for (let round = 0; left.length > 0; round++) {
    const applied = left.flatMap((pair): Mending[] => {
      const edits = breakingIn(pair.diff).find(hasEdits)?.remedy?.edits;
      if (edits === undefined) {
        const still = breakingIn(pair.diff).find((change) => isTouched(change, pair.made.flat()));
        if (still !== undefined) throw unhelpful(pair, still);
        tally.count(breakingIn(pair.diff).length === 0 ? "pairs mended" : "pairs mended in part");
        return [];
      }
      const isKnown = pair.made.some((one) => JSON.stringify(one) === JSON.stringify(edits));
      if (round === ROUNDS || isKnown) throw unhelpful(pair, breakingIn(pair.diff).find(hasEdits));
      const now = mended(pair.now, edits);
      if (now === null) tally.count("inconclusive remedies");
      return now === null ? [] : [{ ...pair, now, made: [...pair.made, edits] }];
    });
    tally.count("remedies applied", applied.length);
    const manifests = compiledManifests(applied.map(({ now }) => now));
    left = applied.map((pair, number) => {
      const after = at(manifests, number);
      return { ...pair, after, diff: diffOf(pair.before, after) };
    });
  }
}

const hasEdits = ({ remedy }: Change): boolean => remedy !== null && remedy.edits.length > 0;

/** One of the edits put the entry of the change where it is. */
function isTouched({ path }: Change, edits: readonly RemedyEdit[]): boolean {
  return edits.some((edit) => {
    const name = edit.do === "rename" ? edit.to : edit.do === "gate" ? edit.gate : edit.name;
    return JSON.stringify([...edit.scope, name]) === JSON.stringify(path);
  });
}

function unhelpful({ old, now, made }: Mending, still: Change | undefined): Error {
  return new Error(
    [
      `Remedies do not help. Made: ${made.map((edits) => JSON.stringify(edits)).join(", then ")}`,
      `Still breaking: ${still?.message ?? ""}; ${still?.witness?.error ?? ""}`,
      `Offered: ${still?.remedy?.title ?? "nothing"} ${JSON.stringify(still?.remedy?.edits ?? [])}`,
      `Old:\n${showProgram(old)}\nMended so far:\n${showProgram(now)}`,
    ].join("\n"),
  );
}
