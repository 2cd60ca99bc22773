import { MANIFEST_FORMAT_VERSION, type Manifest, type WorkflowManifest } from "./format.js";
import { ManifestError } from "./manifest-error.js";
import { mayRepeatKeys, repeatedKey } from "./repeated-key.js";
import { checkDocument, isObject } from "./validate.js";
import { UPGRADES, type Upgrades } from "./upgrades.js";
import { hashWorkflow } from "./write-manifest.js";

/**
 * Reads a manifest. Older formats are upgraded, newer ones refused.
 *
 * @param text the file's text.
 * @param known a manifest that was read before: workflows that it has as well need not be checked again, and are
 * shared with it.
 * @throws ManifestError that names the place in the JSON and what to do.
 */
export function readManifest(
  text: string,
  upgrades: Upgrades = UPGRADES,
  known: Manifest | null = null,
): Manifest {
  const document = upgraded(parsed(text), upgrades);
  const shared = known === null ? new Map<string, WorkflowManifest>() : knownWorkflows(document, known);
  const manifest = checkDocument(without(document, shared));
  checkHashes(manifest);
  if (shared.size === 0) return manifest;
  const all = Object.keys(document["workflows"] as object).map(
    (name) => [name, shared.get(name) ?? manifest.workflows[name]] as const,
  );
  return { ...manifest, workflows: Object.fromEntries(all) as Manifest["workflows"] };
}

/** The workflows of a document that `known` has just so, as it has them. */
function knownWorkflows(
  document: Readonly<Record<string, unknown>>,
  known: Manifest,
): ReadonlyMap<string, WorkflowManifest> {
  const found = new Map<string, WorkflowManifest>();
  const { workflows } = document;
  if (!isObject(workflows)) return found;
  for (const [name, workflow] of Object.entries(known.workflows)) {
    if (Object.hasOwn(workflows, name) && isSame(workflows[name], workflow)) found.set(name, workflow);
  }
  return found;
}

function without(
  document: Readonly<Record<string, unknown>>,
  workflows: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  if (workflows.size === 0) return document;
  const left = Object.entries(document["workflows"] as object).filter(([name]) => !workflows.has(name));
  return { ...document, workflows: Object.fromEntries(left) };
}

/** Equality of JSON values. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSame(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

function checkHashes(manifest: Manifest): void {
  for (const [name, workflow] of Object.entries(manifest.workflows)) {
    const at = `$.workflows.${name}`;
    const twice =
      workflow.name === name
        ? null
        : `is listed under ${JSON.stringify(name)} but calls itself ${JSON.stringify(workflow.name)}`;
    if (twice !== null)
      throw new ManifestError("manifest_invalid", `${at}.name`, `${at}: the workflow ${twice}.`);
    if (hashWorkflow(workflow) !== workflow.hash) {
      throw new ManifestError(
        "manifest_edited",
        `${at}.hash`,
        `${at}: the content does not match its hash. The manifest was edited by hand or merged badly; write it again with \`stepproof manifest\`.`,
      );
    }
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const cut = /end of JSON|Unterminated/i.test(reason) ? " The file seems to be cut off." : "";
    throw new ManifestError(
      "manifest_syntax",
      "$",
      `The manifest is not JSON: ${reason}.${cut} Write it again with \`stepproof manifest\`.`,
    );
  }
  if (!isObject(value)) {
    throw new ManifestError(
      "manifest_invalid",
      "$",
      "The manifest must be a JSON object. Write it again with `stepproof manifest`.",
    );
  }
  const repeated = mayRepeatKeys(text, value) ? repeatedKey(text) : null;
  if (repeated !== null) {
    throw new ManifestError(
      "manifest_invalid",
      repeated.at,
      `${repeated.at} stands twice in the manifest (a bad merge?). Write it again with \`stepproof manifest\`.`,
    );
  }
  return value;
}

function upgraded(
  document: Readonly<Record<string, unknown>>,
  upgrades: Upgrades,
): Readonly<Record<string, unknown>> {
  let current = document;
  let version = versionOf(current);
  if (version > MANIFEST_FORMAT_VERSION) {
    throw new ManifestError(
      "manifest_too_new",
      "$.formatVersion",
      `The manifest has format version ${version}${typeof current["tool"] === "string" ? ` (written by ${current["tool"]})` : ""}; this version of stepproof reads up to ${MANIFEST_FORMAT_VERSION}. Update stepproof.`,
    );
  }
  while (version < MANIFEST_FORMAT_VERSION) {
    const step = upgrades[version];
    if (step === undefined) {
      throw new ManifestError(
        "manifest_too_old",
        "$.formatVersion",
        `The manifest has format version ${version}, which can't be upgraded. Write it again with \`stepproof manifest\`.`,
      );
    }
    current = { ...step(current), formatVersion: version + 1 };
    version += 1;
  }
  return current;
}

function versionOf(document: Readonly<Record<string, unknown>>): number {
  const version = document["formatVersion"];
  if (typeof version === "number" && Number.isInteger(version)) return version;
  throw new ManifestError(
    "manifest_invalid",
    "$.formatVersion",
    "This is not a manifest: `formatVersion` must be a whole number.",
  );
}
