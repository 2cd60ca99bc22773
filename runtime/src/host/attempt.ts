import type { AttemptInfo, HostAttempt } from "../engine/seam.js";
import { StepAccess } from "./access.js";
import { noEffects } from "./effects.js";
import type { Aftermath } from "./aftermath.js";
import type { Instance } from "./instance.js";
import { Scope } from "./scope.js";
import { endSpan, inSpan } from "./spans.js";

/** Lends the instance to one run of a step's body; a rollback handler gets a bare context. */
export function beginAttempt(instance: Instance, info: AttemptInfo): HostAttempt {
  if (info.kind === "rollback") return beginRollback(instance, info);
  const frame = { instance: instance.instance, kind: "step", what: info.name } as const;
  const scope = new Scope("step", info.name, [frame], noEffects(instance.tables), () => info.abortSignal);
  const span = instance.spans.startStep(info.name, info.attempt);
  instance.stepsInFlight++;
  let aftermath: Aftermath | null = null;
  const context = new StepAccess(instance, scope, info);
  return {
    context,
    around: (body) => inSpan(span, () => body(context)),
    end: (outcome) => {
      scope.close();
      instance.stepsInFlight--;
      instance.used();
      endSpan(span, outcome === "completed" ? undefined : outcome);
      if (outcome === "evicted") return; // the instance puts its state once all is over
      // What another step in flight has changed so far goes with that step's own record, where this one can tell.
      const stateUnchanged = instance.stepsInFlight > 0 && !scope.usesState;
      aftermath = instance.apply(scope.effects, { failed: outcome !== "completed", stateUnchanged });
    },
    committed: () => {
      if (aftermath !== null) void instance.settle(aftermath);
    },
  };
}

/** A rollback handler gets nothing of the instance, and has a span of its own. */
function beginRollback(instance: Instance, info: AttemptInfo): HostAttempt {
  const span = instance.spans.startRollback(info.name);
  const context = rollbackContext(instance, info);
  return {
    context,
    around: (body) => inSpan(span, () => body(context)),
    end: (outcome) => {
      endSpan(span, outcome === "completed" ? undefined : outcome);
    },
  };
}

function rollbackContext(instance: Instance, info: AttemptInfo): object {
  return {
    workflowId: instance.instance,
    get abortSignal() {
      return info.abortSignal;
    },
    isEvicted: () => info.isEvicted(),
  };
}
