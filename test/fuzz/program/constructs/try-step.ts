import fc from "fast-check";
import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";
import { optionsOf, rarely, ref, stepNode, stepOptions, work } from "./step.js";

export const tryStep: Construct<"tryStep"> = {
  kind: "tryStep",
  weight: 2,
  names: "attempt",
  binds: "value",
  scopes: false,
  arbitrary: () =>
    fc
      .record({
        work: work({ gives: 2, flaky: 1, critical: 2, exhausted: 1 }),
        ref: ref(),
        byData: rarely(),
      })
      .map(({ work: does, ref: to, byData }) => unnamed("tryStep", { work: does }, { ref: to, byData })),
  source({ name, as, work: does, ref: plus }, to) {
    const result = `${as}Result`;
    to.inside(
      `${to.binding(as, result)}await ${to.context}.tryStep({`,
      () => {
        stepOptions(to.name(name, plus), does, plus, to);
      },
      "});",
    );
    to.value(as, `${result}.ok ? ${result}.value : -1`);
  },
  async run({ name, as, work: does, ref: plus }, on) {
    const path = on.name(name, plus);
    const result = await on.context.tryStep({
      ...optionsOf(path, does, on.world.backoff),
      run: (step) => on.world.work(step, { name: path, context: on.context }, does, on.read(plus)),
    });
    on.bind(as, result.ok ? result.value : -1);
  },
  manifest: ({ work: does }, { name, used }) => [
    stepNode(name, does, used, ["critical", "exhausted", "timeout"], false),
  ],
};
