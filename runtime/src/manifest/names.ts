import type { NameHole, NamePattern } from "./format.js";

/**
 * A name as one run of the code uses it. Literal text is kept; a hole whose value is not known becomes
 * a mark that two runs on the same data share, so that equal names have equal keys.
 */
export interface InstanceName {
  /** Equal keys = equal names, given equal data. */
  readonly key: string;
  readonly pattern: NamePattern;
  /** True when `key` is the name itself. */
  readonly literal: boolean;
}

/** Unicode noncharacters, which text never holds; `readManifest` refuses names with them. */
const OPEN = "\ufdd0";
const CLOSE = "\ufdd1";
/** Stands before the fingerprint of how a name is computed, which tells names of one text apart. */
const NATIVE = "\ufdd2";

/**
 * The name that `pattern` stands for in the given turns of the native loops around it (outermost
 * first; empty outside of native loops).
 */
export function instanceName(pattern: NamePattern, turns: readonly number[]): InstanceName {
  let key = "";
  let literal = true;
  for (const part of pattern) {
    if (typeof part === "string") {
      key += part;
      continue;
    }
    const value = part.perIteration ? part.values?.[turns.at(-1) ?? 0] : undefined;
    if (value !== undefined) {
      key += value;
      continue;
    }
    literal = false;
    key += OPEN + part.hole + nativeOf(part) + (part.perIteration ? `${OPEN}${turns.join(".")}` : "") + CLOSE;
  }
  return { key, pattern, literal };
}

function nativeOf({ reads }: NameHole): string {
  if (reads === undefined) return "";
  // Not known how (format 1): it is no name that is computed in a known way.
  return NATIVE + (reads.ways.map((way) => way.native).join("+") || "?");
}

/** The key of a version gate: what a test of its version knows of its name. */
export function gateKey({ key }: InstanceName): string {
  return key.replaceAll(/\ufdd2[^\ufdd0\ufdd1]*/g, "");
}

/** The keys that a pattern can have in one native loop: one per value that the code says, else one. */
export function keysOf(pattern: NamePattern): string[] {
  const counts = pattern.map((part) =>
    typeof part !== "string" && part.perIteration ? (part.values?.length ?? 0) : 0,
  );
  const turns = Math.max(1, ...counts);
  return Array.from({ length: turns }, (_, turn) => instanceName(pattern, turns === 1 ? [] : [turn]).key);
}

/** A literal name. */
export function literalName(text: string): InstanceName {
  return { key: text, pattern: [text], literal: true };
}

/** `render-${slug(title)}`: how a pattern is shown to people. */
export function patternText(pattern: NamePattern): string {
  return pattern.map((part) => (typeof part === "string" ? part : `\${${part.hole}}`)).join("");
}

/** A key as it is shown to people: holes as `${…}`, the turn of a numbered name as `#1`. */
export function keyText(key: string): string {
  return key.replaceAll(
    /\ufdd0([^\ufdd0-\ufdd2]*)(?:\ufdd2[^\ufdd0\ufdd1]*)?(?:\ufdd0([\d.]*))?\ufdd1/g,
    (_match, hole: string, turn: string | undefined) =>
      turn === undefined || turn === "" ? `\${${hole}}` : `\${${hole}}#${turn}`,
  );
}

/** True for a key without holes. */
export function isLiteralKey(key: string): boolean {
  return !key.includes(OPEN);
}

/** Could `name`, a concrete one, have been made by `pattern`? Holes stand for any text. */
export function matchesPattern(name: string, pattern: NamePattern): boolean {
  return matchesParts(name, literalRuns(pattern));
}

/** Could the two keys be the same name for some data, although they are not equal? */
export function mayBeSame(left: string, right: string): boolean {
  if (left === right) return true;
  const a = runsOfKey(left);
  const b = runsOfKey(right);
  if (a.length === 1 && b.length === 1) return false;
  if (a.length === 1) return matchesParts(left, b);
  if (b.length === 1) return matchesParts(right, a);
  if (withoutTurns(left) === withoutTurns(right)) return false;
  const heads = [a[0] ?? "", b[0] ?? ""] as const;
  const tails = [a.at(-1) ?? "", b.at(-1) ?? ""] as const;
  return (
    (heads[0].startsWith(heads[1]) || heads[1].startsWith(heads[0])) &&
    (tails[0].endsWith(tails[1]) || tails[1].endsWith(tails[0]))
  );
}

/** The key whatever the turn of the native loops around it: of one written name, all turns have the same. */
export function withoutTurns(key: string): string {
  return key.replaceAll(/\ufdd0[\d.]*\ufdd1/g, CLOSE);
}

/** Literal text before, between and after the holes; always one more than there are holes. */
function literalRuns(pattern: NamePattern): string[] {
  const runs = [""];
  for (const part of pattern) {
    if (typeof part === "string") runs[runs.length - 1] += part;
    else runs.push("");
  }
  return runs;
}

function runsOfKey(key: string): string[] {
  return key.split(/\ufdd0[^\ufdd1]*\ufdd1/);
}

function matchesParts(name: string, runs: readonly string[]): boolean {
  const head = runs[0] ?? "";
  if (runs.length === 1) return name === head;
  const tail = runs.at(-1) ?? "";
  if (name.length < head.length + tail.length) return false;
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  let from = head.length;
  const end = name.length - tail.length;
  for (const run of runs.slice(1, -1)) {
    const at = name.indexOf(run, from);
    if (at < 0 || at + run.length > end) return false;
    from = at + run.length;
  }
  return true;
}
