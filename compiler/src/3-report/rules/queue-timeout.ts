import { entryText } from "../../2-solve/entries/entry-text.js";
import type { Rule } from "../../2-solve/types.js";
import { takeABatch } from "../fixes/index.js";
import { fixAt, reportAt } from "../report-at.js";

/** `queue.next` with a timeout throws when the time is over; `nextBatch` gives an empty list. */
export const queueTimeout: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "entry" || operation.method !== "next" || operation.zone !== "workflow") continue;
    const timeout = operation.options["timeout"];
    if (!timeout || timeout.constants?.every((constant) => constant === undefined)) continue;
    const call = entryText({ ...operation, method: "nextBatch" });
    reportAt(analysis, operation, report, (route) => ({
      rule: "queue-timeout",
      message: "`queue.next` with a `timeout` throws when no message has come in time",
      help: `Use \`const [message] = await ${call}(…)\` with the same options: without a message in time the list is empty.`,
      ...fixAt(route, () => takeABatch(operation)),
    }));
  }
};
