import fc from "fast-check";
import type { Construct } from "../construct.js";
import { unnamed, type Queue, type StatementOf } from "../tree.js";
import { MS } from "./sleep.js";

/** A queue wait; with a timeout it is a `nextBatch`, whose empty list is -1. */
export const wait: Construct<"wait"> = {
  kind: "wait",
  weight: 3,
  names: "wait",
  binds: "value",
  scopes: false,
  arbitrary: () =>
    fc
      .record({ queue: queue(), timeout: fc.option(fc.constantFrom(...MS)), batch: fc.boolean() })
      .map((details) => unnamed("wait", details)),
  source(statement, to) {
    const { name, as, ref, queue: from, timeout } = statement;
    const message = `${as}Message`;
    const options = `{ names: ["${from}"]${timeout === null ? "" : `, timeout: ${timeout}`} }`;
    const call = (method: string): string =>
      `await ${to.context}.queue.${method}(${to.name(name, ref)}, ${options});`;
    if (isBatch(statement)) {
      to.line(`const [${message}] = ${call("nextBatch")}`);
      to.value(as, `${message} === undefined ? -1 : ${message}.body`);
    } else {
      to.line(`const ${message} = ${call("next")}`);
      to.value(as, `${message}.body`);
    }
  },
  async run(statement, on) {
    const { name, as, ref, queue: from, timeout } = statement;
    const options = { names: [from], ...(timeout !== null && { timeout }) };
    const called = on.name(name, ref);
    const message = isBatch(statement)
      ? (await on.context.queue.nextBatch(called, options))[0]
      : await on.context.queue.next(called, options);
    on.bind(as, message === undefined ? -1 : (message.body as number));
  },
  manifest: (statement, { name }) => [
    {
      kind: "message",
      name,
      method: isBatch(statement) ? "nextBatch" : "next",
      timeout: statement.timeout === null ? "no" : "yes",
      count: 1,
      completable: false,
      queues: [statement.queue],
    },
  ],
};

export const queue = (): fc.Arbitrary<Queue> => fc.constantFrom("p", "q");

/** `next` throws at its timeout, which the rule `queue-timeout` advises against. */
function isBatch(statement: StatementOf<"wait">): boolean {
  return statement.batch || statement.timeout !== null;
}
