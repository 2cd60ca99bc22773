import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";

export const tryBlock: Construct<"try"> = {
  kind: "try",
  weight: 2,
  names: "try",
  binds: "value",
  scopes: true,
  arbitrary: (grow) => grow.block().map((body) => unnamed("try", {}, { blocks: [body] })),
  source({ name, as, ref, blocks }, to) {
    const result = `${as}Result`;
    to.scopeBody(
      "branch",
      blocks[0] ?? [],
      `${to.binding(as, result)}await ${to.context}.try(${to.name(name, ref)}, `,
      ");",
    );
    to.value(as, `${result}.ok ? ${result}.value : -1`);
  },
  async run({ name, as, ref, blocks }, on) {
    const result = await on.context.try(
      on.name(name, ref),
      async (context) => (await on.body("branch", blocks[0] ?? [], context)).value,
    );
    on.bind(as, result.ok ? result.value : -1);
  },
  manifest: (_, { name, blocks }) => [
    { kind: "try", name, catches: ["join", "race", "step"], body: blocks[0] ?? [] },
  ],
};
