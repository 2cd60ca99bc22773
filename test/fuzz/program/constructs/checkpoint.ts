import fc from "fast-check";
import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";

/** What later steps of the scope roll back to. */
export const checkpoint: Construct<"checkpoint"> = {
  kind: "checkpoint",
  weight: 2,
  names: "checkpoint",
  binds: null,
  scopes: false,
  arbitrary: () => fc.constant(unnamed("checkpoint", {})),
  source({ name, ref }, to) {
    to.line(`await ${to.context}.rollbackCheckpoint(${to.name(name, ref)});`);
  },
  async run({ name, ref }, on) {
    await on.context.rollbackCheckpoint(on.name(name, ref));
  },
  manifest: (_, { name }) => [{ kind: "rollback_checkpoint", name }],
};
