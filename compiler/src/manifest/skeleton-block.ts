import { stableName } from "../2-solve/entries/stable-name.js";
import type { ReadsOf, SkeletonBlock, SkeletonEntry, SkeletonNode } from "../2-solve/types.js";
import type { Block, Guard, ManifestNode, NamePattern } from "../../../runtime/src/manifest/index.js";
import { entryNode, type EntrySources } from "./entry-node.js";

/** A block of the skeleton as the manifest has it: canonical, without what records nothing. */
export function blockOf(skeleton: SkeletonBlock, sources: EntrySources): Block {
  const parts: { readonly size: number; readonly nodes: Block }[] = [];
  for (const node of skeleton) {
    if (node.kind !== "choice" || node.caught === undefined) {
      parts.push({ size: 1, nodes: nodesOf(node, sources) });
    } else if ("handlerAt" in node.caught) {
      const [block = [], thrown = []] = node.arms;
      const handler = thrown.slice(node.caught.handlerAt);
      parts.push({ size: 1, nodes: attempt(blockOf(block, sources), blockOf(handler, sources)) });
    } else {
      // What was read last is the `try` block.
      const block: ManifestNode[] = [];
      let size = 0;
      while (size < node.caught.covers) {
        const part = parts.pop();
        if (part === undefined) break;
        size += part.size;
        block.unshift(...part.nodes);
      }
      parts.push({ size: size + 1, nodes: attempt(block, blockOf(node.arms[1] ?? [], sources)) });
    }
  }
  return parts.flatMap((part) => part.nodes);
}

/** A native `try` whose `catch` goes on. */
function attempt(block: Block, handler: Block): Block {
  if (block.length === 0) return [];
  const guard: Guard = { text: "an error is caught", source: "unknown", gate: null };
  return [{ kind: "choice", guard, arms: [block, handler], caught: true }];
}

function nodesOf(node: SkeletonNode, sources: EntrySources): readonly ManifestNode[] {
  switch (node.kind) {
    case "entry": {
      const bodies = node.bodies.map((one) => ({
        name: one.name === null ? null : joined(one.name),
        body: blockOf(one.body, sources),
      }));
      return [entryNode(node, nodeName(node), bodies, sources)];
    }
    case "choice": {
      const arms = node.arms.map((arm) => blockOf(arm, sources));
      if (arms.every((arm) => arm.length === 0)) return [];
      return [choice(withReads(node.guard, node.reads), arms, node.reads?.negated === true)];
    }
    case "repeat": {
      const body = blockOf(node.body, sources);
      if (body.length === 0) return [];
      const guard = repeatGuard(withReads(node.guard, node.reads), node.times, node.endless);
      return [{ kind: "repeat", guard, times: node.endless ? null : node.times, body }];
    }
    case "inline":
      return [{ kind: "inline", body: blockOf(node.body, sources) }];
    case "exit":
      return [{ kind: "exit", how: node.how, depth: node.depth }];
    case "call":
      return [{ kind: "call", to: node.to }];
  }
}

/** A gate's arms are told by its versions. */
function withReads(guard: Guard, computed: ReadsOf): Guard {
  return guard.gate !== null || computed === null ? guard : { ...guard, reads: computed.reads() };
}

/** The name of an entry as the manifest has it. */
export function nodeName(entry: SkeletonEntry): NamePattern {
  const name = joined(stableName(entry.name, entry.variesIn, entry.holes));
  const { name: computed } = entry.reads;
  if (computed === null) return name;
  // A hole whose values are written out, turn by turn, is read from the code alone.
  return name.map((part) =>
    typeof part === "string" || part.values !== undefined ? part : { ...part, reads: computed.reads() },
  );
}

/** Neighbouring literal parts are one, so that a name has one pattern. */
function joined(name: NamePattern): NamePattern {
  const parts: NamePattern[number][] = [];
  for (const part of name) {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else if (part !== "" || name.length === 1) parts.push(part);
  }
  return parts.length === 0 ? [""] : parts;
}

/** `if (!x) a; else b;` is `if (x) b; else a;`: one form for both. */
function choice(guard: Guard, arms: readonly Block[], negated: boolean): ManifestNode {
  const [then, otherwise] = arms;
  if (!negated || guard.gate !== null || arms.length !== 2 || then === undefined || otherwise === undefined)
    return { kind: "choice", guard, arms };
  return { kind: "choice", guard: { ...guard, text: guard.text.replace(/^!/, "") }, arms: [otherwise, then] };
}

/**
 * Only a loop that has no condition, or whose turns are counted, is certain; `let n = 0; while (n < 3)`
 * is computed from constants too, but how often it turns can't be read.
 */
function repeatGuard(guard: Guard, times: number | null, endless: boolean): Guard {
  if (endless) return { text: "true", source: "constant", gate: null };
  if (times === null && guard.source === "constant") return { ...guard, source: "unknown" };
  return guard;
}
