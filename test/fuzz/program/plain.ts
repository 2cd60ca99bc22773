import type { Block, Statement } from "./tree.js";

/** The program as an engine without actors can run it: steps neither touch a state nor send messages. */
export function plain(program: Block): Block {
  return program.map((one): Statement => {
    const blocks = one.blocks.map(plain);
    if (one.kind === "step" || one.kind === "tryStep")
      return { ...one, blocks, work: { ...one.work, state: false, sends: false } };
    return one.kind === "loop" ? { ...one, blocks, prune: null } : ({ ...one, blocks } as Statement);
  });
}
