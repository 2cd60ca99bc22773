import type { AttemptInfo, HostAttempt } from "../engine/seam.js";
import { StepAccess } from "./access.js";
import { noEffects } from "./effects.js";
import type { Aftermath, Instance } from "./instance.js";
import { Scope } from "./scope.js";
import { endSpan, startSpan } from "./spans.js";

/** Lends the instance to one run of a step's body; a rollback handler gets a bare context. */
export function beginAttempt(instance: Instance, info: AttemptInfo): HostAttempt {
  if (info.kind === "rollback") return { context: rollbackContext(instance, info), end: () => undefined };
  const frame = { instance: instance.instance, kind: "step", what: info.name } as const;
  const scope = new Scope("step", info.name, [frame], noEffects(instance.tables), () => info.abortSignal);
  const span = startSpan("step", info.name, instance.spanOwner, info.attempt);
  instance.stepsInFlight++;
  let aftermath: Aftermath | null = null;
  return {
    context: new StepAccess(instance, scope, info),
    end: (outcome) => {
      scope.close();
      instance.stepsInFlight--;
      instance.used();
      endSpan(span, outcome === "completed" ? undefined : outcome);
      if (outcome === "cancelled") return;
      aftermath = instance.apply(scope.effects, { failed: outcome !== "completed", stateUnchanged: false });
    },
    committed: () => {
      if (aftermath !== null) void instance.settle(aftermath);
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
