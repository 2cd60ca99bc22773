import { resolve } from "node:path";
import { diffManifests } from "../../../runtime/src/manifest/diff.js";
import type { Change, DiffResult } from "../../../runtime/src/manifest/diff-types.js";
import type { EngineName, Manifest } from "../../../runtime/src/manifest/format.js";
import { placeOfChange } from "../manifest/place-of-change.js";
import { buildGraphs } from "../report/graph/index.js";
import { DIFF_FORMATS, type DiffFormat, type DiffReport, type ShownChange } from "../report/diff/index.js";
import {
  ACCEPTED_FILE,
  keyOf,
  openVerdict,
  readAccepted,
  tokenOf,
  writeAccepted,
  type Acceptance,
} from "./accepted.js";
import { EXIT, UsageError, type ExitCode } from "./exit.js";
import { openConfig, type SourceArguments } from "./open-check.js";
import { openManifest, sourcesOfTree, type ManifestSource } from "./open-manifest.js";
import { printNote, printResult, progress, renderOptions, workingDirectory } from "./terminal.js";

export interface DiffArguments extends SourceArguments {
  readonly format: DiffFormat;
  readonly failOn: "breaking" | "risky";
  readonly accept?: string;
  readonly reason?: string;
  /** Run the witnesses on the runtime. */
  readonly replay?: boolean;
}

/** `stepproof diff OLD [NEW]`: would the new version break instances that the old one left running? */
export async function diffCommand(
  oldSource: string,
  newSource: string | undefined,
  args: DiffArguments,
): Promise<ExitCode> {
  const config = await openConfig(args);
  progress("reading both versions …");
  const before = await openManifest(oldSource, args, config);
  const after: ManifestSource =
    newSource === undefined
      ? await sourcesOfTree(args, config)
      : await openManifest(newSource, args, config, before);
  progress(null);
  const engine = args.engine as EngineName | undefined;
  const result = diffManifests(before.manifest, after.manifest, engine === undefined ? {} : { engine });
  if (args.accept !== undefined) return accept(args.accept, args.reason, result);

  const judged = toDiffReport(result, readAccepted(resolve(ACCEPTED_FILE)), after);
  const report = args.replay === true ? await withReplays(judged, after.manifest, engine) : judged;
  const changed = report.workflows
    .filter((workflow) => workflow.verdict !== "identical")
    .map((workflow) => workflow.name);
  const graphs =
    args.format === "markdown"
      ? changed.flatMap((name) => buildGraphs(after.manifest, before.manifest, name))
      : [];
  await printResult(DIFF_FORMATS[args.format]({ report, graphs }, renderOptions()));
  const failing = args.failOn === "risky" ? ["risky", "breaking"] : ["breaking"];
  return failing.includes(report.open) ? EXIT.findings : EXIT.clean;
}

function toDiffReport(
  result: DiffResult,
  accepted: readonly Acceptance[],
  after: ManifestSource,
): DiffReport {
  const reasons = new Map(accepted.map((one) => [keyOf(one.change), one.reason]));
  const workflows = result.workflows.map((workflow) => ({
    ...workflow,
    changes: workflow.changes.map((change): ShownChange => ({
      ...change,
      token: tokenOf(change.id),
      accepted: reasons.get(keyOf(change.id)) ?? null,
      place: placeOf(change, workflow.name, workflow.file, after),
    })),
  }));
  const changes = workflows.flatMap((workflow) => workflow.changes);
  const known = new Set(changes.map((change) => keyOf(change.id)));
  return {
    version: 1,
    verdict: result.verdict,
    open: openVerdict(result, accepted),
    workflows,
    unusedAcceptances: accepted.map((one) => one.change).filter((id) => !known.has(keyOf(id))),
    tooLarge: result.tooLarge,
  };
}

/** Runs each witness on the runtime, with the new version as its manifest describes it. */
async function withReplays(
  report: DiffReport,
  now: Manifest,
  engine: EngineName | undefined,
): Promise<DiffReport> {
  progress("running the witnesses …");
  // Loaded here only: the diff itself needs no engine.
  const { replayWitness } = await import("../../../runtime/src/testing/replay-witness.js");
  const workflows: DiffReport["workflows"][number][] = [];
  for (const workflow of report.workflows) {
    const code = Object.hasOwn(now.workflows, workflow.name) ? now.workflows[workflow.name] : undefined;
    const changes: ShownChange[] = [];
    for (const change of workflow.changes) {
      const runs = code !== undefined && change.witness !== null && change.kind !== "too-large";
      const replay = runs
        ? { ...(await replayWitness(change.witness, code)), judgedBy: engine ?? code.engine }
        : null;
      changes.push({ ...change, replay });
    }
    workflows.push({ ...workflow, changes });
  }
  progress(null);
  return { ...report, workflows };
}

/** Where the author has to look: known to the line when the new version was built from sources. */
function placeOf(
  change: Change,
  workflow: string,
  file: string,
  after: ManifestSource,
): ShownChange["place"] {
  if (after.analysis === null) return { file, line: null };
  return placeOfChange(change, workflow, after.analysis, workingDirectory()) ?? { file, line: null };
}

function accept(token: string, reason: string | undefined, result: DiffResult): ExitCode {
  if (reason === undefined || reason.trim() === "")
    throw new UsageError("--accept needs --reason: the next reader must be able to check it.");
  const ids = result.workflows.flatMap((workflow) => workflow.changes.map((change) => change.id));
  const id = ids.find((one) => tokenOf(one) === token);
  if (id === undefined) {
    throw new UsageError(
      `There is no change ${token} in this diff. Changes: ${ids.map(tokenOf).join(", ") || "none"}.`,
    );
  }
  const path = resolve(ACCEPTED_FILE);
  const others = readAccepted(path).filter((one) => keyOf(one.change) !== keyOf(id));
  writeAccepted(path, [...others, { change: id, reason }]);
  printNote(`${ACCEPTED_FILE} accepts ${id.kind} of ${id.workflow} ${id.path.join("/")}. Commit it.`);
  return EXIT.clean;
}
