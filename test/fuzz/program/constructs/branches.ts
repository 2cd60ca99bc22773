import fc from "fast-check";
import type { Construct } from "../construct.js";
import { BRANCHES, unnamed } from "../tree.js";

export const join: Construct<"join"> = {
  kind: "join",
  weight: 2,
  names: "join",
  binds: "value",
  scopes: true,
  arbitrary: (grow) =>
    fc.array(grow.block(), { minLength: 1, maxLength: 3 }).map((blocks) => unnamed("join", {}, { blocks })),
  source({ name, as, ref, blocks }, to) {
    const result = `${as}Result`;
    to.inside(
      `${to.binding(as, result)}await ${to.context}.join(${to.name(name, ref)}, {`,
      () => {
        blocks.forEach((block, index) => {
          to.scopeBody("branch", block, `${branchName(index)}: { run: `, " },");
        });
      },
      "});",
    );
    to.value(as, `${blocks.map((_, index) => `${result}.${branchName(index)}`).join(" + ")}`);
  },
  async run({ name, as, ref, blocks }, on) {
    const branches = blocks.map((block, index) => [
      branchName(index),
      { run: async (context: typeof on.context) => (await on.body("branch", block, context)).value },
    ]);
    const result = await on.context.join(on.name(name, ref), Object.fromEntries(branches) as object);
    on.bind(
      as,
      blocks.reduce((sum, _, index) => sum + (result[branchName(index)] ?? 0), 0),
    );
  },
  manifest: (_, { name, blocks }) => [
    {
      kind: "join",
      name,
      open: false,
      branches: blocks.map((body, index) => ({ name: [branchName(index)], body })),
    },
  ],
};

export const race: Construct<"race"> = {
  kind: "race",
  weight: 2,
  names: "race",
  binds: "value",
  scopes: true,
  arbitrary: (grow) =>
    fc.array(grow.block(), { minLength: 2, maxLength: 3 }).map((blocks) => unnamed("race", {}, { blocks })),
  source({ name, as, ref, blocks }, to) {
    const result = `${as}Result`;
    to.inside(
      `${to.binding(as, result)}await ${to.context}.race(${to.name(name, ref)}, [`,
      () => {
        blocks.forEach((block, index) => {
          to.scopeBody("branch", block, `{ name: "${branchName(index)}", run: `, " },");
        });
      },
      "]);",
    );
    to.value(as, `${result}.value`);
  },
  async run({ name, as, ref, blocks }, on) {
    const branches = blocks.map((block, index) => ({
      name: branchName(index),
      run: async (context: typeof on.context) => (await on.body("branch", block, context)).value,
    }));
    on.bind(as, (await on.context.race(on.name(name, ref), branches)).value);
  },
  manifest: (_, { name, blocks }) => [
    {
      kind: "race",
      name,
      open: false,
      branches: blocks.map((body, index) => ({ name: [branchName(index)], body })),
    },
  ],
};

export const branchName = (index: number): string => BRANCHES[index] ?? "more";
