import fc from "fast-check";
import { statement } from "./arbitrary.js";
import { resolve } from "./resolve.js";
import { unnamed, type Block, type Kind, type Statement } from "./tree.js";

/** What people do to a workflow between two deploys. */
export const OPERATORS = [
  "insert",
  "delete",
  "declare removed",
  "rename",
  "move",
  "wrap in try",
  "wrap in choice",
  "wrap in catch",
  "unroll",
  "re-kind",
  "gate",
  "gate away",
  "ungate",
  "change guard",
  "change branches",
] as const;
export type Operator = (typeof OPERATORS)[number];

/** One edit: the operator is applied to statement number `at` of the program, in program order, modulo their number. */
export interface Edit {
  readonly operator: Operator;
  readonly at: number;
  /** What `insert` puts in; not resolved. */
  readonly fresh: Statement;
}

/** Edits without the kinds given. */
export function edit(without: readonly Kind[] = []): fc.Arbitrary<Edit> {
  return fc.record({
    operator: fc.constantFrom(...OPERATORS),
    at: fc.nat(30),
    fresh: statement({ root: 2, block: 2, depth: 1 }, 1, without),
  });
}

/** The program after the edits, resolved; what was not edited keeps its names and variables. */
export function edited(program: Block, edits: readonly Edit[]): Block {
  return edits.reduce((block, one) => resolve(apply(block, one)), program);
}

function apply(program: Block, { operator, at, fresh }: Edit): Block {
  const total = count(program);
  if (total === 0) return [fresh];
  const target = at % total;
  let index = 0;
  const visit = (block: Block): Block => {
    const out: Statement[] = [];
    for (let place = 0; place < block.length; place++) {
      const one = block[place] as Statement; // place is in range
      if (index++ !== target) {
        out.push({ ...one, blocks: one.blocks.map(visit) } as Statement);
        continue;
      }
      const next = block[place + 1];
      if (operator === "move" && next !== undefined) {
        out.push(next, one);
        place++;
        index += count([next]) + count([one]) - 1;
        continue;
      }
      out.push(...changed(one, operator, fresh));
      index += count([one]) - 1;
    }
    return out;
  };
  return visit(program);
}

function changed(one: Statement, operator: Operator, fresh: Statement): Block {
  const kept = one.name.base;
  switch (operator) {
    case "insert":
      return [fresh, one];
    case "delete":
      return [];
    case "declare removed": {
      const was = one.kind === "tryStep" ? "step" : one.kind === "wait" ? "message" : one.kind;
      if (was !== "step" && was !== "sleep" && was !== "message") return [];
      return [{ ...unnamed("removed", { was }), name: one.name }];
    }
    case "rename":
      return [{ ...one, name: { ...one.name, base: kept === "" ? "" : `${kept}-again` } } as Statement];
    case "move":
      return [one];
    case "wrap in try":
      return [unnamed("try", {}, { blocks: [[one]] })];
    case "wrap in choice":
      return [unnamed("choice", { test: "odd" }, { ref: { pick: 0, on: "" }, blocks: [[one], []] })];
    case "wrap in catch":
      return [unnamed("catch", {}, { blocks: [[one], [fresh]] })];
    case "unroll":
      if (one.kind !== "repeat" || one.byData) return [one];
      return Array.from({ length: one.times }, (_, turn) => turned(one.blocks[0] ?? [], one.as, turn)).flat();
    case "re-kind":
      return [
        one.kind === "sleep"
          ? { ...unnamed("checkpoint", {}), name: one.name }
          : { ...unnamed("sleep", { ms: 100 }), name: one.name },
      ];
    case "gate":
      return [unnamed("gate", {}, { blocks: [[one], []] })];
    case "gate away":
      return [unnamed("gate", {}, { blocks: [[fresh], [one]] })];
    case "ungate":
      return one.kind === "gate" ? (one.blocks[0] ?? []) : [one];
    case "change guard":
      if (one.kind === "choice") return [{ ...one, test: one.test === "odd" ? "big" : "odd" }];
      if (one.kind === "repeat") return [{ ...one, times: one.times + 1, byData: false }];
      return one.kind === "loop" ? [{ ...one, turns: one.turns + 1 }] : [one];
    case "change branches":
      if (one.kind !== "join" && one.kind !== "race") return [one];
      return [{ ...one, blocks: one.blocks.length > 1 ? one.blocks.slice(0, -1) : [...one.blocks, [fresh]] }];
  }
}

/** The block as it stands in one turn of the native loop around it, which is outermost in its scope. */
function turned(block: Block, index: string, turn: number): Block {
  return block.map((one): Statement => {
    const isNamedByTurn = one.name.turns[0] === index;
    const name = isNamedByTurn
      ? { ...one.name, base: `${one.name.base}-${turn}`, turns: one.name.turns.slice(1) }
      : one.name;
    const blocks = one.blocks.map((inner) => turned(inner, index, turn));
    return { ...one, name, blocks } as Statement;
  });
}

function count(block: Block): number {
  return block.reduce((sum, one) => sum + 1 + one.blocks.reduce((inner, each) => inner + count(each), 0), 0);
}
