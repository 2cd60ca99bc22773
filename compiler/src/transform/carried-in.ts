import type { WorkflowManifest } from "../../../runtime/src/manifest/format.js";
import type { Analysis } from "../2-solve/types.js";
import { workflowManifests } from "../manifest/index.js";
import type { Span } from "../types.js";
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

/**
 * The calls to be changed, by file (absolute, with `/`), in the order of the text.
 * @param root absolute with `/`: manifests name files relative to it.
 */
export function carriedIn(analysis: Analysis, root: string): ReadonlyMap<string, readonly CarryingCall[]> {
  const files = new Map<string, Map<string, { readonly span: Span; readonly carried: CarriedManifest[] }>>();
  for (const { workflow, manifest } of workflowManifests(analysis, root)) {
    const { file, span } = workflow.call;
    const calls = files.get(file) ?? new Map<string, { span: Span; carried: CarriedManifest[] }>();
    files.set(file, calls);
    const call = calls.get(span.join()) ?? { span, carried: [] };
    calls.set(span.join(), call);
    call.carried.push({ manifest, places: entryPlaces(workflow, analysis.files, root) });
  }
  return new Map(
    [...files].map(([file, calls]) => [
      file,
      [...calls.values()]
        .sort((a, b) => a.span[0] - b.span[0])
        .map(({ span, carried }) => ({ span, carried: JSON.stringify(carried) })),
    ]),
  );
}
