import type { StepFailureKind } from "./entry.js";
import {
  CriticalError,
  JoinError,
  RaceError,
  RollbackError,
  StepExhaustedError,
  StepTimeoutError,
} from "./errors.js";
import type { Place } from "./history.js";
import type { ErrorData } from "./seam.js";

const STACK_LIMIT = 2000;
/** Of messages and of own properties, in characters: so that a failure can always be recorded. */
const TEXT_LIMIT = 10_000;

/** Seed, "Handling terminal failures as data". */
export interface TryStepFailure {
  readonly kind: StepFailureKind;
  readonly stepName: string;
  readonly attempts: number;
  readonly error: ErrorData;
}

/** Where an error that user code sees came from. */
export interface FailureSource {
  readonly source: "step" | "join" | "race";
  readonly name: string;
  readonly place: Place;
  readonly step?: TryStepFailure;
}

/** By the error object that was thrown into user code. */
const sources = new WeakMap<Error, FailureSource>();

/** Remembers where `error` came from, and gives it back. */
export function withSource<E extends Error>(error: E, source: FailureSource): E {
  sources.set(error, source);
  return error;
}

/** Where the error came from; `undefined` for one that user code made. */
export function sourceOf(error: unknown): FailureSource | undefined {
  return error instanceof Error ? sources.get(error) : undefined;
}

/** The places whose failure led to `error`, through `cause` too. */
export function placesBehind(error: unknown): Place[] {
  const places: Place[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 20; at = at.cause, depth++) {
    const source = sources.get(at);
    if (source !== undefined) places.push(source.place);
  }
  return places;
}

/** What of an error is recorded. Anything can be thrown; what is not an Error becomes its text. */
export function errorData(error: unknown): ErrorData {
  if (!(error instanceof Error))
    return { name: "Error", message: cut(typeof error === "string" ? error : describe(error)) };
  const metadata: Record<string, string | number | boolean | null> = {};
  for (const [key, value] of Object.entries(error)) {
    if (key === "name" || key === "message" || key === "stack" || key === "code") continue;
    if (typeof value === "string") metadata[key] = cut(value);
    else if (value === null || typeof value === "number" || typeof value === "boolean") metadata[key] = value;
  }
  const code: unknown = (error as { code?: unknown }).code;
  return {
    name: String(error.name),
    message: cut(String(error.message)),
    ...(typeof code === "string" || typeof code === "number" ? { code: String(code) } : undefined),
    ...(typeof error.stack === "string" ? { stack: error.stack.slice(0, STACK_LIMIT) } : undefined),
    ...(Object.keys(metadata).length > 0 ? { metadata } : undefined),
  };
}

const cut = (text: string): string => text.slice(0, TEXT_LIMIT);

function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

const CLASSES: Readonly<Record<string, abstract new (...args: never[]) => Error>> = {
  CriticalError,
  RollbackError,
  StepTimeoutError,
  StepExhaustedError,
  JoinError,
  RaceError,
};

/**
 * The error of recorded data: of the engine's class if its name is one, else a plain Error of that name.
 * First runs get it too, so that user code sees the same error on the first run and on replay.
 */
export function restoreError(data: ErrorData, as: keyof typeof CLASSES | undefined = data.name): Error {
  const error = new Error(data.message);
  const known = CLASSES[as];
  if (known !== undefined) Object.setPrototypeOf(error, known.prototype as object);
  const own = {
    name: data.name,
    ...(data.code === undefined ? undefined : { code: data.code }),
    stack: data.stack ?? `${data.name}: ${data.message}`,
  };
  for (const [key, value] of Object.entries({ ...data.metadata, ...own })) {
    Object.defineProperty(error, key, {
      value,
      writable: true,
      configurable: true,
      enumerable: key !== "name" && key !== "stack",
    });
  }
  return error;
}

/** True for `class` and for one of the same name from another copy of the package. */
export function isNamed(error: unknown, type: typeof CriticalError | typeof RollbackError): boolean {
  return error instanceof type || (error instanceof Error && error.name === type.name);
}
