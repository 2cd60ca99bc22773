import { MARK } from "./constructs/planted.js";

/** How a fault is reached from the place where it is planted. */
export type Route = "directly" | "through a helper" | "in another file" | "in a package";

/** One kind of fault, as source text to be planted among the statements of a workflow. */
export interface Fault {
  /** Unique. */
  readonly name: string;
  /** The rules of which one must report it. */
  readonly rules: readonly string[];
  /** Statements; those that end in `MARK` are where it may be reported. */
  readonly lines: (context: string) => readonly string[];
  /** Module-level statements that it needs. */
  readonly top?: readonly string[];
  /** Names that it imports from the engine. */
  readonly engine?: readonly string[];
  /** Its statements await. */
  readonly isAsync: boolean;
  /** It records entries, so a function that holds it takes the context. */
  readonly takesContext: boolean;
  readonly routes: readonly Route[];
  /** With a rollback checkpoint around it is none. */
  readonly withoutCheckpoint?: boolean;
  /** Statements of a function that holds it; as `lines` when absent. */
  readonly inFunction?: (context: string) => readonly string[];
  /** The statement that calls such a function, given the call; marked. */
  readonly calling?: (call: string) => string;
  /** Programs with it can be run: they reach for nothing outside, and can end otherwise when they are run again. */
  readonly isRun?: boolean;
}

const EVERYWHERE: readonly Route[] = ["directly", "through a helper", "in another file", "in a package"];
const IN_THE_PROJECT: readonly Route[] = ["directly", "through a helper", "in another file"];

/** A fault that is an expression whose value, or act, can differ between two runs. */
function effect(
  rules: string | readonly string[],
  name: string,
  expression: string,
  top?: readonly string[],
): Fault {
  return {
    name,
    rules: typeof rules === "string" ? [rules] : rules,
    lines: () => [`${expression}; ${MARK}`],
    ...(top !== undefined && { top }),
    isAsync: expression.includes("await "),
    takesContext: false,
    routes: EVERYWHERE,
  };
}

/** A value that can differ between two runs, and decides whether the workflow fails. */
function decider(rule: string, name: string, expression: string, top?: readonly string[]): Fault {
  const failing = (value: string): string =>
    `if (/[02468ace]$/.test(String(${value}))) throw new Error("even"); ${MARK}`;
  return {
    ...effect(rule, `${name} decides`, expression, top),
    lines: () => [failing(expression)],
    inFunction: () => [`return ${expression}; ${MARK}`],
    calling: failing,
    isRun: true,
  };
}

/** A fault of entries: statements that call the context, each marked. */
function entries(
  rules: string | readonly string[],
  name: string,
  lines: (context: string) => readonly string[],
  more: {
    readonly engine?: readonly string[];
    readonly top?: readonly string[];
    readonly routes?: readonly Route[];
    readonly withoutCheckpoint?: boolean;
    readonly isRun?: boolean;
  } = {},
): Fault {
  return {
    name,
    rules: typeof rules === "string" ? [rules] : rules,
    lines: (context) => lines(context).map((line) => `${line} ${MARK}`),
    isAsync: true,
    takesContext: true,
    routes: IN_THE_PROJECT,
    ...more,
  };
}

const URL = '"https://example.com"';

