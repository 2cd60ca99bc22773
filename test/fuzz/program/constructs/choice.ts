import fc from "fast-check";
import type { Construct } from "../construct.js";
import { unnamed, type Test } from "../tree.js";
import { look } from "./step.js";

/** Tests of a number: their text behind the variable, and what they mean. */
const TESTS: Record<Test, { readonly text: string; readonly holds: (value: number) => boolean }> = {
  odd: { text: "% 2 === 1", holds: (value) => value % 2 === 1 },
  big: { text: "> 4", holds: (value) => value > 4 },
};

/** A branch on recorded data. */
export const choice: Construct<"choice"> = {
  kind: "choice",
  weight: 4,
  names: null,
  binds: null,
  scopes: false,
  arbitrary: (grow) =>
    fc
      .record({
        test: fc.constantFrom("odd" as const, "big" as const),
        ref: look(),
        then: grow.block(),
        otherwise: grow.block({ empty: true }),
      })
      .map(({ test, ref, then, otherwise }) =>
        unnamed("choice", { test }, { ref, blocks: [then, otherwise] }),
      ),
  source({ ref, test, blocks: [then = [], otherwise = []] }, to) {
    to.arms(`${ref?.on ?? "0"} ${TESTS[test].text}`, then, otherwise);
  },
  async run({ ref, test, blocks }, on) {
    await on.block((TESTS[test].holds(on.read(ref)) ? blocks[0] : blocks[1]) ?? []);
  },
  manifest: ({ ref, test }, { blocks, guard }) =>
    blocks.every((block) => block.length === 0)
      ? []
      : [
          {
            kind: "choice",
            guard: { text: guard(ref?.on ?? "", TESTS[test].text), source: "recorded", gate: null },
            arms: blocks,
          },
        ],
};
