import { queue, setup, workflow } from "../../runtime/src/index.js";
import type { AnyRegistry } from "../../runtime/src/types/index.js";
import { closureOf } from "./program/closure.js";
import type { Context, World } from "./program/running.js";
import type { Block } from "./program/tree.js";

/** A registry whose workflow `program` is the closure of the program over a world. */
export function registryOf(program: Block, world: World): AnyRegistry {
  const run = closureOf(program, world);
  return setup({
    use: {
      program: workflow({
        state: { total: 0 },
        queues: { p: queue<number>(), q: queue<number>() },
        // The closure's context has what our host and the published engine have in common.
        run: (context) => run(context as unknown as Context),
      }),
    },
  });
}
