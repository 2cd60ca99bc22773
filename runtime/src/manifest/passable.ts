import type { Block, ManifestNode, RepeatNode, TryNode } from "./format.js";
import { patternText } from "./names.js";
import type { EntryNode } from "./walk.js";

type Functions = Readonly<Record<string, Block>>;

/** Ways out of a block: past its end, by `return`, by `Loop.break`, by `break` of a native loop. */
interface Ways {
  readonly through: boolean;
  readonly returns: boolean;
  readonly loopBreak: boolean;
  readonly nativeBreak: boolean;
}

const NONE: Ways = { through: false, returns: false, loopBreak: false, nativeBreak: false };
const THROUGH: Ways = { ...NONE, through: true };

const passable = new WeakMap<EntryNode, boolean>();

/**
 * Can code come past this entry at all? Not past a loop that nothing breaks, nor past a try block, join
 * or race that can't end because of one.
 */
export function canPass(node: EntryNode, functions: Functions): boolean {
  if (node.kind !== "loop" && node.kind !== "try" && node.kind !== "join" && node.kind !== "race")
    return true;
  const known = passable.get(node);
  if (known !== undefined) return known;
  const result = passes(node, functions, new Set());
  passable.set(node, result);
  return result;
}

/**
 * Can code come past a try block of which the old code had come to the end? Loops, joins and races that
 * are recorded as completed in it give their result, whatever their code is now.
 * @param old the block as the old code had it; `null` when that is not known: then it can.
 */
export function canPassAgain(node: TryNode, old: TryNode | null, functions: Functions): boolean {
  if (old === null || canPass(node, functions)) return true;
  const then = new Map<string, EntryNode>();
  entriesOf(old.body, then);
  const ways = waysOut(node.body, functions, new Set(), (inner) => {
    const twin = then.get(patternText(inner.name));
    if (twin?.kind !== inner.kind) return null;
    return inner.kind === "try" && twin.kind === "try" ? canPassAgain(inner, twin, functions) : true;
  });
  return ways.through || ways.returns;
}

/** The entries that a block directly makes, by name. */
function entriesOf(block: Block, into: Map<string, EntryNode>): void {
  for (const node of block) {
    if (node.kind === "choice") for (const arm of node.arms) entriesOf(arm, into);
    else if (node.kind === "repeat" || node.kind === "inline") entriesOf(node.body, into);
    else if (node.kind !== "exit" && node.kind !== "call") into.set(patternText(node.name), node);
  }
}

/** What is known of an entry beforehand: whether it is passed; `null` = nothing. */
type Known = (node: EntryNode) => boolean | null;

function passes(node: EntryNode, functions: Functions, calls: ReadonlySet<string>): boolean {
  const ends = (block: Block): boolean => {
    const ways = waysOut(block, functions, calls);
    return ways.through || ways.returns;
  };
  switch (node.kind) {
    case "loop":
      return waysOut(node.body, functions, calls).loopBreak;
    case "try":
      return ends(node.body);
    case "join":
      return node.branches.every((branch) => ends(branch.body));
    case "race":
      return node.branches.length === 0 || node.branches.some((branch) => ends(branch.body));
    default:
      return true;
  }
}

function waysOut(block: Block, functions: Functions, calls: ReadonlySet<string>, known?: Known): Ways {
  let ways = THROUGH;
  for (const node of block) {
    if (!ways.through) break;
    const next = waysOfNode(node, functions, calls, known);
    ways = { ...either(ways, next), through: next.through };
  }
  return ways;
}

function either(one: Ways, other: Ways): Ways {
  return {
    through: one.through || other.through,
    returns: one.returns || other.returns,
    loopBreak: one.loopBreak || other.loopBreak,
    nativeBreak: one.nativeBreak || other.nativeBreak,
  };
}

function waysOfNode(
  node: ManifestNode,
  functions: Functions,
  calls: ReadonlySet<string>,
  known?: Known,
): Ways {
  switch (node.kind) {
    case "choice":
      return node.arms.map((arm) => waysOut(arm, functions, calls, known)).reduce(either, NONE);
    case "repeat":
      return waysOfRepeat(node, waysOut(node.body, functions, calls, known));
    case "inline": {
      const ways = waysOut(node.body, functions, calls, known);
      return { ...ways, through: ways.through || ways.returns, returns: false };
    }
    case "call": {
      if (calls.has(node.to) || !Object.hasOwn(functions, node.to)) return THROUGH;
      const ways = waysOut(functions[node.to] ?? [], functions, new Set(calls).add(node.to));
      return { ...ways, through: ways.through || ways.returns, returns: false };
    }
    case "exit":
      return {
        ...NONE,
        returns: node.how === "return" || node.how === "loop_continue",
        loopBreak: node.how === "loop_break",
        nativeBreak: node.how === "break",
      };
    default:
      return (known?.(node) ?? passes(node, functions, calls)) ? THROUGH : NONE;
  }
}

function waysOfRepeat(node: RepeatNode, body: Ways): Ways {
  const endless = node.guard.source === "constant" && node.times === null;
  return { ...body, through: !endless || body.nativeBreak };
}
