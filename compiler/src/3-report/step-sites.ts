import type { Activation, Analysis, EntryOperation, Operation } from "../2-solve/types.js";

/** One `step` or `tryStep` and the functions that are its body. */
export interface StepSite {
  readonly entry: EntryOperation;
  readonly bodies: readonly Activation[];
  /** False when `maxRetries` is 0: the body then runs once. */
  readonly retried: boolean;
  /** `step "charge"` */
  readonly label: string;
}

// Every rule about steps asks for them.
const sites = new WeakMap<Analysis, readonly StepSite[]>();
const reached = new WeakMap<readonly Activation[], readonly Reached[]>();

/** Every step of the program, in the order of the operations. */
export function stepSites(analysis: Analysis): readonly StepSite[] {
  let found = sites.get(analysis);
  if (found === undefined) sites.set(analysis, (found = findSteps(analysis)));
  return found;
}

function findSteps(analysis: Analysis): readonly StepSite[] {
  return analysis.operations.flatMap((operation) => {
    if (operation.kind !== "entry" || operation.entry !== "step") return [];
    const bodies = operation.callbacks.filter(({ role }) => role === "body");
    return [
      {
        entry: operation,
        bodies: bodies.flatMap(({ activations }) => activations),
        retried: operation.options["maxRetries"]?.constants?.every((value) => value === 0) !== true,
        label: bodies[0]?.scope.label ?? "this step",
      },
    ];
  });
}

/** A function that runs in a step. */
export interface Reached {
  readonly activation: Activation;
  /** The operation of the body itself that leads there; `null` for the body. */
  readonly through: Operation | null;
}

/** The bodies and all functions of the program that they call, each once. */
export function reachedFrom(bodies: readonly Activation[]): readonly Reached[] {
  let all = reached.get(bodies);
  if (all === undefined) reached.set(bodies, (all = follow(bodies)));
  return all;
}

function follow(bodies: readonly Activation[]): readonly Reached[] {
  const found = new Map<string, Reached>();
  const visit = (activation: Activation, through: Operation | null): void => {
    if (found.has(activation.id)) return;
    found.set(activation.id, { activation, through });
    for (const operation of activation.operations)
      if (operation.kind === "call")
        for (const target of operation.targets) visit(target, through ?? operation);
  };
  for (const body of bodies) visit(body, null);
  return [...found.values()];
}
