import type { Block, ManifestNode, NamePattern } from "../../../runtime/src/manifest/index.js";

type Gates = ReadonlyMap<string, NamePattern>;

/**
 * The block with tests of gates that name them as the gates themselves do. A test is read where the version is
 * looked at, which does not know what a hole of the gate's name is in each turn of the native loop around both. In
 * another loop or scope the turn is another, so there such a test stays as it is.
 */
export function withGateNames(block: Block, around: Gates = new Map()): Block {
  const gates = new Map(around);
  const inner = (one: Block): Block => withGateNames(one, gates);
  const elsewhere = (one: Block): Block =>
    withGateNames(one, new Map([...gates].filter(([, name]) => isSteady(name))));
  return block.map((node): ManifestNode => {
    if (node.kind === "version_check") gates.set(withoutValues(node.name), node.name);
    switch (node.kind) {
      case "choice": {
        const { gate } = node.guard;
        const name = gate === null ? undefined : gates.get(withoutValues(gate.name));
        const guard =
          gate === null || name === undefined ? node.guard : { ...node.guard, gate: { ...gate, name } };
        return { ...node, guard, arms: node.arms.map(inner) };
      }
      case "inline":
        return { ...node, body: inner(node.body) };
      case "repeat":
      case "loop":
      case "try":
        return { ...node, body: elsewhere(node.body) };
      case "join":
      case "race":
        return { ...node, branches: node.branches.map((one) => ({ ...one, body: elsewhere(one.body) })) };
      default:
        return node;
    }
  });
}

const isSteady = (name: NamePattern): boolean =>
  name.every((part) => typeof part === "string" || !part.perIteration);

/** What a gate and a test of its version say alike of its name. */
function withoutValues(name: NamePattern): string {
  return JSON.stringify(
    name.map((part) => (typeof part === "string" ? part : [part.hole, part.perIteration])),
  );
}
