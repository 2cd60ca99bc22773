import { CONSTRUCTS } from "./constructs/index.js";
import {
  NO_NAME,
  resultOf,
  statementsIn,
  type Block,
  type Name,
  type Ref,
  type Statement,
  type StatementOf,
} from "./tree.js";

/**
 * Makes a generated or edited tree a program that means something: every name unique in its scope, every
 * variable bound before it is looked at, no code behind a `return`, no rollback without a checkpoint. What a
 * statement has already is kept where that is possible, so that a resolved program stays as it is.
 */
export function resolve(block: Block): Block {
  return new Resolver(block).scope(block, []);
}

/** What holds at one point of a scope. */
interface Here {
  /** Names used on the way to this point, in this scope. */
  readonly used: Set<string>;
  /** Variables in sight, newest last. */
  sight: string[];
  /** Native loops around, in this scope. */
  readonly turns: readonly string[];
  /** Native loops around, in this function. */
  readonly loops: number;
  /** A rollback checkpoint lies behind. */
  checkpoint: boolean;
  /** The block is an arm, where `leave` may stand. */
  readonly arm: boolean;
  /** A loop over messages is around: what it sends to itself could keep it turning for ever. */
  readonly inMessages: boolean;
}

class Resolver {
  private serial = 0;
  private readonly variables = new Set<string>();
  /** Names that statements have already: new ones stay clear of them, in whatever scope. */
  private readonly kept: ReadonlySet<string>;

  constructor(block: Block) {
    for (const name of variablesIn(block)) this.serial = Math.max(this.serial, Number(name.slice(1)));
    this.kept = new Set([...statementsIn(block)].map((one) => one.name.base));
  }

  scope(block: Block, sight: readonly string[], inMessages = false): Block {
    return this.block(block, {
      used: new Set(),
      sight: [...sight],
      turns: [],
      loops: 0,
      checkpoint: false,
      arm: false,
      inMessages,
    });
  }

  private block(block: Block, here: Here): Block {
    const out: Statement[] = [];
    for (const one of block) {
      const made = this.statement(one, here);
      out.push(...made);
      const last = made.at(-1);
      if (last !== undefined && leavesAlways(last)) break;
    }
    return out;
  }

  private statement(one: Statement, here: Here): Block {
    const ref = this.ref(one.ref, here);
    if (one.kind === "leave") return here.arm ? [leave(one, ref, here)] : [];
    if (one.kind === "choice" && ref === null) return this.block(one.blocks[0] ?? [], here);
    const construct = CONSTRUCTS[one.kind];
    const name = construct.names === null ? NO_NAME : this.name(one, construct.names, ref, here);
    const as =
      construct.binds === null
        ? ""
        : this.variable(one.as, construct.binds === "value" ? "v" : one.kind === "gate" ? "g" : "i");
    const made = settled({ ...one, name, as, ref } as Statement, here);
    const blocks = this.blocks(made, here);
    if (made.kind === "checkpoint") here.checkpoint = true;
    if (made.kind === "repeat" && blocks[0]?.length === 0) return [];
    // What a helper gives without a value of its own is a constant, not recorded data.
    const gives = made.kind !== "helper" || resultOf(blocks[0] ?? []) !== null;
    if (construct.binds === "value" && gives) here.sight.push(as);
    return [{ ...made, blocks, as: gives ? as : "" } as Statement];
  }

  private blocks(one: Statement, here: Here): readonly Block[] {
    if (CONSTRUCTS[one.kind].scopes) {
      const turn = one.kind === "loop" && one.style === "turns" ? [turnOf(one.as)] : [];
      const inMessages = here.inMessages || (one.kind === "loop" && one.style === "messages");
      return one.blocks.map((block) => this.scope(block, [...here.sight, ...turn], inMessages));
    }
    const inside = (more: Partial<Here>): Here => ({ ...here, sight: [...here.sight], arm: false, ...more });
    switch (one.kind) {
      case "choice":
      case "gate": {
        const arms = one.blocks.map((block): [Block, Here] => {
          const arm = inside({ used: new Set(here.used), arm: true });
          return [this.block(block, arm), arm];
        });
        for (const [, arm] of arms) for (const used of arm.used) here.used.add(used);
        return arms.map(([block]) => block);
      }
      case "catch": {
        // The handler runs behind entries of the block: their names are used.
        const used = new Set(here.used);
        const blocks = one.blocks.map((block) => this.block(block, inside({ used })));
        for (const name of used) here.used.add(name);
        return blocks;
      }
      case "repeat": {
        const turns = [...here.turns, one.as];
        return one.blocks.map((block) => this.block(block, inside({ turns, loops: here.loops + 1 })));
      }
      case "helper":
        return one.blocks.map((block) => this.block(block, inside({ loops: 0 })));
      default:
        return [];
    }
  }

