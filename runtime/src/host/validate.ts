import type { StandardSchemaV1 } from "@standard-schema/spec";
import { DefinitionError, ValidationError } from "./errors.js";

/**
 * The value as the schema gives it back (it may transform).
 * @param what begins the error's message: `The body of a message to queue "orders"`.
 * @throws ValidationError with the schema's own messages.
 */
export async function validate<T>(
  schema: StandardSchemaV1<unknown, T>,
  value: unknown,
  what: string,
): Promise<T> {
  return checkedValue(await schema["~standard"].validate(value), what);
}

function checkedValue<T>(result: StandardSchemaV1.Result<T>, what: string): T {
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ message, path }) => ({ message, path: pathText(path ?? []) }));
  throw new ValidationError(what, issues);
}

/**
 * As `validate`, where nothing can be awaited (responses, events).
 * @throws ValidationError; DefinitionError when the schema is asynchronous.
 */
export function validateNow<T>(schema: StandardSchemaV1<unknown, T>, value: unknown, what: string): T {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) {
    throw new DefinitionError(
      `The schema of ${what.toLowerCase()} is asynchronous; a synchronous one is needed here.`,
    );
  }
  return checkedValue(result, what);
}

/** True for a Standard Schema: zod, valibot, arktype … */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;
}

function pathText(path: readonly (PropertyKey | StandardSchemaV1.PathSegment)[]): string {
  return path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
}
