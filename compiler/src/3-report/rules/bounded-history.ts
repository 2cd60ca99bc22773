import { entryText } from "../../2-solve/entries/entry-text.js";
import type { Rule, SkeletonBlock, SkeletonEntry, SkeletonNode } from "../../2-solve/types.js";
import { blocksOf } from "./skeleton-blocks.js";

/**
 * Entries in a native loop that has no bound: `while (true)`, `for (;;)`; and one that polls, `while (status !== "done")`
 * with a sleep in it: how often it turns is up to whoever it waits for.
 */
export const boundedHistory: Rule = (analysis, report) => {
  for (const workflow of analysis.workflows)
    for (const repeat of endlessIn([workflow.skeleton.body, ...Object.values(workflow.skeleton.functions)])) {
      const entry = firstEntry(repeat.body);
      const [route] = entry ? analysis.routesTo(entry.op) : [];
      if (!entry || !route) continue;
      report({
        rule: "bounded-history",
        message: `This loop ${repeat.endless ? "has no bound" : "polls for as long as it takes"} and records entries (\`${entryText(entry.op)}\`): the history grows with every turn, and with it every replay`,
        place: repeat.place,
        chain: route.chain,
        help: "Use `ctx.loop(name, async (loopCtx) => …)`, which keeps only its latest turns, or give the loop a bound.",
      });
    }
};

type Repeat = Extract<SkeletonNode, { kind: "repeat" }>;

function* endlessIn(blocks: readonly SkeletonBlock[]): Generator<Repeat> {
  for (const node of blocks.flat()) {
    if (node.kind === "repeat" && node.times === null && (node.endless || polls(node))) yield node;
    yield* endlessIn(blocksOf(node));
  }
}

function firstEntry(block: SkeletonBlock): SkeletonEntry | null {
  for (const node of block) {
    if (node.kind === "entry") return node;
    for (const inner of blocksOf(node)) {
      const entry = firstEntry(inner);
      if (entry) return entry;
    }
  }
  return null;
}

/** `while (!done) { …; await ctx.sleep(…) }`, with nothing in it that counts. */
function polls({ form, guard, body }: Repeat): boolean {
  if (form !== "while" && form !== "do") return false;
  if (guard.source === "constant" || COUNTS.test(guard.text)) return false;
  return sleeps(body) && !givesUp(body);
}

/** A comparison with a number, a list that gets shorter. */
const COUNTS = /[<>]|\.(?:length|size)\b/;

function sleeps(block: SkeletonBlock): boolean {
  return block.some((node) =>
    node.kind === "entry" ? node.op.entry === "sleep" : node.kind !== "repeat" && blocksOf(node).some(sleeps),
  );
}

/** `if (attempt > 20) break;` */
function givesUp(block: SkeletonBlock): boolean {
  return block.some((node) => {
    if (node.kind === "choice" && COUNTS.test(node.guard.text) && node.arms.some(leaves)) return true;
    return node.kind !== "entry" && node.kind !== "repeat" && blocksOf(node).some(givesUp);
  });
}

const leaves = (block: SkeletonBlock): boolean => block.some((node) => node.kind === "exit");