  private ref(ref: Ref | null, here: Here): Ref | null {
    if (ref === null || here.sight.length === 0) return null;
    if (here.sight.includes(ref.on)) return ref;
    return { ...ref, on: here.sight[here.sight.length - 1 - (ref.pick % here.sight.length)] ?? "" };
  }

  private name(one: Statement, word: string, ref: Ref | null, here: Here): Name {
    const { used } = here;
    let base = one.name.base;
    if (base === "" || used.has(base)) {
      const isFree = (name: string): boolean => !used.has(name) && !this.kept.has(name);
      let number = 1;
      do base = `${word}-${number++}`;
      while (!isFree(base));
    }
    used.add(base);
    return { base, turns: here.turns, byData: one.name.byData && ref !== null };
  }

  private variable(kept: string, prefix: "v" | "i" | "g"): string {
    const name = kept === "" || this.variables.has(kept) ? `${prefix}${++this.serial}` : kept;
    this.variables.add(name);
    return name;
  }
}

/** The variable of the number of a turn, of the loop that binds `as`. */
export const turnOf = (as: string): string => `t${as.slice(1)}`;

function settled(one: Statement, here: Here): Statement {
  switch (one.kind) {
    case "step":
    case "tryStep": {
      const work = { ...one.work, sends: one.work.sends && !here.inMessages };
      return one.kind === "step" ? { ...one, work, undo: one.undo && here.checkpoint } : { ...one, work };
    }
    case "repeat":
      return { ...one, byData: one.byData && one.ref !== null };
    case "loop":
      return one.style === "messages" && !beginsWithWait(one) ? { ...one, style: "turns" } : one;
    default:
      return one;
  }
}

const beginsWithWait = (one: StatementOf<"loop">): boolean => {
  const first = one.blocks[0]?.[0];
  return first?.kind === "wait" && first.timeout === null;
};

function leave(one: StatementOf<"leave">, ref: Ref | null, here: Here): Statement {
  return { ...one, ref, how: here.loops > 0 ? one.how : "return" };
}

/** Nothing behind the statement is reached. */
export function leavesAlways(one: Statement): boolean {
  if (one.kind === "leave") return true;
  if (one.kind !== "choice" && one.kind !== "gate") return false;
  return one.blocks.every((block) => {
    const last = block.at(-1);
    return last !== undefined && leavesAlways(last);
  });
}

function* variablesIn(block: Block): Generator<string> {
  for (const one of block) {
    if (one.as !== "") yield one.as;
    for (const inner of one.blocks) yield* variablesIn(inner);
  }
}

/** Kinds that can leave their function early: their helper is a block of its own in the manifest. */
export function returnsEarly(block: Block): boolean {
  return block.some(
    (one) =>
      (one.kind === "leave" && one.how === "return") ||
      (!CONSTRUCTS[one.kind].scopes && one.kind !== "helper" && one.blocks.some(returnsEarly)),
  );
}

/** Variables that a block looks at and does not bind: what a helper gets as parameters. */
export function freeVariables(block: Block): string[] {
  const bound = new Set<string>();
  const free = new Set<string>();
  const visit = (inner: Block): void => {
    for (const one of inner) {
      if (one.ref !== null) look(one.ref.on);
      for (const turn of one.name.turns) look(turn);
      if (one.as !== "") bound.add(one.as);
      if (one.kind === "loop") bound.add(turnOf(one.as));
      one.blocks.forEach(visit);
    }
  };
  const look = (name: string): void => {
    if (!bound.has(name)) free.add(name);
  };
  visit(block);
  return [...free].sort();
}
