import { runWorkflow } from "@rivetkit/workflow-engine";
import { expect, test } from "vitest";
import { retryDelay } from "../../../runtime/src/engine/step.js";
import { InstantDriver } from "../../published/instant-driver.js";

/*
 * Both engines double the pause before a retry. Ours begins with `retryBackoffBase`, which the API calls the base
 * delay; the published engine doubles it before the first retry already. The contract is silent, so the words of the
 * API decide, and the agreement law asks the published engine for half the base.
 */

const BASE = 100;

test("the published engine asked for half the base pauses as long as ours before every retry", async () => {
  const theirs = await publishedPauses(BASE / 2, 4);
  expect(theirs).toEqual([1, 2, 3, 4].map((failures) => retryDelay(failures, BASE)));
  expect(theirs).toEqual([100, 200, 400, 800]);
});

/** Pauses in ms that the published engine asks for after each failure of a step. */
async function publishedPauses(retryBackoffBase: number, failures: number): Promise<number[]> {
  const driver = new InstantDriver();
  const realNow = Date.now;
  let now = Date.UTC(2026, 0, 1);
  Date.now = () => now;
  try {
    const pauses: number[] = [];
    for (let run = 0; run < failures; run++) {
      const { sleepUntil } = await runWorkflow(
        "1",
        (context) =>
          context.step({
            name: "fails",
            maxRetries: failures,
            retryBackoffBase,
            run: () => Promise.reject(new Error("not yet")),
          }),
        undefined,
        driver,
      ).result;
      if (sleepUntil === undefined) throw new Error("The published engine does not try again.");
      pauses.push(sleepUntil - now);
      now = sleepUntil;
    }
    return pauses;
  } finally {
    Date.now = realNow;
  }
}
