import type { SkeletonBlock, SkeletonNode } from "../../2-solve/types.js";

/** The blocks inside a node: bodies of a scope, arms of a choice, the body of a native loop. */
export function blocksOf(node: SkeletonNode): readonly SkeletonBlock[] {
  switch (node.kind) {
    case "entry":
      return node.bodies.map((one) => one.body);
    case "choice":
      return node.arms;
    case "repeat":
    case "inline":
      return [node.body];
    case "exit":
    case "call":
      return [];
  }
}
