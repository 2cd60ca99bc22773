import { decodeValue, encodeRecord, encodeValue } from "../engine/codec.js";
import { Access, ActionAccess } from "./access.js";
import type { Aftermath } from "./aftermath.js";
import { withFrame, type CallChain } from "./call-chain.js";
import type { LiveConnection } from "./connections.js";
import { noEffects } from "./effects.js";
import { ActionNotFoundError, ActionTimeoutError } from "./errors.js";
import type { Instance } from "./instance.js";
import type { Scope } from "./scope.js";
import { endSpan, inSpan } from "./spans.js";
import { withinTime } from "./time-limit.js";

export interface ActionRequest {
  readonly chain: CallChain;
  readonly connection?: LiveConnection;
  /** Run right before the commit that ends the action; gets what the action threw, if it did. */
  readonly record?: (error: unknown) => void;
}

export type Hook =
  | "onCreate"
  | "onWake"
  | "onSleep"
  | "onDestroy"
  | "onStateChange"
  | "onBeforeConnect"
  | "onConnect"
  | "onDisconnect"
  | "createState"
  | "createVars"
  | "createConnState"
  | "onError"
  | "run";

/** Hooks that run while an instance is being loaded: a call back to it would wait for itself. */
const LOADS: ReadonlySet<Hook> = new Set<Hook>(["createState", "createVars", "onCreate", "onWake"]);

/**
 * Calls an action and gives a copy of its result, once its changes are durable.
 * @throws what the action throws; ActionNotFoundError, ActionTimeoutError.
 */
export async function callAction(
  instance: Instance,
  name: string,
  args: readonly unknown[],
  request: ActionRequest,
): Promise<unknown> {
  const actor = instance.address.name;
  const { actions = {} } = instance.definition.config;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new ActionNotFoundError(actor, name, Object.keys(actions));
  const frame = { instance: instance.instance, kind: "action", what: name } as const;
  const scope = instance.scope("action", name, withFrame(request.chain, frame));
  const context = new ActionAccess(instance, scope, request.connection ?? null);
  const unchanged = unchangedSince(instance);
  return await instance.keepAwake(
    concluded(instance, scope, unchanged, request.record, async () => {
      const run = async (): Promise<unknown> => action(context, ...args);
      const ms = instance.option("actionTimeout");
      const result = await withinTime(instance.host.clock, ms, run(), () => {
        throw new ActionTimeoutError(actor, name, ms);
      });
      return decodeValue(encodeValue(result, `The result of action "${name}"`));
    }),
  );
}

/**
 * Runs a hook if there is one. Gives what it returns.
 * @param commit whether what it did is made durable at once; else it goes with the caller's commit.
 * @throws what the hook throws.
 */
export async function runHook(
  instance: Instance,
  name: Hook,
  args: readonly unknown[],
  commit: boolean,
): Promise<unknown> {
  const hook = hookOf(instance, name);
  if (hook === undefined || hook === null) return undefined;
  const kind = LOADS.has(name) ? "load" : "hook";
  const scope = instance.scope("hook", name, [{ instance: instance.instance, kind, what: name }]);
  const run = async (): Promise<unknown> => hook(new Access(instance, scope), ...args);
  if (commit) return await concluded(instance, scope, () => false, undefined, run);
  const result = await run();
  scope.close();
  instance.apply(scope.effects, { failed: false, stateUnchanged: false });
  return result;
}

type HookFunction = (c: unknown, ...args: readonly unknown[]) => unknown;

function hookOf({ definition }: Instance, name: Hook): HookFunction | null | undefined {
  const { config } = definition;
  const hook =
    name === "run"
      ? definition.run
      : name === "onError"
        ? definition.workflow?.options.onError
        : config[name];
  return hook as HookFunction | null | undefined;
}

/** Runs `body`, then makes durable what it did, whether it threw or not. */
async function concluded<T>(
  instance: Instance,
  scope: Scope<"action" | "hook">,
  unchanged: () => boolean,
  record: ((error: unknown) => void) | undefined,
  body: () => Promise<T>,
): Promise<T> {
  let failure: { readonly error: unknown } | null = null;
  let result: T | undefined;
  const span = instance.spans.startCall(scope.kind, scope.name);
  try {
    result = await inSpan(span, body);
  } catch (error) {
    failure = { error };
  }
  scope.close();
  let aftermath: Aftermath;
  try {
    aftermath = instance.apply(scope.effects, { failed: failure !== null, stateUnchanged: unchanged() });
  } catch (error) {
    // The state can't be stored: the action fails, and what it sent is dropped.
    failure ??= { error };
    aftermath = { dirty: false, stateChanged: false, effects: noEffects(instance.tables) };
  }
  record?.(failure?.error);
  endSpan(span, failure?.error);
  if (aftermath.dirty || record !== undefined) await instance.journal.commit();
  await instance.settle(aftermath);
  if (failure !== null) throw failure.error;
  return result as T; // set: body did not throw
}

/**
 * A read-only action must not store what a step in flight has changed so far: only while a step is in
 * flight, compares the state at its begin and end.
 */
function unchangedSince(instance: Instance): () => boolean {
  if (instance.stepsInFlight === 0) return () => false;
  const text = (): string => encodeRecord("host", [encodeValue(instance.state.value, instance.stateLabel)]);
  const before = text();
  return () => text() === before;
}
