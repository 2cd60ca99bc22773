/**
 * Every error of host, server and client. Each has a `code` that never changes and an HTTP status. They
 * cross the wire as data (`toErrorData`) and come back as the same classes (`fromErrorData`).
 */

export interface RuntimeErrorOptions extends ErrorOptions {
  /** More about the error, as plain data. Sent to clients. */
  readonly metadata?: unknown;
}

/** Base of all of them. */
export class RuntimeError extends Error {
  readonly metadata: unknown;
  constructor(
    readonly code: string,
    /** HTTP status. */
    readonly status: number,
    message: string,
    options: RuntimeErrorOptions = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.metadata = options.metadata;
  }
}

export interface UserErrorOptions extends RuntimeErrorOptions {
  /** For callers to tell errors apart; `user_error` when absent. */
  readonly code?: string;
}

/** Throw it in an action: the caller gets its message, code and metadata. Other errors stay inside. */
export class UserError extends RuntimeError {
  constructor(message: string, options: UserErrorOptions = {}) {
    super(options.code ?? "user_error", 400, message, options);
  }
}

/** A definition contradicts itself. */
export class DefinitionError extends RuntimeError {
  constructor(message: string) {
    super("invalid_definition", 500, message);
  }
}

/** The registry has no definition of this name. */
export class UnknownActorError extends RuntimeError {
  constructor(name: string, known: readonly string[]) {
    super(
      "unknown_actor",
      404,
      `The registry has no actor or workflow "${name}". It has: ${known.join(", ") || "none"}.`,
    );
  }
}

/** `get` or `getForId`, and there is no such instance. */
export class ActorNotFoundError extends RuntimeError {
  constructor(what: string) {
    super("actor_not_found", 404, `There is no instance ${what}. Use getOrCreate to make it on first use.`);
  }
}

/** `create`, and the key is taken. */
export class ActorAlreadyExistsError extends RuntimeError {
  constructor(instance: string) {
    super(
      "actor_already_exists",
      409,
      `Instance "${instance}" exists already. Use getOrCreate or another key.`,
    );
  }
}

/** The instance was destroyed while the call was under way. */
export class ActorDestroyedError extends RuntimeError {
  constructor(instance: string) {
    super("actor_destroyed", 410, `Instance "${instance}" was destroyed.`);
  }
}

export class ActionNotFoundError extends RuntimeError {
  constructor(actor: string, action: string, known: readonly string[]) {
    super(
      "action_not_found",
      404,
      `"${actor}" has no action "${action}". It has: ${known.join(", ") || "none"}.`,
    );
  }
}

export class ActionTimeoutError extends RuntimeError {
  constructor(actor: string, action: string, ms: number) {
    super(
      "action_timeout",
      408,
      `Action "${action}" of "${actor}" took longer than ${String(ms)} ms. Move long work into the workflow, or raise options.actionTimeout.`,
    );
  }
}

export class QueueNotFoundError extends RuntimeError {
  constructor(actor: string, queue: string, known: readonly string[]) {
    super("queue_not_found", 404, `"${actor}" has no queue "${queue}". It has: ${known.join(", ")}.`);
  }
}

export class QueueFullError extends RuntimeError {
  constructor(instance: string, limit: number) {
    super(
      "queue_full",
      429,
      `${String(limit)} messages wait at "${instance}" already. Send again later, or raise options.maxQueueSize.`,
    );
  }
}

export class MessageTooLargeError extends RuntimeError {
  constructor(queue: string, size: number, limit: number) {
    super(
      "message_too_large",
      413,
      `The body of a message to queue "${queue}" is ${String(size)} bytes long; the limit is ${String(limit)}. Send a reference, or raise options.maxQueueMessageSize.`,
    );
  }
}

/** A value was refused by its schema; `metadata.issues` holds the schema's messages. */
export class ValidationError extends RuntimeError {
  constructor(what: string, issues: readonly { readonly message: string; readonly path: string }[]) {
    const list = issues
      .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
      .join("; ");
    super("validation_failed", 400, `${what} is not valid: ${list}`, { metadata: { issues } });
  }
}

