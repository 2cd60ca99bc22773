import { createHash } from "node:crypto";
import type { Diagnostic } from "../types.js";

/** Known findings that stay silent until the code around them changes (`stepproof.baseline.json`). */
export interface Baseline {
  readonly version: 1;
  /** Sorted by file, rule, code. */
  readonly findings: readonly BaselineEntry[];
}

export interface BaselineEntry {
  readonly rule: string;
  /** Relative to the baseline's folder, with `/`. */
  readonly file: string;
  /** Fingerprint of the finding's lines and their neighbours, blanks aside: no line numbers. */
  readonly code: string;
  /** How often it is found there. */
  readonly count: number;
}

/** How a baseline sees the files that diagnostics name. */
export interface BaselineFiles {
  /** The file's text, or `null` when it can't be read. */
  readonly text: (file: string) => string | null;
  /** The file's path relative to the baseline's folder. */
  readonly name: (file: string) => string;
}

/** The baseline file can't be used. */
export class BaselineError extends Error {
  override readonly name = "BaselineError";
  readonly code = "baseline-invalid";
}

/** Writes down what is found now. */
export function makeBaseline(diagnostics: readonly Diagnostic[], files: BaselineFiles): Baseline {
  const counts = new Map<string, BaselineEntry>();
  for (const one of diagnostics) {
    const entry = entryOf(one, files);
    const known = counts.get(keyOf(entry));
    counts.set(keyOf(entry), { ...entry, count: (known?.count ?? 0) + 1 });
  }
  const order = (a: BaselineEntry, b: BaselineEntry): number => (keyOf(a) < keyOf(b) ? -1 : 1);
  return { version: 1, findings: [...counts.values()].sort(order) };
}

/**
 * Leaves out what the baseline knows.
 * @returns the diagnostics that are new, and the entries that match nothing any more.
 */
export function applyBaseline(
  diagnostics: readonly Diagnostic[],
  baseline: Baseline,
  files: BaselineFiles,
): { left: readonly Diagnostic[]; gone: readonly BaselineEntry[] } {
  const open = new Map(baseline.findings.map((entry) => [keyOf(entry), entry.count]));
  const left = diagnostics.filter((diagnostic) => {
    const key = keyOf(entryOf(diagnostic, files));
    const count = open.get(key) ?? 0;
    if (count > 0) open.set(key, count - 1);
    return count === 0;
  });
  return { left, gone: baseline.findings.filter((entry) => (open.get(keyOf(entry)) ?? 0) > 0) };
}

/**
 * Reads a baseline.
 * @param path for messages.
 * @throws {BaselineError} when the text is not a baseline of this version.
 */
export function parseBaseline(text: string, path: string): Baseline {
  const broken = (what: string): BaselineError =>
    new BaselineError(`${path} is not a baseline: ${what}. Write it again with --write-baseline.`);
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw broken(error instanceof Error ? error.message : String(error));
  }
  const { version, findings } = (typeof raw === "object" && raw !== null ? raw : {}) as Partial<Baseline>;
  if (version !== 1) throw broken(`its version is ${String(version)}, known is 1`);
  if (!Array.isArray(findings) || !findings.every(isEntry))
    throw broken("an entry lacks rule, file, code or count");
  return { version, findings };
}

function isEntry(entry: unknown): entry is BaselineEntry {
  if (typeof entry !== "object" || entry === null) return false;
  const { rule, file, code, count } = entry as Partial<BaselineEntry>;
  return (
    typeof rule === "string" &&
    typeof file === "string" &&
    typeof code === "string" &&
    Number.isInteger(count)
  );
}

function entryOf(one: Diagnostic, files: BaselineFiles): BaselineEntry {
  const lines = (files.text(one.file) ?? "").split(/\r?\n/).slice(Math.max(0, one.line - 2), one.endLine + 1);
  const code = lines
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 16);
  return { rule: one.rule, file: files.name(one.file), code: hash, count: 1 };
}

function keyOf(entry: BaselineEntry): string {
  return [entry.file, entry.rule, entry.code].join("\n");
}
