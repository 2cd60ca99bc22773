import fc from "fast-check";
import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";

/** Lengths of waits, ms: whole hundreds, see `ordered`. */
export const MS = [100, 200, 500, 1000] as const;

export const sleep: Construct<"sleep"> = {
  kind: "sleep",
  weight: 3,
  names: "sleep",
  binds: null,
  scopes: false,
  arbitrary: () => fc.constantFrom(...MS).map((ms) => unnamed("sleep", { ms })),
  source({ name, ref, ms }, to) {
    to.line(`await ${to.context}.sleep(${to.name(name, ref)}, ${ms});`);
  },
  async run({ name, ref, ms }, on) {
    await on.context.sleep(on.name(name, ref), ms);
  },
  manifest: (_, { name }) => [{ kind: "sleep", name }],
};
