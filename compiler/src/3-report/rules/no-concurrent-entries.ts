import { joinInstead } from "../fixes/index.js";
import { fixAt } from "../report-at.js";
import { entryText } from "../../2-solve/entries/entry-text.js";
import type { CallOperation, EntryOperation, PromiseUse, Rule } from "../../2-solve/types.js";
import type { Analysis, Place } from "../../2-solve/types.js";

/** `Promise.all`, `race`, `any`, `allSettled`, `pMap` … over entries, or over helpers that record entries. */
export const noConcurrentEntries: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.zone !== "workflow") continue;
    if (operation.kind !== "entry" && operation.kind !== "call") continue;
    const { use } = operation;
    if (use.how !== "combined" || !startsEntries(analysis, operation)) continue;
    for (const route of analysis.routesTo(operation))
      report({
        rule: "no-concurrent-entries",
        message: `\`${use.by}\` starts ${subjectOf(operation)} at the same time as others on one context, which does one entry at a time`,
        // A helper that combines is itself the line to change; the call that leads to it is not.
        place:
          route.through.length === 0 && isWithin(operation.place, use.place)
            ? headOf(use.place, operation.place)
            : route.place,
        chain: route.chain,
        otherWays: route.otherWays,
        help: REMEDY[use.combinator],
        ...(operation.kind === "entry" ? fixAt(route, () => joinInstead(analysis, operation)) : {}),
      });
  }
};

/** Started in the call itself: `Promise.all([ctx.step(…)])`; else it was started before, at its own line. */
const isWithin = (place: Place, call: Place): boolean =>
  place.file === call.file && place.span[0] >= call.span[0] && place.span[1] <= call.span[1];

/** The head of the call, up to what it starts. */
const headOf = (call: Place, started: Place): Place => ({
  file: call.file,
  span: [call.span[0], Math.max(call.span[0] + 1, started.span[0])],
});

function startsEntries(analysis: Analysis, operation: EntryOperation | CallOperation): boolean {
  return operation.kind === "entry" || operation.targets.some(analysis.makesEntries);
}

function subjectOf(operation: EntryOperation | CallOperation): string {
  if (operation.kind === "entry") return `\`${entryText(operation)}\``;
  return operation.by === null ? `\`${operation.text}\`` : `the entries of \`${operation.by}()\``;
}

const REMEDY: Readonly<Record<Extract<PromiseUse, { how: "combined" }>["combinator"], string>> = {
  all: "Use `ctx.join(name, { a: { run: async (branch) => … }, … })`: each branch has its own context and scope.",
  allSettled:
    "Use `ctx.join(name, { … })` with `branch.tryStep` in the branches: failures come back as data, each branch has its own scope.",
  race: "Use `ctx.race(name, [{ name, run: async (branch) => … }, …])`: the winner is recorded, the losers are cancelled.",
  any: "Use `ctx.race(name, [{ name, run: async (branch) => … }, …])`: the winner is recorded, the losers are cancelled.",
};
