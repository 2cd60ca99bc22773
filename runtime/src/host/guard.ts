import { AsyncLocalStorage } from "node:async_hooks";
import { FatalError } from "../engine/errors.js";
import type { Guard } from "../engine/seam.js";

export interface GuardOptions {
  /** `throw`: the call fails in workflow code. `warn`: it is told, once per place, and goes through. */
  readonly mode: "throw" | "warn";
  /** Default: `console.warn`. */
  readonly warn?: (message: string) => void;
}

/** Workflow code called something that gives another result, or acts again, when it is run again. */
export class GuardError extends FatalError {
  constructor(message: string) {
    super("effect_in_workflow", message);
  }
}

/** Why each kind of call must not be made in workflow code. */
const REASONS = {
  clock: "gives another time when the workflow is run again",
  random: "gives another value when the workflow is run again",
  timer: "is lost when the workflow is run again; use ctx.sleep to wait",
  effect: "is done again when the workflow is run again",
} as const;

type Kind = keyof typeof REASONS;

/**
 * Watches clock, random numbers, timers and `fetch` for calls from workflow code, through async context.
 * It replaces the globals until `dispose` puts them back; other code calls through at the price of one
 * look at the context. Import it only where it is on: without it the engine costs nothing.
 */
export function createGuard({ mode, warn = console.warn }: GuardOptions): Guard & { dispose(): void } {
  const context = new AsyncLocalStorage<string | undefined>();
  const told = new Set<string>();
  const check = (what: string, kind: Kind): void => {
    const instance = context.getStore();
    if (instance === undefined) return;
    const place = context.run(undefined, callSite);
    const message = `${what} was called in the workflow code of "${instance}"${place === "" ? "" : ` at ${place}`}: it ${REASONS[kind]}. Move it into a ctx.step(…).`;
    if (mode === "throw") throw new GuardError(message);
    if (told.has(`${what} ${place}`)) return;
    told.add(`${what} ${place}`);
    context.run(undefined, () => {
      warn(message);
    });
  };
  const undo = replaceGlobals(check);
  return {
    workflow: (where, run) => context.run(where, run),
    outside: (run) => context.run(undefined, run),
    dispose: () => {
      for (const restore of undo) restore();
    },
  };
}

type Check = (what: string, kind: Kind) => void;

/** Puts watching functions in place of the globals. Gives what puts them back. */
function replaceGlobals(check: Check): (() => void)[] {
  const replace = <T extends object, K extends keyof T & string>(
    owner: T,
    key: K,
    what: string,
    kind: Kind,
  ): (() => void) => {
    const original = owner[key];
    if (typeof original !== "function") return () => undefined; // this Node does not have it
    const watching = new Proxy(original, {
      apply: (target, self: unknown, args: unknown[]): unknown => {
        check(what, kind);
        return Reflect.apply(target as (...args: unknown[]) => unknown, self, args);
      },
    });
    return set(owner, key, watching);
  };
  return [
    set(globalThis, "Date", watchDate(check)),
    replace(Math, "random", "Math.random()", "random"),
    replace(crypto, "randomUUID", "crypto.randomUUID()", "random"),
    replace(crypto, "getRandomValues", "crypto.getRandomValues()", "random"),
    replace(performance, "now", "performance.now()", "clock"),
    replace(globalThis, "setTimeout", "setTimeout()", "timer"),
    replace(globalThis, "setInterval", "setInterval()", "timer"),
    replace(globalThis, "setImmediate", "setImmediate()", "timer"),
    replace(globalThis, "fetch", "fetch()", "effect"),
  ];
}

function set<T extends object, K extends keyof T & string>(owner: T, key: K, value: T[K]): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, {
    value,
    writable: true,
    configurable: true,
    enumerable: before?.enumerable ?? false,
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, before);
  };
}

/** `Date`, whose present time is watched; dates made from arguments are not. */
function watchDate(check: Check): DateConstructor {
  const { now } = Date;
  return new Proxy(Date, {
    construct: (target, args: [], newTarget) => {
      if (args.length === 0) check("new Date()", "clock");
      return Reflect.construct(target, args, newTarget) as object;
    },
    apply: (target) => {
      check("Date()", "clock");
      return target();
    },
    get: (target, key, receiver): unknown => {
      if (key !== "now") return Reflect.get(target, key, receiver);
      return () => {
        check("Date.now()", "clock");
        return now();
      };
    },
  });
}

/** `file:line:column` of the code that called the global, or "". The frames of this file come first. */
function callSite(): string {
  const frames = (new Error().stack ?? "").split("\n").slice(1).map(locationOf);
  const own = fileOf(frames[0] ?? "");
  return frames.find((frame) => frame !== "" && fileOf(frame) !== own) ?? "";
}

/** The location in one line of a stack; "" for what has none (built-in functions, Node's own modules). */
function locationOf(line: string): string {
  return /(?:\(|\bat (?:async )?)((?:file:|\/|[A-Za-z]:[\\/]).*:\d+:\d+)\)?$/.exec(line)?.[1] ?? "";
}

const fileOf = (location: string): string => location.replace(/:\d+:\d+$/, "");
