import type { EngineName } from "./format.js";

/**
 * Where the engines differ in the replay contract (design §4). `stepproof` is the contract itself;
 * the other two rows say what the published engines do instead.
 */
export interface ReplayFlags {
  /** §4.4: a new step is refused while recorded entries of its scope are unvisited. */
  readonly newStepNeedsVisitedSiblings: boolean;
  /** §4.5: what must have been visited when a scope ends. */
  readonly scopeEnd: "direct-children" | "subtree";
  /** §4.5: whether the root scope is validated at the end of the run. */
  readonly rootValidated: boolean;
  /** §4.6: `removed` after the new step is accepted when the carried manifest declares it. */
  readonly lateRemovedAccepted: boolean;
  /** §4.7: entries inside finished loops and joins make a gate resolve to 1. */
  readonly gateCountsFinishedScopes: boolean;
  /** §4.8: a changed branch set on an existing join or race is a divergence. */
  readonly branchSetChecked: boolean;
  /** §4.10: a critical failure or timeout caught by `tryStep` is replayed, not run again. */
  readonly terminalFailureReplayed: boolean;
}

export const REPLAY_FLAGS: Readonly<Record<EngineName, ReplayFlags>> = {
  "rivetkit-2": {
    newStepNeedsVisitedSiblings: false,
    scopeEnd: "subtree",
    rootValidated: false,
    lateRemovedAccepted: true,
    gateCountsFinishedScopes: true,
    branchSetChecked: false,
    terminalFailureReplayed: false,
  },
  "rivet-workflows-1": {
    newStepNeedsVisitedSiblings: true,
    scopeEnd: "direct-children",
    rootValidated: true,
    lateRemovedAccepted: false,
    gateCountsFinishedScopes: true,
    branchSetChecked: false,
    terminalFailureReplayed: false,
  },
  stepproof: {
    newStepNeedsVisitedSiblings: true,
    scopeEnd: "direct-children",
    rootValidated: true,
    lateRemovedAccepted: true,
    gateCountsFinishedScopes: false,
    branchSetChecked: true,
    terminalFailureReplayed: true,
  },
};
