import fc from "fast-check";
import type { Construct } from "../construct.js";
import { leavesAlways } from "../resolve.js";
import { Leave } from "../running.js";
import { unnamed, type Block } from "../tree.js";
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
  manifest: ({ as, times, byData, ref: count, blocks }, { blocks: [body = []], guard }) => {
    if (body.length === 0) return [];
    const once = turnsOnce(blocks[0] ?? []);
    const [text, source] =
      byData && count !== null
        ? ([`< ${count.on} % 3`, "recorded"] as const)
        : ([`< ${times}`, "constant"] as const);
    return [
      {
        kind: "repeat",
        guard: { text: guard(as, text), source, gate: null },
        times: once ? 1 : byData ? null : times,
        body,
      },
    ];
  },
};

/** Its first turn, if there is one, is its last. */
export function turnsOnce(body: Block): boolean {
  const last = body.at(-1);
  return last !== undefined && leavesAlways(last) && !continues(body);
}

function continues(block: Block): boolean {
  return block.some(
    (one) =>
      (one.kind === "leave" && one.how === "continue") ||
      ((one.kind === "choice" || one.kind === "gate") && one.blocks.some(continues)),
  );
}
