import type { Block, ChoiceNode, ManifestNode, StepNode } from "./format.js";
import { keysOf, patternText } from "./names.js";
import type { Gates } from "./old-run.js";
import { canPass } from "./passable.js";
import { isScopeNode, scopesOf } from "./scope-nodes.js";
import { armOfVersion, type EntryNode } from "./walk.js";

type Functions = Readonly<Record<string, Block>>;

const all = new WeakMap<EntryNode, readonly StepNode[]>();
const fresh = new WeakMap<EntryNode, readonly FreshStep[]>();

/** Every step that an entry is or holds. */
export function stepsIn(node: EntryNode): readonly StepNode[] {
  const known = all.get(node);
  if (known !== undefined) return known;
  const steps: StepNode[] = [];
  const collect = (block: Block): void => {
    for (const inner of block) {
      if (inner.kind === "step") steps.push(inner);
      else if (inner.kind === "choice") inner.arms.forEach(collect);
      else if (inner.kind === "repeat" || inner.kind === "inline") collect(inner.body);
      else if (inner.kind !== "exit" && inner.kind !== "call" && isScopeNode(inner))
        for (const scope of scopesOf(inner)) collect(scope.body);
    }
  };
  collect([node]);
  all.set(node, steps);
  return steps;
}

/** The steps that the entries of one scope are or hold, by the entry's key; made when first asked for. */
export function stepsByKey(block: Block): (key: string) => readonly StepNode[] {
  let byKey: Map<string, StepNode[]> | null = null;
  const collect = (nodes: Block, into: Map<string, StepNode[]>): void => {
    for (const node of nodes) {
      if (node.kind === "choice") for (const arm of node.arms) collect(arm, into);
      else if (node.kind === "repeat" || node.kind === "inline") collect(node.body, into);
      else if (node.kind !== "exit" && node.kind !== "call") {
        for (const key of keysOf(node.name)) into.set(key, [...(into.get(key) ?? []), ...stepsIn(node)]);
      }
    }
  };
  return (key) => {
    if (byKey === null) collect(block, (byKey = new Map()));
    return byKey.get(key) ?? [];
  };
}

/** A step with the guards that decide, within the entry, whether it is come to. */
export interface FreshStep {
  readonly node: StepNode;
  readonly guards: readonly string[];
}

/**
 * The steps that an entry can come to when it starts afresh: gates in it are at their latest version, and
 * nothing behind an endless loop is reached.
 * @param gates versions of the gates around it.
 */
export function stepsWhenFresh(
  node: EntryNode,
  functions: Functions,
  gates: Gates = new Map(),
): readonly FreshStep[] {
  const known = gates.size === 0 ? fresh.get(node) : undefined;
  if (known !== undefined) return known;
  const reach = new Reach(functions, new Map(gates));
  reach.block([node], []);
  if (gates.size === 0) fresh.set(node, reach.steps);
  return reach.steps;
}

class Reach {
  readonly steps: FreshStep[] = [];

  constructor(
    private readonly functions: Functions,
    private readonly versions: Map<string, number>,
  ) {}

  /** Gives whether the end of the block can be come to. */
  block(block: Block, guards: readonly string[]): boolean {
    return block.every((node) => this.node(node, guards));
  }

  private node(node: ManifestNode, guards: readonly string[]): boolean {
    switch (node.kind) {
      case "step":
        this.steps.push({ node, guards });
        return true;
      case "version_check":
        if (node.latest !== null) this.versions.set(patternText(node.name), node.latest);
        return true;
      case "choice":
        return this.choice(node, guards);
      case "repeat":
        this.block(node.body, node.guard.source === "constant" ? guards : [...guards, node.guard.text]);
        return true;
      case "inline":
        this.block(node.body, guards);
        return true;
      case "exit":
        return false;
      case "call":
        return true;
      default:
        if (isScopeNode(node)) for (const scope of scopesOf(node)) this.block(scope.body, guards);
        return canPass(node, this.functions);
    }
  }

  private choice(node: ChoiceNode, guards: readonly string[]): boolean {
    const { gate, text } = node.guard;
    const version = gate === null ? undefined : this.versions.get(patternText(gate.name));
    if (gate !== null && version !== undefined)
      return this.block(node.arms[armOfVersion(gate, version)] ?? [], guards);
    // A block that an error can end is come to all the same.
    const ways = node.arms.map((arm, index) =>
      this.block(arm, node.caught === true && index === 0 ? guards : [...guards, text]),
    );
    return ways.includes(true);
  }
}
