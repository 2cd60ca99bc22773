import type { Manifest, WorkflowManifest } from "./format.js";
import { Hash64 } from "./hash.js";
import { ManifestError } from "./manifest-error.js";

/** Scopes in scopes, arrays and objects counted; no program that people write comes near. */
export const DEEPEST = 400;

/**
 * The one text of a manifest: keys sorted, two spaces, `\n`, a final `\n`. Equal manifests have equal
 * texts, so that a file in version control changes only when the workflows do.
 *
 * @throws ManifestError for cycles and for values that JSON does not have.
 */
export function writeManifest(manifest: Manifest): string {
  return `${canonical(manifest, "\n", "$", 0)}\n`;
}

/**
 * A copy of a part of a manifest with its members in the order of the text, as if it had been read: equal parts then
 * have equal texts, wherever they come from.
 */
export function inOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => inOrder(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(sortedKeys(record).map((key) => [key, inOrder(record[key])])) as T;
}

/** Hash of all that decides compatibility: engine, code, types. File and name are left out. */
export function hashWorkflow(workflow: Omit<WorkflowManifest, "hash">): string {
  const { engine, body, functions, stateType, queues } = workflow;
  const hash = new Hash64();
  addTo(hash, { engine, body, functions, stateType, queues }, 0);
  return hash.digest();
}

/** Feeds a value in a form that tells every two values apart: texts by their length first. */
function addTo(hash: Hash64, value: unknown, depth: number): void {
  if (depth > DEEPEST) throw tooDeep("$");
  if (typeof value === "string") {
    hash.add(`${value.length}"`);
    hash.add(value);
  } else if (Array.isArray(value)) {
    hash.add(`[${value.length}`);
    for (const item of value) addTo(hash, item, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    const record = value as Readonly<Record<string, unknown>>;
    const keys = sortedKeys(record);
    hash.add(`{${keys.length}`);
    for (const key of keys) {
      addTo(hash, key, depth);
      addTo(hash, record[key], depth + 1);
    }
  } else hash.add(`${String(value)};`);
}

/** Members without a value are no members. A file that we wrote is in order already. */
function sortedKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(record).filter((key) => record[key] !== undefined);
  const inOrder = keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key);
  return inOrder ? keys : keys.sort();
}

function tooDeep(at: string): ManifestError {
  return new ManifestError(
    "manifest_too_deep",
    at,
    `The manifest is nested more than ${DEEPEST} levels deep at ${at}, or holds itself.`,
  );
}

/** JSON with sorted keys. `newline` is a line break with the indent so far. */
function canonical(value: unknown, newline: string, at: string, depth: number): string {
  if (depth > DEEPEST) throw tooDeep(at);
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object") {
    throw new ManifestError(
      "manifest_invalid",
      at,
      `The manifest holds a ${typeof value} at ${at}, which JSON can't hold.`,
    );
  }
  const inner = `${newline}  `;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    value.forEach((item, index) => parts.push(inner + canonical(item, inner, `${at}[${index}]`, depth + 1)));
    return parts.length === 0 ? "[]" : `[${parts.join(",")}${newline}]`;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const key of sortedKeys(record)) {
    const item = record[key];
    parts.push(`${inner}${JSON.stringify(key)}: ${canonical(item, inner, `${at}.${key}`, depth + 1)}`);
  }
  return parts.length === 0 ? "{}" : `{${parts.join(",")}${newline}}`;
}
