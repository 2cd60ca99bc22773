import { constructOf } from "./constructs/index.js";
import { Running, type Context, type World } from "./running.js";
import type { Block } from "./tree.js";

/** The program as a workflow function over a world. */
export function closureOf(program: Block, world: World): (context: Context) => Promise<number> {
  return async (context) => {
    const root = new Running(context, world, "program", new Map(), run);
    return (await root.body("program", program, context)).value;
  };
}

async function run(block: Block, on: Running): Promise<void> {
  for (const one of block) await constructOf(one.kind).run(one as never, on);
}
