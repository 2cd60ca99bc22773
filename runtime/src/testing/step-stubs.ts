import type { ContextClass } from "../engine/context.js";
import { InstanceWorkflowContext } from "../host/workflow-context.js";

/**
 * What steps do instead of their own bodies, by name: a value, or a function that gets the step's context and
 * what it would have run. A name that ends in `*` stands for all that begin so; an exact name goes first.
 *
 * ```ts
 * { "charge-card": "ch_1", "ship-*": (step) => `track-${step.name}` }
 * ```
 */
export type StepStubs = Readonly<Record<string, unknown>>;

/** A stub that is a function. `step` is the step's context, `body` its own body. */
export type StepStub = (step: never, body: () => unknown) => unknown;

type Body = (step: never) => unknown;
type Undo = (context: never, output: never) => unknown;
interface Config {
  readonly name: string;
  readonly run: Body;
  readonly rollback?: Undo;
}

/** Wraps the bodies of steps (rollback handlers too) of every context. `kind` says which. */
export type AroundBody = (name: string, kind: "step" | "rollback", body: () => unknown) => unknown;

/** A context whose steps do what `stubs` say, each body run through `around`. */
export function stubbedContext(
  stubs: StepStubs,
  around: AroundBody = (_name, _kind, body) => body(),
): ContextClass {
  const changed = (given: string | Config, run: Body | undefined): Config => {
    const config: Config = typeof given === "string" ? { name: given, run: run as Body } : given;
    const { name, rollback } = config;
    const stub = stubFor(stubs, name);
    return {
      ...config,
      run: (step) =>
        around(name, "step", () => {
          if (stub === undefined) return config.run(step);
          if (typeof stub.does !== "function") return stub.does;
          return (stub.does as StepStub)(step, () => config.run(step));
        }),
      ...(rollback !== undefined && {
        rollback: (context, output) => around(name, "rollback", () => rollback(context, output)),
      }),
    };
  };
  return class StubbedContext extends InstanceWorkflowContext {
    // Both take what `step` of the base takes, which checks it.
    override step(given: unknown, run?: unknown): Promise<never> {
      return super.step(changed(given as string | Config, run as Body | undefined) as never);
    }
    override tryStep(given: unknown, run?: unknown): Promise<never> {
      return super.tryStep(
        changed(given as string | Config, run as Body | undefined) as never,
      ) as Promise<never>;
    }
  };
}

/** The stub of a step, wrapped so that the stubbed value `undefined` is told from none. */
function stubFor(stubs: StepStubs, name: string): { readonly does: unknown } | undefined {
  if (Object.hasOwn(stubs, name)) return { does: stubs[name] };
  const prefix = Object.keys(stubs).find((key) => key.endsWith("*") && name.startsWith(key.slice(0, -1)));
  return prefix === undefined ? undefined : { does: stubs[prefix] };
}
