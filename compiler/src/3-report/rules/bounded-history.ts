import { entryText } from "../../2-solve/entry-text.js";
import type { Rule, SkeletonBlock, SkeletonEntry, SkeletonNode } from "../../2-solve/types.js";
import { blocksOf } from "./skeleton-blocks.js";

/** Entries in a native loop that has no bound: `while (true)`, `for (;;)`. */
export const boundedHistory: Rule = (analysis, report) => {
  for (const workflow of analysis.workflows)
    for (const repeat of endlessIn([workflow.skeleton.body, ...Object.values(workflow.skeleton.functions)])) {
      const entry = firstEntry(repeat.body);
      const [route] = entry ? analysis.routesTo(entry.op) : [];
      if (!entry || !route) continue;
      report({
        rule: "bounded-history",
        message: `This loop has no bound and records entries (\`${entryText(entry.op)}\`): the history grows with every turn, and with it every replay`,
        place: repeat.place,
        chain: route.chain,
        help: "Use `ctx.loop(name, async (loopCtx) => …)`, which keeps only its latest turns, or give the loop a bound.",
      });
    }
};

type Repeat = Extract<SkeletonNode, { kind: "repeat" }>;

function* endlessIn(blocks: readonly SkeletonBlock[]): Generator<Repeat> {
  for (const node of blocks.flat()) {
    if (node.kind === "repeat" && node.endless && node.times === null) yield node;
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
