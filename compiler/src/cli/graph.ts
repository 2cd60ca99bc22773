import { resolve } from "node:path";
import { buildGraphs, GRAPH_FORMATS, type GraphFormat } from "../report/graph/index.js";
import { EXIT, UsageError, type ExitCode } from "./exit.js";
import { writeText } from "./files.js";
import { openConfig, type SourceArguments } from "./open-check.js";
import { manifestOfSources, openManifest } from "./open-manifest.js";
import { printNote, printResult, workingDirectory } from "./terminal.js";

export interface GraphArguments extends SourceArguments {
  readonly format: GraphFormat;
  readonly workflow?: string;
  /** An older manifest: what changed since is coloured. */
  readonly old?: string;
  readonly output?: string;
}

/** `stepproof graph [SOURCE]`: draws the workflows of a manifest, of a ref, or of the sources. */
export async function graphCommand(source: string | undefined, args: GraphArguments): Promise<ExitCode> {
  const config = await openConfig(args);
  const { manifest } =
    source === undefined
      ? await manifestOfSources([], args, config, workingDirectory())
      : await openManifest(source, args, config);
  const old = args.old === undefined ? null : (await openManifest(args.old, args, config)).manifest;
  const graphs = buildGraphs(manifest, old, args.workflow ?? null);
  if (graphs.length === 0) {
    const names = Object.keys(manifest.workflows).join(", ") || "none";
    throw new UsageError(
      args.workflow === undefined
        ? "There is no workflow to draw."
        : `There is no workflow "${args.workflow}". There are: ${names}.`,
    );
  }
  const text = GRAPH_FORMATS[args.format](graphs);
  if (args.output === undefined) await printResult(text);
  else {
    writeText(resolve(args.output), text, args.output);
    printNote(`${args.output} written.`);
  }
  return EXIT.clean;
}
