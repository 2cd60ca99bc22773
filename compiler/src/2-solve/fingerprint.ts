import { createHash } from "node:crypto";
import type { FunctionFacts, FunctionId } from "../types.js";
import type { Program } from "./program.js";

const CACHE = new WeakMap<FunctionFacts, string>();
/** Facts that say where or how a thing was found, not what it does. */
const SILENT = new Set([
  "span",
  "propertySpan",
  "nameSpan",
  "handlerSpan",
  "finalizerSpan",
  "decl",
  "type",
  "typeArgs",
  "annotation",
  "returnType",
  "returnAnnotation",
]);

/**
 * What a function does, as 12 hex digits: the same after renaming locals, reformatting and moving.
 * Functions that it names are part of it, those that call themselves once.
 */
export function fingerprint(program: Program, fn: FunctionFacts): string {
  let hash = CACHE.get(fn);
  if (hash === undefined) {
    hash = createHash("sha256")
      .update(textOf(program, fn, new Set()))
      .digest("hex")
      .slice(0, 12);
    CACHE.set(fn, hash);
  }
  return hash;
}

function textOf(program: Program, fn: FunctionFacts, inside: Set<FunctionId>): string {
  if (inside.has(fn.id)) return '"again"';
  const within = new Set(inside).add(fn.id);
  const numbers = new Map<string, number>();
  const number = (id: string): number => {
    let known = numbers.get(id);
    if (known === undefined) numbers.set(id, (known = numbers.size));
    return known;
  };
  const walk = (at: unknown): string => {
    if (at === null || typeof at !== "object") return JSON.stringify(at) ?? "null";
    if (Array.isArray(at)) return `[${at.map(walk).join()}]`;
    const node = at as Readonly<Record<string, unknown>>;
    if (node["k"] === "function") return functionText(String(node["id"]));
    if (node["s"] === "function")
      return `${number(String(node["binding"]))}=${functionText(String(node["id"]))}`;
    if (node["to"] === "binding") return bindingText(String(node["id"]));
    if (node["p"] === "binding") return `b${number(String(node["id"]))}`;
    if (node["k"] === "name") return walk(node["ref"]);
    return `{${Object.keys(node)
      .filter((key) => !SILENT.has(key))
      .map((key) => `${key}:${walk(node[key])}`)
      .join()}}`;
  };
  const functionText = (id: FunctionId): string => {
    const inner = program.fn(id);
    return inner ? textOf(program, inner, within) : "?";
  };
  const bindingText = (id: string): string => {
    const binding = program.binding(id);
    const owner = binding && program.fn(binding.owner);
    // A function of its own module is what it does; another module variable is its name.
    if (binding && owner?.owner === null) {
      const inner = program.functionOfBinding(id);
      return inner ? textOf(program, inner, within) : `m:${binding.name}`;
    }
    return `b${number(id)}`;
  };
  return `${fn.async ? "async" : ""}(${walk(fn.params)})${walk(fn.body)}`;
}
