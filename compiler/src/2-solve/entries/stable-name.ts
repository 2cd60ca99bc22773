import type { NamePattern } from "../../../../runtime/src/manifest/format.js";

/**
 * An entry's name with its holes in their stable form. Names that take a new value in any native loop around them differ from
 * turn to turn.
 */
export function stableName(
  name: NamePattern,
  variesIn: readonly (readonly string[])[],
  holes: readonly string[],
): NamePattern {
  let index = -1;
  return name.map((part) => {
    if (typeof part === "string") return part;
    index += 1;
    return {
      ...part,
      hole: holes[index] ?? part.hole,
      perIteration: part.perIteration || (variesIn[index] ?? []).length > 0,
    };
  });
}
