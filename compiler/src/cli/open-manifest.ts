import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Manifest } from "../../../runtime/src/manifest/format.js";
import { ManifestError } from "../../../runtime/src/manifest/manifest-error.js";
import { readManifest as parseManifest } from "../../../runtime/src/manifest/read-manifest.js";
import type { Analysis } from "../2-solve/types.js";
import type { Config } from "../config.js";
import { loadConfig } from "../load-config.js";
import { tooManyEntries } from "../report/limits.js";
import { UsageError } from "./exit.js";
import { readText } from "./files.js";
import { atCommit, fileAt, resolveRef } from "./git.js";
import { sourceRequest, type SourceArguments } from "./open-check.js";
import { toolVersion } from "../package.js";
import { printNote, workingDirectory } from "./terminal.js";

export const MANIFEST_FILE = "stepproof.manifest.json";

/** A manifest with where it comes from. */
export interface ManifestSource {
  readonly manifest: Manifest;
  /** For messages: `stepproof.manifest.json`, `git:main`, `the working tree`. */
  readonly label: string;
  /** The sources that it was built from, when it was. */
  readonly analysis: Analysis | null;
  /** What was read, when it was read. */
  readonly text?: string;
}

/**
 * Builds the manifest of sources on disk.
 * @throws {UsageError} when a workflow is too big for its entries to be listed.
 */
export async function manifestOfSources(
  paths: readonly string[],
  args: SourceArguments,
  config: Config,
  cwd: string,
): Promise<{ manifest: Manifest; analysis: Analysis }> {
  // Loaded here only: the diff of two manifests needs no checker.
  const [{ analyze }, { manifestOf }] = await Promise.all([
    import("../analyze.js"),
    import("../manifest/index.js"),
  ]);
  const analysis = analyze({ ...sourceRequest(paths, args, config, cwd), onNote: printNote });
  const cut = analysis.workflows.filter((workflow) => workflow.skeleton.cut).map(({ name }) => name);
  if (cut.length > 0)
    throw new UsageError(`A manifest of these sources would not be whole. ${tooManyEntries(cut)}`);
  return { analysis, manifest: manifestOf(analysis, { root: cwd, tool: `stepproof ${toolVersion()}` }) };
}

/** The sources in the working directory. */
export async function sourcesOfTree(args: SourceArguments, config: Config): Promise<ManifestSource> {
  return { ...(await manifestOfSources([], args, config, workingDirectory())), label: "the working tree" };
}

/**
 * Reads what `OLD` and `NEW` name: a file, `git:REF`, or the address of a running server's `/manifest`.
 * @param known one that was opened before: what both have alike is checked once.
 * @throws {UsageError | ManifestError} when there is no such thing or it is no manifest.
 */
export async function openManifest(
  source: string,
  args: SourceArguments,
  config: Config,
  known: ManifestSource | null = null,
): Promise<ManifestSource> {
  if (source.startsWith("git:")) return readFromGit(source.slice("git:".length), args, known);
  if (/^https?:\/\//.test(source)) return readFromServer(source, known);
  const path = resolve(source);
  if (!existsSync(path))
    throw new UsageError(
      `There is no manifest ${source}. Write one with stepproof manifest, or name git:REF.`,
    );
  if (statSync(path).isDirectory() || !path.endsWith(".json")) {
    const { manifest, analysis } = await manifestOfSources([source], args, config, workingDirectory());
    return { manifest, analysis, label: source };
  }
  return fromText(readText(path, source), source, known);
}

/** The manifest committed at a ref; where there is none, that of the sources at that ref. */
async function readFromGit(
  ref: string,
  args: SourceArguments,
  known: ManifestSource | null,
): Promise<ManifestSource> {
  const cwd = workingDirectory();
  const label = `git:${ref}`;
  const commit = resolveRef(cwd, ref);
  const committed = fileAt(cwd, commit, MANIFEST_FILE);
  if (committed !== null) return { ...fromText(committed, `${label}:${MANIFEST_FILE}`, known), label };
  return atCommit(cwd, commit, async (folder) => {
    const config = await loadConfig(folder);
    const { manifest } = await manifestOfSources([], args, config, folder);
    return { manifest, label: `${label} (built from its sources)`, analysis: null };
  });
}

async function readFromServer(address: string, known: ManifestSource | null): Promise<ManifestSource> {
  const url = /\/manifest\/?$/.test(address) ? address : `${address.replace(/\/$/, "")}/manifest`;
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    throw new UsageError(
      `${url} does not answer: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  if (!response.ok)
    throw new UsageError(`${url} answers ${response.status}. Does the server carry a manifest?`);
  return fromText(await response.text(), url, known);
}

function fromText(text: string, label: string, known: ManifestSource | null): ManifestSource {
  // The same text was checked already.
  const manifest = text === known?.text ? known.manifest : decodeManifest(text, label, known?.manifest);
  return { manifest, label, analysis: null, text };
}

/**
 * Reads a manifest's text.
 * @param source for messages: the file, ref or address that it comes from.
 * @param known one that was read before: what both have alike is checked once.
 * @throws {UsageError} when it is none, or one that can't be read here.
 */
export function decodeManifest(text: string, source: string, known: Manifest | null = null): Manifest {
  try {
    return parseManifest(text, undefined, known);
  } catch (error) {
    if (error instanceof ManifestError) throw new UsageError(`${source}: ${error.message}`);
    throw error;
  }
}
