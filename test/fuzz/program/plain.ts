import type { Block, Statement } from "./tree.js";

/**
 * The program as an engine without actors can run it: steps neither touch a state nor send messages. Each step
 * has a name of its own in the whole program, so that a world can count its attempts by name.
 */
export function plain(program: Block): Block {
  return program.map((one): Statement => {
    const blocks = one.blocks.map(plain);
    if (one.kind === "step" || one.kind === "tryStep") {
      const name = { ...one.name, base: `${one.name.base}-${one.as}` };
      return { ...one, blocks, name, work: { ...one.work, state: false, sends: false } };
    }
    return one.kind === "loop" ? { ...one, blocks, prune: null } : ({ ...one, blocks } as Statement);
  });
}
