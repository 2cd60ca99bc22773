import { faultNamed, type Route } from "./faults.js";
import { resolve } from "./resolve.js";
import { unnamed, type Block, type Statement } from "./tree.js";

/** Plants a fault into the program before its statement number `at` (of all, in program order). */
export function plant(program: Block, fault: string, route: Route, at: number): Block {
  const kept = faultNamed(fault).withoutCheckpoint === true ? withoutCheckpoints(program) : program;
  const total = Math.max(1, places(kept));
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
  return resolve(total === 1 && kept.length === 0 ? visit([EMPTY]) : visit(kept));
}

/** Stands where a program has nothing left. */
const EMPTY = unnamed("sleep", { ms: 100 });

function withoutCheckpoints(block: Block): Block {
  return block
    .filter((one) => one.kind !== "checkpoint")
    .map((one) => ({ ...one, blocks: one.blocks.map(withoutCheckpoints) }) as Statement);
}

function places(block: Block): number {
  return block.reduce((sum, one) => sum + 1 + one.blocks.reduce((inner, each) => inner + places(each), 0), 0);
}
