/**
 * The manifest: its format, how it is written and read, whether a history is accepted by the code that
 * a manifest describes, and what a deploy of one manifest over another means. Pure, without
 * dependencies; runs in a browser.
 */
export * from "./format.js";
export { REPLAY_FLAGS, type ReplayFlags } from "./replay-flags.js";
export { hash64 } from "./hash.js";
export { ManifestError } from "./manifest-error.js";
export { readManifest } from "./read-manifest.js";
export { hashWorkflow, inOrder, writeManifest } from "./write-manifest.js";
export {
  historyOf,
  historySize,
  type History,
  type HistoryEntry,
  type HistoryRecord,
  type HistoryScope,
} from "./history.js";
export { accepts, type Acceptance } from "./accepts.js";
export { lateRemovals } from "./late-removals.js";
export { diffManifests, type DiffOptions } from "./diff.js";
export type * from "./diff-types.js";
export { CHANGE_KINDS } from "./change-kinds.js";
export { patternText } from "./names.js";
export { renderHistory, renderWitness } from "./render-witness.js";
