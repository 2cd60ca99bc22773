import { hostOf, isReplaying, WorkflowContext } from "../engine/context.js";
import type { WorkflowHost } from "../engine/seam.js";
import type { Log } from "../types/index.js";
import type { Instance } from "./instance.js";
import { silentLog } from "./log.js";

/** The host of a workflow that is an actor's. */
export interface InstanceHost extends WorkflowHost {
  readonly instance: Instance;
}

/** The context of workflow code: the engine's entries, and who the instance is. */
export class InstanceWorkflowContext extends WorkflowContext {
  get #instance(): Instance {
    // `hostOf` takes a context of any step type; the host was made by `Instance.workflowHost`.
    return (hostOf(this as unknown as WorkflowContext<never>) as InstanceHost).instance;
  }

  get actorId(): string {
    return this.#instance.actorId;
  }

  get name(): string {
    return this.#instance.address.name;
  }

  get key(): readonly string[] {
    return this.#instance.address.key;
  }

  /** Silent while the code repeats what an earlier run did. */
  get log(): Log {
    return isReplaying(this as unknown as WorkflowContext<never>) ? silentLog : this.#instance.log;
  }
}
