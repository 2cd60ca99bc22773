import { UsageError } from "./errors.js";

const MAX_NAME_LENGTH = 1024;
const LONE_SURROGATE = /\p{Surrogate}/u;
const NEEDS_ESCAPE = /^~|[%/\p{Cc}]/u;
const ESCAPED = /^~|[%/\p{Cc}]/gu;

/**
 * A name as it stands in a path: `%`, `/`, control characters and a leading `~` are written `%XX`, as in an address.
 * @throws UsageError `entry_name` for what can't be a name.
 */
export function nameSegment(name: unknown): string {
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_LENGTH || LONE_SURROGATE.test(name)) {
    throw new UsageError(
      "entry_name",
      `The name of an entry must be a non-empty string of at most ${MAX_NAME_LENGTH} characters; got ${typeof name === "string" ? JSON.stringify(name.slice(0, 40)) : typeof name}.`,
    );
  }
  if (!NEEDS_ESCAPE.test(name)) return name;
  return name.replace(ESCAPED, (char) => (char === "~" ? "%7E" : encodeURIComponent(char)));
}

/** Text whose order is that of the number: `0` → `10`, `35` → `1z`, `36` → `210`. For whole numbers ≥ 0. */
export function orderedNumber(value: number): string {
  const digits = value.toString(36);
  return digits.length.toString(36) + digits;
}

/** The segment of a loop's iteration: sorts by number. */
export function iterationSegment(iteration: number): string {
  return `~${orderedNumber(iteration)}`;
}

/** The iteration's number, or the name. */
export function readSegment(segment: string): string | number {
  if (segment.startsWith("~")) return parseInt(segment.slice(2), 36);
  return segment.includes("%") ? decodeURIComponent(segment) : segment;
}

/** For people: iterations as plain numbers. `charge-loop/~12/charge`. */
export function readablePath(path: string): string {
  return path.replace(
    /(^|\/)~.([0-9a-z]+)/g,
    (_, slash: string, digits: string) => `${slash}~${parseInt(digits, 36)}`,
  );
}
