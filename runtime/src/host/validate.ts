import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ValidationError } from "./errors.js";

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
  const result = await schema["~standard"].validate(value);
  if (result.issues !== undefined) {
    throw new ValidationError(
      what,
      result.issues.map((issue) => ({ message: issue.message, path: pathText(issue.path ?? []) })),
    );
  }
  return result.value;
}

/** True for a Standard Schema: zod, valibot, arktype … */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return (typeof value === "object" || typeof value === "function") && value !== null && "~standard" in value;
}

function pathText(path: readonly (PropertyKey | StandardSchemaV1.PathSegment)[]): string {
  return path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
}
