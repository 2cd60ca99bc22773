import type { WorkflowManifest } from "../../manifest/format.js";

const MANIFEST = Symbol.for("stepproof.manifest");

/**
 * Makes a definition carry the manifest of the very code that it runs; the transform emits this call. The
 * runtime then parks instances that the code would not accept, and takes a late `removed` (design §4.6).
 */
export function withManifest<T extends object>(definition: T, manifest: WorkflowManifest): T {
  return Object.defineProperty(definition, MANIFEST, { value: manifest });
}

/** The manifest that a definition carries, if it was built with the transform. */
export function carriedManifest(definition: object): WorkflowManifest | undefined {
  return (definition as { readonly [MANIFEST]?: WorkflowManifest })[MANIFEST];
}
