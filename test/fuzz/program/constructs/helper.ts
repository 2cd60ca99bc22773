import fc from "fast-check";
import type { Construct } from "../construct.js";
import { freeVariables, returnsEarly } from "../resolve.js";
import { unnamed } from "../tree.js";

/** A call of a function that records entries in the caller's scope. */
export const helper: Construct<"helper"> = {
  kind: "helper",
  weight: 2,
  names: null,
  binds: "value",
  scopes: false,
  arbitrary: (grow) =>
    fc
      .record({ file: fc.constantFrom("same" as const, "other" as const), body: grow.block() })
      .map(({ file, body }) => unnamed("helper", { file }, { blocks: [body] })),
  source({ as, file, blocks: [body = []] }, to) {
    const parameters = freeVariables(body);
    const name = to.helper(file === "other" ? "other" : to.file, parameters, body);
    to.line(`${to.binding(as)}await ${name}(${[to.context, ...parameters].join(", ")});`);
  },
  async run({ as, blocks: [body = []] }, on) {
    const { value } = await on.body("helper", body, on.context);
    if (as !== "") on.bind(as, value);
  },
  manifest: ({ blocks: [body = []] }, { blocks: [made = []] }) =>
    returnsEarly(body) ? [{ kind: "inline", body: made }] : made,
};
