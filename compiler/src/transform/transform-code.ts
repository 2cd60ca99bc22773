import MagicString from "magic-string";
import { CARRY, carryFunction } from "./carry-function.js";
import type { CarryingCall } from "./carried-in.js";

/** Changed text with its source map (version 3, one source, with content). */
export interface TransformedCode {
  readonly code: string;
  readonly map: ReturnType<MagicString["generateMap"]>;
}

/**
 * Makes each definition in a text carry its manifest: `workflow({ … })` → `carry(workflow({ … }), 0)`. Types,
 * comments, lines and line ends stay; one function is added behind the end.
 * @param code the very text that was analysed: TypeScript or JavaScript.
 * @param id its file, as the source map is to name it.
 * @returns `undefined` when there is nothing to carry, or when the text carries it already.
 */
export function transformCode(
  code: string,
  id: string,
  calls: readonly CarryingCall[],
): TransformedCode | undefined {
  if (calls.length === 0 || code.includes(CARRY)) return undefined;
  const text = new MagicString(code);
  calls.forEach(({ span: [start, end] }, index) => {
    // Where calls lie in each other, the inner brackets stay inside.
    text.appendLeft(start, `${CARRY}(`);
    text.prependRight(end, `, ${index})`);
  });
  text.append(`\n${carryFunction(calls.map(({ carried }) => carried))}\n`);
  return {
    code: text.toString(),
    map: text.generateMap({ source: id, hires: "boundary", includeContent: true }),
  };
}
