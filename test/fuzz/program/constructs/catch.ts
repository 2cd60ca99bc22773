import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";

/** A native `try` around entries whose `catch` goes on after a critical failure, and rethrows anything else. */
export const catchBlock: Construct<"catch"> = {
  kind: "catch",
  weight: 1,
  names: null,
  binds: null,
  scopes: false,
  arbitrary: (grow) =>
    grow
      .block()
      .chain((body) => grow.block({ empty: true }).map((handler) => [body, handler]))
      .map((blocks) => unnamed("catch", {}, { blocks })),
  source({ blocks: [body = [], handler = []] }, to) {
    to.inside(
      "try {",
      () => {
        to.block(body);
      },
      "} catch (error) {",
    );
    to.inside(
      `  if (!(error instanceof ${to.use("engine", "CriticalError")})) throw error;`,
      () => {
        to.block(handler);
      },
      "}",
    );
  },
  async run({ blocks: [body = [], handler = []] }, on) {
    try {
      await on.block(body);
    } catch (error) {
      if (!on.world.isCritical(error)) throw error;
      await on.block(handler);
    }
  },
  manifest: (_, { blocks: [body = [], handler = []], guard }) =>
    body.length === 0
      ? []
      : [
          {
            kind: "choice",
            guard: { text: "an error is caught", source: "unknown", gate: null },
            arms: [
              body,
              [
                {
                  kind: "choice",
                  guard: { text: guard("v1", "instanceof CriticalError"), source: "unknown", gate: null },
                  arms: [[], [{ kind: "exit", how: "throw", depth: 0 }]],
                },
                ...handler,
              ],
            ],
            caught: true,
          },
        ],
};
