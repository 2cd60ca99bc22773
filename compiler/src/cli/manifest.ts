import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { writeManifest } from "../../../runtime/src/manifest/write-manifest.js";
import { diffManifests } from "../../../runtime/src/manifest/diff.js";
import { EXIT, type ExitCode } from "./exit.js";
import { readText, writeText } from "./files.js";
import { openConfig, type SourceArguments } from "./open-check.js";
import { decodeManifest, manifestOfSources, MANIFEST_FILE } from "./open-manifest.js";
import { printNote, printResult, progress, workingDirectory } from "./terminal.js";

export interface ManifestArguments extends SourceArguments {
  readonly output?: string;
  readonly check?: boolean;
}

/** `stepproof manifest`: writes the manifest, or with `--check` compares it with the committed one. */
export async function manifestCommand(paths: readonly string[], args: ManifestArguments): Promise<ExitCode> {
  const config = await openConfig(args);
  progress("reading the project …");
  const { manifest } = await manifestOfSources(paths, args, config, workingDirectory());
  progress(null);
  const text = writeManifest(manifest);
  const output = args.output ?? MANIFEST_FILE;
  if (args.check) return compare(text, output);
  if (output === "-") {
    await printResult(text);
    return EXIT.clean;
  }
  const path = resolve(output);
  const same = existsSync(path) && readText(path, output) === text;
  if (!same) writeText(path, text, output);
  const count = Object.keys(manifest.workflows).length;
  printNote(
    `${output} ${same ? "is up to date" : "written"}: ${count} ${count === 1 ? "workflow" : "workflows"}.`,
  );
  return EXIT.clean;
}

/** Differences go to stdout in the words of the diff; a manifest that only says less of itself is out of date too. */
async function compare(text: string, output: string): Promise<ExitCode> {
  const path = resolve(output);
  if (!existsSync(path)) {
    printNote(`${output} is not there. Write it with stepproof manifest and commit it.`);
    return EXIT.findings;
  }
  const committed = readText(path, output);
  if (committed === text) {
    printNote(`${output} is up to date.`);
    return EXIT.clean;
  }
  const diff = diffManifests(decodeManifest(committed, output), decodeManifest(text, "the sources"));
  const lines = diff.workflows.flatMap((workflow) =>
    workflow.changes.map((change) => `${workflow.name}: ${change.message}\n`),
  );
  await printResult(lines.join(""));
  printNote(`${output} is out of date. Write it anew with stepproof manifest and commit it.`);
  return EXIT.findings;
}
