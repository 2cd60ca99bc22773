import { existsSync } from "node:fs";
import { worse } from "../../../runtime/src/manifest/change-kinds.js";
import type { ChangeId, DiffResult } from "../../../runtime/src/manifest/diff-types.js";
import { hash64 } from "../../../runtime/src/manifest/hash.js";
import { UsageError } from "./exit.js";
import { readText, writeText } from "./files.js";

/** One change that was looked at and let through. */
export interface Acceptance {
  readonly change: ChangeId;
  /** For the next reader. */
  readonly reason: string;
}

interface AcceptedFile {
  readonly version: 1;
  readonly accepted: readonly Acceptance[];
}

export const ACCEPTED_FILE = "stepproof.accepted.json";

/**
 * The acceptances of a project; none when there is no file.
 * @throws {UsageError} when the file can't be read as what it should be.
 */
export function readAccepted(path: string): readonly Acceptance[] {
  if (!existsSync(path)) return [];
  const text = readText(path);
  const broken = (what: string): UsageError => new UsageError(`${path} can't be read: ${what}.`);
  let raw: Partial<AcceptedFile>;
  try {
    raw = JSON.parse(text) as Partial<AcceptedFile>;
  } catch (error) {
    throw broken(error instanceof Error ? error.message : String(error));
  }
  if (raw.version !== 1) throw broken(`its version is ${String(raw.version)}, known is 1`);
  if (!Array.isArray(raw.accepted) || !raw.accepted.every(isAcceptance))
    throw broken("an entry lacks its change or its reason");
  return raw.accepted;
}

/** Writes them sorted, so that two branches that accept different changes merge. */
export function writeAccepted(path: string, accepted: readonly Acceptance[]): void {
  const sorted = [...accepted].sort((a, b) => (keyOf(a.change) < keyOf(b.change) ? -1 : 1));
  const file: AcceptedFile = { version: 1, accepted: sorted };
  writeText(path, `${JSON.stringify(file, null, 2)}\n`);
}

/** What a diff's verdict would be without the changes that were accepted. */
export function openVerdict(
  { verdict, workflows }: Pick<DiffResult, "verdict" | "workflows">,
  accepted: readonly Acceptance[],
): DiffResult["verdict"] {
  const keys = new Set(accepted.map(({ change }) => keyOf(change)));
  const changes = workflows.flatMap((workflow) => workflow.changes);
  return changes
    .filter(({ id }) => !keys.has(keyOf(id)))
    .reduce<DiffResult["verdict"]>(
      (worst, { level }) => worse(worst, level),
      changes.length === 0 ? verdict : "safe",
    );
}

/** Two ids are the same change when all their parts are. */
export function keyOf(id: ChangeId): string {
  return JSON.stringify([id.workflow, id.kind, id.path, id.content]);
}

/** What people type after `--accept`: short, and as unique as the id itself. */
export function tokenOf(id: ChangeId): string {
  return hash64(keyOf(id)).slice(0, 10);
}

function isAcceptance(value: unknown): value is Acceptance {
  if (typeof value !== "object" || value === null) return false;
  const { change, reason } = value as Partial<Acceptance>;
  if (typeof reason !== "string" || typeof change !== "object" || change === null) return false;
  const { workflow, kind, path, content } = change;
  return (
    typeof workflow === "string" &&
    typeof kind === "string" &&
    typeof content === "string" &&
    Array.isArray(path) &&
    path.every((part) => typeof part === "string")
  );
}
