import type { TraceBlock } from "../types.js";

/** True when control never reaches the end of the block. */
export function surelyExits(block: TraceBlock): boolean {
  return block.some((node) => {
    switch (node.t) {
      case "exit":
        return true;
      case "choice":
        return node.arms.every(surelyExits);
      case "try":
        return (
          (node.finalizer !== null && surelyExits(node.finalizer.body)) ||
          (surelyExits(node.block) && (node.handler === null || surelyExits(node.handler.body)))
        );
      case "block":
      case "repeat":
      case "op":
        return false;
    }
  });
}

/** A block without the nodes behind a sure exit. */
export function withoutDead(block: TraceBlock): TraceBlock {
  const at = block.findIndex((node) => node.t === "exit");
  return at < 0 ? block : block.slice(0, at + 1);
}
