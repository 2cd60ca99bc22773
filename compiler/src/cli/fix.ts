import { relative, resolve } from "node:path";
import type { EngineName } from "../../../runtime/src/manifest/format.js";
import { analyze } from "../analyze.js";
import { fixDiff } from "../fix/fix-diff.js";
import { ACCEPTED_FILE, keyOf, openVerdict, readAccepted } from "./accepted.js";
import { EXIT, type ExitCode } from "./exit.js";
import { readText, writeText } from "./files.js";
import { openConfig, sourceRequest, type SourceArguments } from "./open-check.js";
import { openManifest } from "./open-manifest.js";
import { toolVersion } from "../package.js";
import { printNote, printResult, progress, workingDirectory } from "./terminal.js";

export interface FixArguments extends SourceArguments {
  /** The version whose instances run: a manifest, `git:REF` or a server. */
  readonly from: string;
}

/**
 * `stepproof fix --from OLD`: writes the remedies of the diff into the sources. Accepted changes stay as they are.
 * @returns 1 when changes are left that running instances would not survive and that nobody has accepted.
 */
export async function fixCommand(paths: readonly string[], args: FixArguments): Promise<ExitCode> {
  const cwd = workingDirectory();
  const config = await openConfig(args);
  const { manifest: old } = await openManifest(args.from, args, config);
  progress("applying remedies …");
  const request = sourceRequest(paths, args, config, cwd);
  const engine = args.engine as EngineName | undefined;
  const accepted = readAccepted(resolve(ACCEPTED_FILE));
  const keys = new Set(accepted.map(({ change }) => keyOf(change)));
  const { files, applied, left } = fixDiff({
    old,
    analyse: (overlay) => analyze({ ...request, overlay }),
    read: (file) => readText(file),
    manifest: { root: cwd, tool: `stepproof ${toolVersion()}` },
    diff: engine === undefined ? {} : { engine },
    isAccepted: (id) => keys.has(keyOf(id)),
  });
  progress(null);
  for (const [file, text] of files) writeText(file, text);
  const changed = applied.map(
    (change) => `${change.id.workflow}: ${change.message}\n  ${change.remedy?.title ?? ""}\n`,
  );
  await printResult(changed.join(""));
  const names = [...files.keys()].map((file) => relative(cwd, file)).join(", ");
  const open = openVerdict(left, accepted);
  const clean = open === "identical" || open === "safe";
  if (applied.length > 0) {
    printNote(`${applied.length} ${applied.length === 1 ? "remedy" : "remedies"} applied in ${names}.`);
  } else {
    printNote(clean ? `nothing to mend: the change is ${open}.` : "no remedy could be applied.");
  }
  if (clean) return EXIT.clean;
  printNote(`the result is still ${open}; stepproof diff ${args.from} says why.`);
  return EXIT.findings;
}
