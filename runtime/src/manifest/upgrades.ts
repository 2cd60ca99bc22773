import type { Reads } from "./format.js";
import { isObject } from "./validate.js";
import { hashWorkflow } from "./write-manifest.js";

type Json = Readonly<Record<string, unknown>>;

/** Turns a document of format version `n` (its key) into one of version `n + 1`; what is no manifest stays as it is. */
export type Upgrades = Readonly<Record<number, (document: Json) => Json>>;

/** Every step from the first version to the present one. */
export const UPGRADES: Upgrades = { 1: withUnknownReads };

/**
 * Version 1 did not say how conditions, names and sets of branches are computed. Now it is said that this is not
 * known: no condition of such a manifest is taken for one of a newer one.
 */
function withUnknownReads(document: Json): Json {
  const { workflows } = document;
  if (!isObject(workflows)) return document;
  const upgraded = Object.entries(workflows).map(([name, workflow]): [string, unknown] => {
    if (!isObject(workflow)) return [name, workflow];
    // Goes no deeper than a manifest can be; throws else.
    const intact = hashOf(workflow) === workflow["hash"];
    const next = {
      ...workflow,
      body: nodes(workflow["body"]),
      functions: isObject(workflow["functions"])
        ? Object.fromEntries(Object.entries(workflow["functions"]).map(([key, body]) => [key, nodes(body)]))
        : workflow["functions"],
    };
    // A hash that did not fit must not fit afterwards.
    return [name, intact ? { ...next, hash: hashOf(next) } : next];
  });
  return { ...document, workflows: Object.fromEntries(upgraded) };
}

// The members may be anything as yet: they are only hashed.
const hashOf = (workflow: Json): string =>
  hashWorkflow(workflow as unknown as Parameters<typeof hashWorkflow>[0]);

const unknownReads = (entries: unknown): Reads => ({
  entries: Array.isArray(entries) ? (entries as readonly string[]) : [],
  ways: [],
});

function nodes(block: unknown): unknown {
  return Array.isArray(block)
    ? block.map((node: unknown) => (isObject(node) ? upgradedNode(node) : node))
    : block;
}

function upgradedNode(node: Json): Json {
  const next: Record<string, unknown> = { ...node };
  if (Array.isArray(node["name"])) next["name"] = upgradedName(node["name"]);
  if (Array.isArray(node["body"])) next["body"] = nodes(node["body"]);
  if (Array.isArray(node["arms"])) next["arms"] = node["arms"].map(nodes);
  if (Array.isArray(node["branches"]))
    next["branches"] = node["branches"].map((branch: unknown) =>
      isObject(branch) ? { ...branch, body: nodes(branch["body"]) } : branch,
    );
  const { guard } = node;
  // An error decides what is caught, a version decides about the arms of a gate.
  if (isObject(guard) && guard["gate"] === null && node["caught"] !== true) {
    const { asks, ...rest } = guard;
    next["guard"] = { ...rest, reads: unknownReads(asks) };
  }
  if (node["open"] === true || node["timeout"] === "maybe") next["reads"] = unknownReads([]);
  return next;
}

function upgradedName(name: readonly unknown[]): unknown[] {
  return name.map((part) =>
    isObject(part) && part["values"] === undefined ? { ...part, reads: unknownReads([]) } : part,
  );
}
