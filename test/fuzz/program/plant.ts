import type { Route } from "./faults.js";
import { resolve } from "./resolve.js";
import { unnamed, type Block, type Statement } from "./tree.js";

/** Plants a fault into the program before its statement number `at` (of all, in program order). */
export function plant(program: Block, fault: string, route: Route, at: number): Block {
  const total = places(program);
  const target = at % total;
  let place = 0;
  const visit = (block: Block): Block => {
    const out: Statement[] = [];
    for (const one of block) {
      if (place++ === target) out.push(unnamed("planted", { fault, route }));
      out.push({ ...one, blocks: one.blocks.map(visit) } as Statement);
    }
    return out;
  };
  return resolve(visit(program));
}

function places(block: Block): number {
  return block.reduce((sum, one) => sum + 1 + one.blocks.reduce((inner, each) => inner + places(each), 0), 0);
}
