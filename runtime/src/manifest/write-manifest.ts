import type { Manifest, WorkflowManifest } from "./format.js";
import { hash64 } from "./hash.js";
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

/** Hash of all that decides compatibility: engine, code, types. File and name are left out. */
export function hashWorkflow(workflow: Omit<WorkflowManifest, "hash">): string {
  const { engine, body, functions, stateType, queues } = workflow;
  return hash64(canonical({ engine, body, functions, stateType, queues }, "", "$", 0));
}

/** JSON with sorted keys. `newline` is "" for one line, else a line break with the indent so far. */
function canonical(value: unknown, newline: string, at: string, depth: number): string {
  if (depth > DEEPEST) {
    throw new ManifestError(
      "manifest_too_deep",
      at,
      `The manifest is nested more than ${DEEPEST} levels deep at ${at}, or holds itself.`,
    );
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object") {
    throw new ManifestError(
      "manifest_invalid",
      at,
      `The manifest holds a ${typeof value} at ${at}, which JSON can't hold.`,
    );
  }
  const inner = newline === "" ? "" : `${newline}  `;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    value.forEach((item, index) => parts.push(inner + canonical(item, inner, `${at}[${index}]`, depth + 1)));
    return parts.length === 0 ? "[]" : `[${parts.join(",")}${newline}]`;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(record).sort()) {
    const item = record[key];
    if (item === undefined) continue;
    const space = newline === "" ? "" : " ";
    parts.push(`${inner}${JSON.stringify(key)}:${space}${canonical(item, inner, `${at}.${key}`, depth + 1)}`);
  }
  return parts.length === 0 ? "{}" : `{${parts.join(",")}${newline}}`;
}
