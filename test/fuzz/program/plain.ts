import type { Block, Statement, Work } from "./tree.js";

/**
 * The program as an engine without actors can run it: steps neither touch a state nor send messages. What a loop keeps
 * of its past turns is left to each engine, so none prunes.
 */
export function plain(program: Block): Block {
  return withoutPruning(rewritten(program, (work) => ({ ...work, state: false, sends: false })));
}

function withoutPruning(program: Block): Block {
  return program.map((one): Statement => {
    const blocks = one.blocks.map(withoutPruning);
    return one.kind === "loop" ? { ...one, blocks, prune: null } : ({ ...one, blocks } as Statement);
  });
}

/** The program without steps that send messages: all that it receives comes from outside. */
export function sendless(program: Block): Block {
  return rewritten(program, (work) => ({ ...work, sends: false }));
}

function rewritten(program: Block, change: (work: Work) => Work): Block {
  return program.map((one): Statement => {
    const blocks = one.blocks.map((block) => rewritten(block, change));
    if (one.kind === "step" || one.kind === "tryStep") return { ...one, blocks, work: change(one.work) };
    return { ...one, blocks } as Statement;
  });
}
