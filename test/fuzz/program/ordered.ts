import { resolve } from "./resolve.js";
import { unnamed, type Block, type Queue, type Statement } from "./tree.js";

/**
 * The program with nothing left in it whose outcome depends on which of two branches is a moment faster:
 * that is not recorded before it has happened, so a crash may well turn it round. Steps in branches add to the state
 * but do not look at it, every queue belongs to one branch, which alone takes from it and sends to it, and the branches
 * of a race begin at times of their own (which stay apart, because all other lengths of time are whole hundreds of ms).
 *
 * What is left out has no one outcome: which of two branches gets a message of a queue that they share, or what total
 * it finds. The invariants of `steadfast.ts` hold of such programs all the same.
 */
export function ordered(program: Block): Block {
  return resolve(program.map((one) => statement(one, { queues: ["p", "q"], inBranch: false, races: 0 })));
}

interface Place {
  readonly queues: readonly Queue[];
  readonly inBranch: boolean;
  readonly races: number;
}

function statement(one: Statement, place: Place): Statement {
  const inside = (index: number): Place => {
    if (one.kind !== "join" && one.kind !== "race") return place;
    const races = place.races + (one.kind === "race" ? 1 : 0);
    const own = place.queues[index];
    return { queues: own === undefined ? [] : [own], inBranch: true, races };
  };
  const blocks = one.blocks.map((block, index) => {
    const made = block.map((inner) => statement(inner, inside(index)));
    if (one.kind !== "race" || index === 0) return made;
    return [unnamed("sleep", { ms: index * 3 ** place.races }), ...made];
  });
  const changed = { ...one, blocks } as Statement;
  switch (changed.kind) {
    case "step":
    case "tryStep": {
      if (!place.inBranch) return changed;
      const sends = changed.work.sends && place.queues.includes("p");
      return { ...changed, work: { ...changed.work, blind: true, sends } };
    }
    case "wait": {
      const [queue] = place.queues;
      if (queue === undefined) return { ...changed, ...unnamed("sleep", { ms: changed.timeout ?? 100 }) };
      return place.inBranch ? { ...changed, queue } : changed;
    }
    default:
      return changed;
  }
}