/** Every kind of fault that the rules of the table speak of, at least one row per rule. */
export const FAULTS: readonly Fault[] = [
  effect("no-nondeterminism", "clock", "Date.now()"),
  effect("no-nondeterminism", "date", "new Date().getHours()"),
  effect("no-nondeterminism", "random", "Math.random()"),
  effect("no-nondeterminism", "uuid", "crypto.randomUUID()"),
  effect("no-nondeterminism", "environment", 'process.env["MODE"]'),
  effect("no-nondeterminism", "performance", "performance.now()"),
  effect("no-side-effects", "fetch", `void fetch(${URL})`),
  effect(["no-side-effects", "no-foreign-await"], "timer", "setTimeout(() => undefined, 10)"),
  effect(
    ["no-foreign-await", "no-side-effects"],
    "native delay",
    "await new Promise((resolve) => setTimeout(resolve, 5))",
  ),
  effect("no-shared-state", "module variable", "counter += 1", ["let counter = 0;"]),
  effect("no-shared-state", "module cache", 'cache.set("a", 1)', ["const cache = new Map();"]),
  decider("no-nondeterminism", "clock", "Date.now()"),
  decider("no-nondeterminism", "date", "new Date().getTime()"),
  decider("no-nondeterminism", "random", "Math.random()"),
  decider("no-nondeterminism", "uuid", "crypto.randomUUID()"),
  decider("no-nondeterminism", "performance", "performance.now()"),
  decider("no-shared-state", "module variable", "counter += 1", ["let counter = 0;"]),
  decider("no-shared-state", "module cache", "cache.set(cache.size, 1).size", ["const cache = new Map();"]),
  effect("no-console", "console", 'console.log("here")'),
  entries("no-actor-access", "state", (ctx) => [`${ctx}.state.total += 1;`]),
  entries("unique-entry-names", "same name twice", (ctx) => [
    `await ${ctx}.step("fault", async () => 1);`,
    `await ${ctx}.step("fault", async () => 2);`,
  ]),
  entries("unique-entry-names", "one name in a native loop", (ctx) => [
    `for (let n = 0; n < 2; n += 1) await ${ctx}.sleep("fault", 10);`,
  ]),
  entries(
    ["stable-entry-names", "no-nondeterminism"],
    "random name",
    (ctx) => [`await ${ctx}.step(\`fault-\${Math.random()}\`, async () => 1);`],
    { isRun: true },
  ),
  entries("await-entries", "floating entry", (ctx) => [`${ctx}.step("fault", async () => 1);`]),
  entries(["await-entries", "no-concurrent-entries"], "then", (ctx) => [
    `${ctx}.sleep("fault", 10).then(() => undefined);`,
  ]),
  entries("no-concurrent-entries", "Promise.all", (ctx) => [
    `await Promise.all([${ctx}.sleep("fault-a", 10), ${ctx}.sleep("fault-b", 10)]);`,
  ]),
  entries(
    "use-scope-context",
    "outer context in a loop",
    (ctx) => [
      `await ${ctx}.loop("fault", async () => { await ${ctx}.step("inside", async () => 1); return Loop.break(undefined); });`,
    ],
    { engine: ["Loop"] },
  ),
  entries("use-scope-context", "workflow context in a step", (ctx) => [
    `await ${ctx}.step("fault", async () => { await ${ctx}.sleep("inside", 10); });`,
  ]),
  entries(
    "no-context-escape",
    "kept step context",
    (ctx) => [`await ${ctx}.step("fault", async (step) => { kept = step; });`],
    { top: ["let kept: unknown;"] },
  ),
  entries(
    "no-captured-mutation",
    "assignment in a step",
    (ctx) => [
      "let captured = 0;",
      `await ${ctx}.step("fault", async () => { captured = 1; });`,
      `if (captured > 0) await ${ctx}.sleep("fault-nap", 10);`,
    ],
    { isRun: true },
  ),
  entries("no-swallowed-suspension", "empty catch", (ctx) => [
    `try { await ${ctx}.step("fault", async () => 1); } catch { /* goes on */ }`,
  ]),
  entries("bounded-history", "poll in a native loop", (ctx) => [
    `for (let n = 0; ; n += 1) { if (await ${ctx}.step(\`fault-\${n}\`, async () => n > 9)) break; }`,
  ]),
  entries("loop-makes-progress", "loop without a wait", (ctx) => [
    `await ${ctx}.loop("fault", async (inner) => { await inner.step("inside", async () => 1); });`,
  ]),
  entries("loop-result", "plain value of a stateful loop", (ctx) => [
    `await ${ctx}.loop({ name: "fault", state: 0, run: async (inner, n) => { await inner.sleep("inside", 10); return n + 1; } });`,
  ]),
  entries(
    ["fixed-branches", "no-nondeterminism"],
    "random branches",
    (ctx) => [
      `await ${ctx}.join("fault", Math.random() > 0.5 ? { a: { run: async () => 1 } } : { b: { run: async () => 2 } });`,
    ],
    { isRun: true },
  ),
  entries(
    "rollback-checkpoint-first",
    "rollback without a checkpoint",
    (ctx) => [`await ${ctx}.step({ name: "fault", run: async () => 1, rollback: async () => undefined });`],
    { withoutCheckpoint: true },
  ),
  entries("rollback-context", "state in a rollback", (ctx) => [
    `await ${ctx}.rollbackCheckpoint("fault-checkpoint");`,
    `await ${ctx}.step({ name: "fault", run: async () => 1, rollback: async (undo) => { undo.state.total = 0; } });`,
  ]),
  entries("serializable-values", "function as output", (ctx) => [
    `const made = await ${ctx}.step("fault", async () => () => 1);`,
    "made();",
  ]),
  entries("no-secret-output", "secret as output", (ctx) => [
    `await ${ctx}.step("fault", async () => process.env["API_SECRET"]);`,
  ]),
  entries("step-options", "negative retries", (ctx) => [
    `await ${ctx}.step({ name: "fault", maxRetries: -1, run: async () => 1 });`,
  ]),
  entries("queue-timeout", "next with a timeout", (ctx) => [
    `await ${ctx}.queue.next("fault", { names: ["q"], timeout: 100 });`,
  ]),
  entries("complete-messages", "message not completed", (ctx) => [
    `await ${ctx}.queue.next("fault", { names: ["q"], completable: true });`,
  ]),
  entries("idempotent-step", "state before work", (ctx) => [
    `await ${ctx}.step("fault", async (step) => { step.state.total += 1; await fetch(${URL}, { headers: { "idempotency-key": step.idempotencyKey } }); });`,
  ]),
  entries("unstable-failure-data", "stack of a failure", (ctx) => [
    `const failed = await ${ctx}.tryStep("fault", async () => 1);`,
    `if (!failed.ok && failed.failure.error.stack === "") await ${ctx}.sleep("fault-nap", 10);`,
  ]),
  entries("version-gates", "gate to version 0", (ctx) => [`await ${ctx}.getVersion("fault", 0);`]),
  entries("version-gates", "unknown kind", (ctx) => [`await ${ctx}.removed("fault", "stage");`]),
  entries("await-in-step", "floating promise in a step", (ctx) => [
    `await ${ctx}.step("fault", async (step) => { fetch(${URL}, { headers: { "idempotency-key": step.idempotencyKey } }); });`,
  ]),
  entries("no-late-step-context", "step context in a timer", (ctx) => [
    `await ${ctx}.step("fault", async (step) => { setTimeout(() => { step.state.total = 1; }, 10); });`,
  ]),
  entries("step-swallows-error", "error only logged", (ctx) => [
    `await ${ctx}.step("fault", async (step) => { try { await fetch(${URL}, { headers: { "idempotency-key": step.idempotencyKey } }); } catch (error) { console.error(error); } });`,
  ]),
  entries("stable-idempotency-key", "key per attempt", (ctx) => [
    `await ${ctx}.step("fault", async () => { await fetch(${URL}, { method: "POST", headers: { "idempotency-key": crypto.randomUUID() } }); });`,
  ]),
  entries("idempotent-retry", "retried call without a key", (ctx) => [
    `await ${ctx}.step({ name: "fault", timeout: 1000, retryOnTimeout: true, run: async () => { await fetch(${URL}, { method: "POST" }); } });`,
  ]),
  entries("critical-permanent-error", "plain error for bad input", (ctx) => [
    `const asked = await ${ctx}.queue.next("fault-wait", { names: ["q"] });`,
    `await ${ctx}.step("fault", async () => { if (asked.body < 0) throw new Error("invalid number"); });`,
  ]),
  entries("bounded-payload", "binary body as output", (ctx) => [
    `await ${ctx}.step("fault", async (step) => { const answer = await fetch(${URL}, { headers: { "idempotency-key": step.idempotencyKey } }); return await answer.arrayBuffer(); });`,
  ]),
  {
    ...effect("no-unknown-calls", "package that is not there", "score()", [
      'import { score } from "not-installed";',
    ]),
    routes: IN_THE_PROJECT,
  },
  {
    ...effect("suppressions", "comment that hides nothing", ""),
    lines: () => [`// stepproof-ignore-next-line no-console -- nothing is there ${MARK}`],
    routes: IN_THE_PROJECT,
  },
  {
    ...effect("suppressions", "comment without a reason", ""),
    lines: () => [`// stepproof-ignore-next-line no-console ${MARK}`, `console.log("here"); ${MARK}`],
    routes: IN_THE_PROJECT,
  },
  { ...effect("parsable-source", "statement that breaks off", "const broken ="), routes: IN_THE_PROJECT },
  {
    ...effect(
      "no-foreign-await",
      "promise that somebody else resolves",
      "await new Promise((resolve) => hidden(resolve))",
      ["function hidden(resolve: unknown) { void resolve; }"],
    ),
    routes: IN_THE_PROJECT,
  },
];

const BY_NAME = new Map(FAULTS.map((fault) => [fault.name, fault]));

/** @throws when the table has no such row. */
export function faultNamed(name: string): Fault {
  const fault = BY_NAME.get(name);
  if (fault === undefined) throw new Error(`There is no fault "${name}".`);
  return fault;
}
