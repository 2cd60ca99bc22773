import type { WorkflowManifest } from "../../../runtime/src/manifest/format.js";
import type { Analysis } from "../2-solve/types.js";
import { withOwnNames, workflowManifests } from "../manifest/index.js";
import type { Place, Span } from "../types.js";
import { entryPlaces, type EntryPlace } from "./entry-places.js";

/** What one workflow carries at run time; the shape that `runtime/src/host/define/carried-manifest.ts` reads. */
export interface CarriedManifest {
  readonly manifest: WorkflowManifest;
  readonly places: readonly EntryPlace[];
}

/** A call that makes workflows, with what their definition is to carry. */
export interface CarryingCall {
  /** The whole call in the text that was analysed. */
  readonly span: Span;
  /** JSON of the workflows that it makes: one, but for a factory that is called more than once. */
  readonly carried: string;
}

/** What one workflow is to carry, and where. Plain data. */
export interface CarriedWorkflow {
  readonly place: Place;
  /** The call that makes it. */
  readonly call: Place;
  /** Its manifest under the name of its own, which others may have too. */
  readonly carried: CarriedManifest;
}

/**
 * What the workflows of an analysis are to carry.
 * @param root absolute with `/`: manifests name files relative to it.
 */
export function carriedWorkflows(analysis: Analysis, root: string): readonly CarriedWorkflow[] {
  return workflowManifests(analysis, root).map(({ workflow, manifest }) => ({
    place: workflow.place,
    call: workflow.call,
    carried: { manifest, places: entryPlaces(workflow, analysis.files, root) },
  }));
}

/**
 * The calls to be changed, by file (absolute, with `/`), in the order of the text.
 * @param workflows in the order of their places.
 */
export function callsThatCarry(
  workflows: readonly CarriedWorkflow[],
): ReadonlyMap<string, readonly CarryingCall[]> {
  const manifests = withOwnNames(workflows.map(({ carried }) => carried.manifest));
  const files = new Map<string, Map<string, { readonly span: Span; readonly carried: CarriedManifest[] }>>();
  workflows.forEach(({ call: { file, span }, carried }, at) => {
    const calls = files.get(file) ?? new Map<string, { span: Span; carried: CarriedManifest[] }>();
    files.set(file, calls);
    const call = calls.get(span.join()) ?? { span, carried: [] };
    calls.set(span.join(), call);
    call.carried.push({ ...carried, manifest: manifests[at] ?? carried.manifest });
  });
  return new Map(
    [...files].map(([file, calls]) => [
      file,
      [...calls.values()]
        .sort((a, b) => a.span[0] - b.span[0])
        .map(({ span, carried }) => ({ span, carried: JSON.stringify(carried) })),
    ]),
  );
}

/** The same of an analysis of the whole. */
export function carriedIn(analysis: Analysis, root: string): ReadonlyMap<string, readonly CarryingCall[]> {
  return callsThatCarry(carriedWorkflows(analysis, root));
}
