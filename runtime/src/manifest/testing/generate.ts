/** Small random workflows and random edits of them, from one seed. */
import type { Block, ManifestNode } from "../format.js";
import {
  atLeast,
  attempt,
  checkpoint,
  counted,
  each,
  exit,
  join,
  loop,
  message,
  race,
  removed,
  sleep,
  step,
  tryBlock,
  version,
  when,
} from "./build.js";

/** mulberry32 (public domain): 32 bits of state, good enough for tests. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below) >>> 0;
  };
}

type Random = (below: number) => number;

/** A block whose names are used once in it. */
export function generateBlock(next: Random, depth = 0, names: { count: number } = { count: 0 }): Block {
  const block: ManifestNode[] = [];
  const length = 1 + next(depth === 0 ? 5 : 3);
  for (let i = 0; i < length; i++) block.push(...generateNode(next, depth, names));
  return block;
}

function generateNode(next: Random, depth: number, names: { count: number }): ManifestNode[] {
  const name = `e${names.count++}`;
  const inner = (): Block => generateBlock(next, depth + 1, { count: 0 });
  const arm = (): Block => (next(4) === 0 ? [] : generateBlock(next, depth + 1, names));
  switch (next(depth > 2 ? 5 : 16)) {
    case 0:
    case 1:
    case 2:
      return [step(name, { body: `body ${next(6)}` })];
    case 3:
      return [sleep(name)];
    case 4:
      return [message(name, { timeout: next(2) === 0 ? "yes" : "no" })];
    case 5:
      return [
        loop(name, next(2) === 0 ? [...inner(), when(`stop${next(2)}`, [exit("loop_break")])] : inner()),
      ];
    case 6:
      return [tryBlock(name, inner())];
    case 7:
      return [join(name, { x: inner(), y: inner() })];
    case 8:
      return [race(name, { x: inner(), y: inner() })];
    case 9:
      return [when(`c${depth}${next(3)}`, arm(), arm())];
    case 10:
      return [when(`c${depth}${next(3)}`, [...arm(), exit("return")])];
    case 11:
      return [
        each(`items${depth}${next(2)}`, [
          step(`${name}-\${i}`, { body: `body ${next(6)}` }),
          ...(next(2) === 0 ? [sleep(`${name}s-\${i}`)] : []),
        ]),
      ];
    case 12:
      return [counted(2 + next(2), [`${name}c-\${i}`], `body ${next(6)}`)];
    case 13:
      return [attempt(generateBlock(next, depth + 1, names), arm())];
    case 14:
      return [version(`g${name}`, 2), atLeast(`g${name}`, 2, arm(), arm())];
    default:
      return [checkpoint(name)];
  }
}

/** One random change somewhere in the block. */
export function edit(block: Block, next: Random, serial: { count: number }): Block {
  if (block.length === 0) return [step(`n${serial.count++}`, { body: "new" })];
  const at = next(block.length);
  const node = block[at];
  if (node === undefined) return block;
  const put = (...nodes: ManifestNode[]): Block => [...block.slice(0, at), ...nodes, ...block.slice(at + 1)];
  if (next(3) > 0) {
    const deeper = editInside(node, next, serial);
    if (deeper !== null) return put(deeper);
  }
  if (node.kind === "repeat" && node.times !== null && next(2) === 0) return put(...unrolled(node, next));
  const fresh = `n${serial.count++}`;
  const named = "name" in node ? node : null;
  switch (next(12)) {
    case 0:
      return put(step(fresh, { body: `body ${next(6)}` }), node);
    case 1:
      return put();
    case 2:
      return named === null ? put() : put({ ...named, name: [fresh] } as ManifestNode);
    case 3: {
      const other = block[at + 1];
      return other === undefined
        ? put(sleep(fresh), node)
        : [...block.slice(0, at), other, node, ...block.slice(at + 2)];
    }
    case 4:
      return put(version(fresh, 2), atLeast(fresh, 2, [step(`${fresh}s`, { body: "new" })]), node);
    case 5:
      return named === null || named.kind === "try" || named.kind === "removed" || named.name.length > 1
        ? put(node, step(fresh, { body: "new" }))
        : put(removed(named.name.join(""), named.kind));
    case 6:
      return put(when(`d${next(2)}`, [node]));
    case 7:
      return put(tryBlock(fresh, [node]));
    case 8:
      return put(node, step(fresh, { body: "new" }));
    case 9:
      return put(version(fresh, 2), atLeast(fresh, 2, [], [node]));
    case 10:
      return put(attempt([node], next(2) === 0 ? [] : [step(fresh, { body: "new" })]));
    default:
      return node.kind === "choice"
        ? put({ ...node, guard: { ...node.guard, text: `d${next(2)}` } })
        : put(sleep(fresh), node);
  }
}

/** A counted loop written out, or with another number of turns. */
function unrolled(node: Extract<ManifestNode, { kind: "repeat" }>, next: Random): readonly ManifestNode[] {
  const [only] = node.body;
  if (only?.kind !== "step" || node.times === null) return [node];
  const [head] = only.name;
  const prefix = typeof head === "string" ? head : "";
  if (next(2) === 0) return [counted(node.times + 1 - 2 * next(2), [`${prefix}\${i}`], only.body)];
  return Array.from({ length: node.times }, (_, turn) => step(`${prefix}${turn}`, { body: only.body }));
}

function editInside(node: ManifestNode, next: Random, serial: { count: number }): ManifestNode | null {
  switch (node.kind) {
    case "loop":
    case "try":
    case "repeat":
      return node.kind === "repeat" ? null : { ...node, body: edit(node.body, next, serial) };
    case "join":
    case "race": {
      const at = next(node.branches.length);
      return {
        ...node,
        branches: node.branches.map((branch, index) =>
          index === at ? { ...branch, body: edit(branch.body, next, serial) } : branch,
        ),
      };
    }
    case "choice": {
      const at = next(node.arms.length);
      return { ...node, arms: node.arms.map((arm, index) => (index === at ? edit(arm, next, serial) : arm)) };
    }
    default:
      return null;
  }
}
