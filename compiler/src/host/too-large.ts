import { isInPackage } from "./source-unit.js";

/** Characters; a source beyond this is generated code, not workflow code that someone maintains. */
const LARGEST_SOURCE = 2_000_000;
/** Data beyond this would take longer to follow than all else together. */
const LARGEST_JSON = 500_000;

/** True for files that are left unread, so that what they do is unknown: huge bundles, huge data. */
export function isTooLarge(path: string, text: string): boolean {
  return text.length > (path.endsWith(".json") ? LARGEST_JSON : LARGEST_SOURCE);
}

/** What to say when a file of the program itself is left out; `null` for others: nobody edits those. */
export function leftOutNote(path: string, text: string): string | null {
  if (isInPackage(path) || path.endsWith(".json")) return null;
  return `${path} is left out: it has ${text.length} characters, more than ${LARGEST_SOURCE}. Calls into it can't be followed.`;
}
