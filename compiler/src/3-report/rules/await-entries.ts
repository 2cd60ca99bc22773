import { entryText } from "../../2-solve/entries/entry-text.js";
import type { Analysis, CallOperation, EntryOperation, PromiseUse, Rule } from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";
import type { Fix } from "../../types.js";

/** Entries (and helpers that record entries) that are not awaited where they are called. */
export const awaitEntries: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.zone !== "workflow") continue;
    if (operation.kind !== "entry" && operation.kind !== "call") continue;
    if (!recordsEntries(analysis, operation)) continue;
    const said = remarkOn(operation.use, subjectOf(operation));
    if (!said) continue;
    reportAt(analysis, operation, report, () => ({
      rule: "await-entries",
      ...said,
      ...(operation.use.how === "floating" && operation.kind === "entry" ? { fix: addAwait(operation) } : {}),
    }));
  }
};

function recordsEntries(analysis: Analysis, operation: EntryOperation | CallOperation): boolean {
  return operation.kind === "entry" || operation.targets.some(analysis.makesEntries);
}

function subjectOf(operation: EntryOperation | CallOperation): string {
  if (operation.kind === "entry") return `\`${entryText(operation)}\``;
  return operation.by === null
    ? `\`${operation.text}()\`, which records entries,`
    : `The callback of \`${operation.by}()\`, which records entries,`;
}

function remarkOn(use: PromiseUse, subject: string): { message: string; help: string } | null {
  const help =
    "Put `await` in front of it: a context does one entry at a time, and the workflow must not go on or end before it.";
  switch (use.how) {
    case "floating":
    case "voided":
      return { message: `${subject} is not awaited: the workflow goes on, or ends, without it`, help };
    case "stored":
      return use.awaitedAt === null
        ? { message: `${subject} is started and never awaited`, help }
        : { message: `${subject} is started here and awaited later: other code runs while it is open`, help };
    case "passed":
      return { message: `${subject} is handed on without being awaited`, help };
    case "chained":
      if (use.handled || use.end === "combined" || isInOrder(use)) return null;
      return {
        message: `${subject} is continued with \`.${use.methods.join("().")}()\`${use.end === "awaited" || use.end === "returned" ? "" : " and not awaited"}: what follows runs outside the order of the entries`,
        help: "Await it and go on with ordinary statements: `const value = await …`.",
      };
    case "returned":
      return use.insideTry
        ? {
            message: `${subject} is returned out of a \`try\` without \`await\`: its failure passes the \`catch\` by`,
            help: "Write `return await …` inside `try`.",
          }
        : null;
    case "awaited":
    case "combined":
    case "none":
      return null;
  }
}

/** `await ctx.step(…).then(read)`: what follows waits, and the workflow waits for all of it. */
function isInOrder(use: Extract<PromiseUse, { how: "chained" }>): boolean {
  return (
    (use.end === "awaited" || use.end === "returned") && use.methods.every((method) => method === "then")
  );
}

function addAwait(operation: EntryOperation): Fix {
  const { file, span } = operation.place;
  return { title: "Add `await`", safe: true, edits: [{ file, span: [span[0], span[0]], text: "await " }] };
}
