import type { EntryPlace } from "../../manifest/entry-places.js";
import type { WorkflowManifest } from "../../manifest/format.js";

const MANIFEST = Symbol.for("stepproof.manifest");

/**
 * What the transform of `stepproof` leaves on a definition, or on the `run` that `workflow(fn)` gives: the manifest
 * of the very code that it runs, and where its entries are written. Emitted code writes this shape by itself, without
 * an import, so that it also runs beside other engines; it must not change but by further members.
 */
export interface CarriedManifest {
  readonly manifest: WorkflowManifest;
  readonly places: readonly EntryPlace[];
}

/**
 * Makes a definition carry the manifest of the code that it runs, as the transform does. The runtime then parks
 * instances that the code would not accept, and takes a late `removed` (design §4.6).
 * @param places where entries are written, for errors of use.
 */
export function withManifest<T extends object>(
  definition: T,
  manifest: WorkflowManifest,
  places: readonly EntryPlace[] = [],
): T {
  const carried: readonly CarriedManifest[] = [{ manifest, places }];
  return Object.defineProperty(definition, MANIFEST, { value: carried, configurable: true });
}

/**
 * What a definition carries, if it was built with the transform. One statement can make several workflows
 * (a factory that is called twice): then the one that is registered as `name` counts, and none if there is no such.
 */
export function carriedManifest(
  name: string,
  definition: { readonly config: object },
): CarriedManifest | undefined {
  const { run } = definition.config as { readonly run?: unknown };
  const carried = carriedBy(definition) ?? carriedBy(run) ?? [];
  return carried.length === 1 ? carried[0] : carried.find(({ manifest }) => manifest.name === name);
}

function carriedBy(holder: unknown): readonly CarriedManifest[] | undefined {
  if ((typeof holder !== "object" && typeof holder !== "function") || holder === null) return undefined;
  return (holder as { readonly [MANIFEST]?: readonly CarriedManifest[] })[MANIFEST];
}
