import type { NamePattern } from "./format.js";
import { patternRegExp } from "./late-removals.js";

/** Where an entry is written. */
export interface EntryPlace {
  /** Names from the root, branches included, iterations left out. */
  readonly path: readonly NamePattern[];
  /** `src/triage.ts:12:9`, relative to the project; line and column from 1. */
  readonly at: string;
}

const MOST_SHOWN = 3;

/**
 * Tells of entries where they are written: what the engine's `placeOf` setting asks, for errors of use. An
 * entry is named by its readable path (`orders/~12/charge`).
 */
export function entryPlaces(places: readonly EntryPlace[]): (entry: string) => string | undefined {
  return (entry) => {
    const names = entry.replaceAll(/\/~\d+(?=\/)/g, "");
    const at = [...new Set(places.filter(({ path }) => canName(path, names)).map((place) => place.at))];
    if (at.length === 0) return undefined;
    const more = at.length > MOST_SHOWN ? `, and ${at.length - MOST_SHOWN} more` : "";
    return `${at.slice(0, MOST_SHOWN).join(", ")}${more}`;
  };
}

/** Whether patterns can name that path. */
function canName(path: readonly NamePattern[], names: string): boolean {
  return patternRegExp(path.flatMap((pattern, index) => (index === 0 ? pattern : ["/", ...pattern]))).test(
    names,
  );
}
