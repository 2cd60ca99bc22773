import { fingerprint } from "../2-solve/computation/fingerprint.js";
import { Program } from "../2-solve/program.js";
import type { Analysis, EntryOperation, WorkflowAnalysis } from "../2-solve/types.js";
import {
  hashWorkflow,
  inOrder,
  MANIFEST_FORMAT_VERSION,
  type Block,
  type Manifest,
  type QueueManifest,
  type WorkflowManifest,
} from "../../../runtime/src/manifest/index.js";
import type { EntrySources } from "./entry-node.js";
import { withGateNames } from "./gate-names.js";
import { blockOf } from "./skeleton-block.js";
import { StateTypes } from "./state-types.js";

export interface ManifestOptions {
  /** Absolute folder with `/`; files are named relative to it. */
  readonly root: string;
  /** Name and version of the tool: `stepproof 0.1.0`. */
  readonly tool: string;
}

/** What every workflow of an analysis can record (design §7). */
export function manifestOf(analysis: Analysis, options: ManifestOptions): Manifest {
  const manifests = workflowManifests(analysis, options.root).map(({ manifest }) => manifest);
  return manifestFrom(withOwnNames(manifests), options.tool);
}

/** The manifest of a project out of those of its workflows. */
export function manifestFrom(workflows: readonly WorkflowManifest[], tool: string): Manifest {
  return {
    formatVersion: MANIFEST_FORMAT_VERSION,
    tool,
    workflows: Object.fromEntries(workflows.map((manifest) => [manifest.name, manifest])),
  };
}

/**
 * Two workflows of one name: the second and later ones get the name with `#2` and so on.
 * @param manifests in the order of their workflows' places.
 */
export function withOwnNames(manifests: readonly WorkflowManifest[]): WorkflowManifest[] {
  const used = new Map<string, number>();
  return manifests.map((manifest) => {
    const count = (used.get(manifest.name) ?? 0) + 1;
    used.set(manifest.name, count);
    if (count === 1) return manifest;
    const { hash: _, ...content } = manifest;
    const named = { ...content, name: `${manifest.name}#${count}` };
    return { ...named, hash: hashWorkflow(named) };
  });
}

/**
 * The manifests one by one, each with the workflow that it speaks of; several may have one name.
 * @param root as `ManifestOptions.root`.
 */
export function workflowManifests(
  analysis: Analysis,
  root: string,
): { readonly workflow: WorkflowAnalysis; readonly manifest: WorkflowManifest }[] {
  const program = new Program({
    roots: [],
    file: (path) => analysis.files.get(path) ?? null,
    packageFile: () => null,
  });
  const states = new StateTypes(analysis);
  const sources: EntrySources = {
    fingerprint: (op) => bodyFingerprint(program, op),
    stateType: (state) => states.of(state),
  };
  return analysis.workflows.map((workflow) => ({
    workflow,
    manifest: workflowManifest(workflow, sources, root),
  }));
}

function workflowManifest(workflow: WorkflowAnalysis, sources: EntrySources, root: string): WorkflowManifest {
  const functions = Object.entries(workflow.skeleton.functions).map(([key, body]): [string, Block] => [
    key,
    withGateNames(blockOf(body, sources)),
  ]);
  const queues = workflow.queues.map((queue): [string, QueueManifest] => [
    queue.name,
    { bodyType: queue.bodyType?.text ?? "unknown", responseType: queue.responseType?.text ?? null },
  ]);
  const content = inOrder<Omit<WorkflowManifest, "hash">>({
    name: workflow.name,
    file: relative(root, workflow.place.file),
    engine: workflow.engine,
    body: withGateNames(blockOf(workflow.skeleton.body, sources)),
    functions: Object.fromEntries(functions),
    stateType: workflow.stateType?.text ?? null,
    queues: Object.fromEntries(queues),
  });
  return { ...content, hash: hashWorkflow(content) };
}

function bodyFingerprint(program: Program, op: EntryOperation): string {
  const body = op.callbacks.find((callback) => callback.role === "body");
  const prints = (body?.activations ?? []).map((act) => fingerprint(program, act.function));
  return [...new Set(prints)].sort().join("+");
}

/** Outside of the root with `../`, so that no absolute path gets into a committed file. */
function relative(root: string, file: string): string {
  const from = root.split("/").filter((part) => part !== "");
  const to = file.split("/").filter((part) => part !== "");
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}
