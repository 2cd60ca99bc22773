import fc from "fast-check";
import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";

/** Declares an entry that this version has no more; new instances record a placeholder. */
export const removed: Construct<"removed"> = {
  kind: "removed",
  weight: 1,
  names: "gone",
  binds: null,
  scopes: false,
  arbitrary: () =>
    fc
      .constantFrom("step" as const, "sleep" as const, "message" as const)
      .map((was) => unnamed("removed", { was })),
  source({ name, ref, was }, to) {
    to.line(`await ${to.context}.removed(${to.name(name, ref)}, "${was}");`);
  },
  async run({ name, ref, was }, on) {
    await on.context.removed(on.name(name, ref), was);
  },
  manifest: ({ was }, { name }) => [{ kind: "removed", name, was }],
};
