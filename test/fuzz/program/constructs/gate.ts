import fc from "fast-check";
import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";

/** A version gate with its two arms: the new code, and the old. */
export const gate: Construct<"gate"> = {
  kind: "gate",
  weight: 1,
  names: "gate",
  binds: "own",
  scopes: false,
  arbitrary: (grow) =>
    fc.tuple(grow.block(), grow.block({ empty: true })).map((blocks) => unnamed("gate", {}, { blocks })),
  source({ name, as, ref, blocks: [fresh = [], old = []] }, to) {
    to.line(`const ${as} = await ${to.context}.getVersion(${to.name(name, ref)}, 2);`);
    to.arms(`${as} >= 2`, fresh, old);
  },
  async run({ name, as, ref, blocks: [fresh = [], old = []] }, on) {
    const version = await on.context.getVersion(on.name(name, ref), 2);
    on.bind(as, version);
    await on.block(version >= 2 ? fresh : old);
  },
  manifest: ({ as }, { name, blocks, guard }) => [
    { kind: "version_check", name, latest: 2 },
    ...(blocks.every((block) => block.length === 0)
      ? []
      : [
          {
            kind: "choice" as const,
            guard: {
              text: guard(as, ">= 2"),
              source: "gate" as const,
              gate: {
                name,
                arms: [
                  { from: 2, to: null },
                  { from: 1, to: 1 },
                ],
              },
            },
            arms: blocks,
          },
        ]),
  ],
};
