import fc from "fast-check";
import type { Grow } from "./construct.js";
import { CONSTRUCTS } from "./constructs/index.js";
import { resolve } from "./resolve.js";
import type { Block, Kind, Statement } from "./tree.js";

/** How large programs become. */
export interface Size {
  /** Statements of the root, and of any block within. */
  readonly root: number;
  readonly block: number;
  readonly depth: number;
}

const USUAL: Size = { root: 6, block: 3, depth: 3 };

/** Kinds that may stand anywhere; `leave` is put at the end of blocks. */
const ANYWHERE = (Object.keys(CONSTRUCTS) as Kind[]).filter((kind) => kind !== "leave" && kind !== "planted");
const LEAVES = ANYWHERE.filter((kind) =>
  ["step", "tryStep", "sleep", "wait", "checkpoint", "removed"].includes(kind),
);

/** Programs of the kinds asked for (all of them when absent), resolved. */
export function program(
  options: { readonly size?: Size; readonly without?: readonly Kind[] } = {},
): fc.Arbitrary<Block> {
  const { size = USUAL, without = [] } = options;
  return fc
    .array(statement(size, size.depth, without), { minLength: 1, maxLength: size.root })
    .map((block) => resolve(block));
}

/** One statement, not resolved: for edits that insert. */
export function statement(size: Size, depth: number, without: readonly Kind[] = []): fc.Arbitrary<Statement> {
  const kinds = (depth === 0 ? LEAVES : ANYWHERE).filter((kind) => !without.includes(kind));
  const grow: Grow = {
    block: ({ empty = false } = {}) => block(size, depth - 1, without, empty),
  };
  return fc.oneof(
    { withCrossShrink: true },
    ...kinds.map((kind) => ({
      weight: CONSTRUCTS[kind].weight,
      arbitrary: CONSTRUCTS[kind].arbitrary(grow) as fc.Arbitrary<Statement>,
    })),
  );
}

/** A block, sometimes with a way out at its end; `resolve` drops that where it can't stand. */
function block(size: Size, depth: number, without: readonly Kind[], empty: boolean): fc.Arbitrary<Block> {
  const statements = fc.array(statement(size, depth, without), {
    minLength: empty ? 0 : 1,
    maxLength: size.block,
  });
  if (without.includes("leave")) return statements;
  const way = fc.option(CONSTRUCTS.leave.arbitrary({ block: () => fc.constant([]) }), { freq: 3 });
  return fc.tuple(statements, way).map(([inner, out]) => (out === null ? inner : [...inner, out]));
}
