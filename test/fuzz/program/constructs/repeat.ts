import fc from "fast-check";
import type { Construct } from "../construct.js";
import { Leave } from "../running.js";
import { unnamed } from "../tree.js";
import { ref } from "./step.js";

/** A native loop: its entries are named by the turn. */
export const repeat: Construct<"repeat"> = {
  kind: "repeat",
  weight: 2,
  names: null,
  binds: "own",
  scopes: false,
  arbitrary: (grow) =>
    fc
      .record({ times: fc.integer({ min: 1, max: 3 }), ref: ref(), body: grow.block() })
      .map(({ times, ref: count, body }) =>
        unnamed("repeat", { times, byData: count !== null }, { ref: count, blocks: [body] }),
      ),
  source({ as, times, byData, ref: count, blocks }, to) {
    const end = byData && count !== null ? `${count.on} % 3` : String(times);
    to.inside(`for (let ${as} = 0; ${as} < ${end}; ${as} += 1) {`, () => {
      to.block(blocks[0] ?? []);
    });
  },
  async run({ as, times, byData, ref: count, blocks }, on) {
    const end = byData ? on.read(count) % 3 : times;
    for (let turn = 0; turn < end; turn++) {
      try {
        await on.block(blocks[0] ?? [], [[as, turn]]);
      } catch (left) {
        if (!(left instanceof Leave) || left.how === "return") throw left;
        if (left.how === "break") break;
      }
    }
  },
  manifest: ({ as, times, byData, ref: count }, { blocks: [body = []], guard }) =>
    body.length === 0
      ? []
      : [
          byData && count !== null
            ? {
                kind: "repeat",
                guard: { text: guard(as, `< ${count.on} % 3`), source: "recorded", gate: null },
                times: null,
                body,
              }
            : {
                kind: "repeat",
                guard: { text: guard(as, `< ${times}`), source: "constant", gate: null },
                times,
                body,
              },
        ],
};
