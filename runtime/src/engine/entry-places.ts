import type { NamePattern } from "../manifest/format.js";
import { FatalError } from "./errors.js";

/** Where an entry is written. */
export interface EntryPlace {
  /** Names from the root, branches included, iterations left out. */
  readonly path: readonly NamePattern[];
  /** `src/triage.ts:12:9`, relative to the project; line and column from 1. */
  readonly at: string;
}

const MOST_SHOWN = 3;

/** Adds to the message of an error of use where the entry that it speaks of is written, if that is known. */
export function tellPlace(error: FatalError, places: readonly EntryPlace[] | undefined): void {
  if (places === undefined || error.entry === undefined || told.has(error)) return;
  told.add(error);
  const entry = error.entry.replaceAll(/\/~\d+(?=\/)/g, "");
  const at = [...new Set(places.filter(({ path }) => canName(path, entry)).map((place) => place.at))];
  if (at.length === 0) return;
  const more = at.length > MOST_SHOWN ? `, and ${at.length - MOST_SHOWN} more` : "";
  error.message += ` (${at.slice(0, MOST_SHOWN).join(", ")}${more})`;
}

const told = new WeakSet<FatalError>();

/** Whether patterns can name that path: holes stand for any text. */
function canName(path: readonly NamePattern[], entry: string): boolean {
  const source = path
    .map((pattern) =>
      pattern
        .map((part) => (typeof part === "string" ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : ".*"))
        .join(""),
    )
    .join("/");
  return new RegExp(`^${source}$`, "su").test(entry);
}