/** A request that can't be understood. */
export class BadRequestError extends RuntimeError {
  constructor(message: string) {
    super("bad_request", 400, message);
  }
}

/** A step's (or action's, or hook's) context was used after it was over. */
export class ContextClosedError extends RuntimeError {
  constructor(member: string, owner: string) {
    super(
      "context_closed",
      500,
      `\`${member}\` was used after ${owner} was over. Await all work inside it, and don't keep its context.`,
    );
  }
}

/** A call that would wait for itself, or calls that go in a circle. */
export class CallCycleError extends RuntimeError {
  constructor(message: string, chain: readonly string[]) {
    super("call_cycle", 508, `${message} The calls: ${chain.join(" → ")}.`, { metadata: { chain } });
  }
}

export class ScheduleError extends RuntimeError {
  constructor(message: string) {
    super("invalid_schedule", 400, message);
  }
}

/** A sender waited for a workflow that will complete no message any more. The message stays in the queue. */
export class WorkflowEndedError extends RuntimeError {
  constructor(instance: string, status: string, reason: string | undefined) {
    const why = reason === undefined ? "" : `: ${reason}`;
    super(
      "workflow_ended",
      409,
      `The workflow of "${instance}" has ended (${status})${why}. No one will complete the message.`,
    );
  }
}

/** The process is being stopped; call again. */
export class StoppingError extends RuntimeError {
  constructor() {
    super("stopping", 503, "The runtime is being stopped. Try again.");
  }
}

export class UnauthorizedError extends RuntimeError {
  constructor() {
    super("unauthorized", 401, "This needs the token, as `Authorization: Bearer …`.");
  }
}

/** A fault inside an action or of the runtime. The details are in the server's log. */
export class InternalError extends RuntimeError {
  constructor(message = "An internal error occurred. The server's log has the details.") {
    super("internal_error", 500, message);
  }
}

/** The server could not be reached, or the connection ended. */
export class ConnectionError extends RuntimeError {
  constructor(message: string, options: ErrorOptions = {}) {
    super("connection_failed", 0, message, options);
  }
}

/** An error as it crosses the wire. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly name: string;
  readonly metadata?: unknown;
}

/**
 * What a caller may know of an error. Errors of the runtime and `UserError` pass whole; of others only a
 * notice passes, unless `details` is on (development, calls in process).
 */
export function toErrorData(error: unknown, details: boolean): WireError {
  if (error instanceof RuntimeError) {
    const { code, message, status, name, metadata } = error;
    return { code, message, status, name, ...(metadata === undefined ? {} : { metadata }) };
  }
  if (error instanceof Error && "code" in error && typeof error.code === "string" && details) {
    return { code: error.code, message: error.message, status: 500, name: error.name };
  }
  const message =
    details && error instanceof Error ? `${error.name}: ${error.message}` : new InternalError().message;
  return { code: "internal_error", message, status: 500, name: "InternalError" };
}

const CLASSES = {
  UserError,
  DefinitionError,
  UnknownActorError,
  ActorNotFoundError,
  ActorAlreadyExistsError,
  ActorDestroyedError,
  ActionNotFoundError,
  ActionTimeoutError,
  QueueNotFoundError,
  QueueFullError,
  MessageTooLargeError,
  ValidationError,
  BadRequestError,
  ContextClosedError,
  CallCycleError,
  ScheduleError,
  StoppingError,
  WorkflowEndedError,
  UnauthorizedError,
  InternalError,
};

/** The error of `toErrorData`, of the same class where it is one of ours. */
export function fromErrorData(data: WireError): RuntimeError {
  const known = CLASSES[data.name as keyof typeof CLASSES] as
    { readonly prototype: RuntimeError } | undefined;
  const error = new RuntimeError(data.code, data.status, data.message, { metadata: data.metadata });
  if (known !== undefined) Object.setPrototypeOf(error, known.prototype);
  error.name = data.name;
  return error;
}
