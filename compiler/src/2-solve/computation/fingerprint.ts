import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { ClassId, Expr, FunctionFacts, FunctionId } from "../../types.js";
import type { Program } from "../program.js";

const CACHE = new WeakMap<FunctionFacts, string[]>();
/** Calls that are followed; what lies deeper counts by its name. */
const DEEPEST = 5;
/** Facts that say where or how a thing was found, not what it does. */
export const SILENT: ReadonlySet<string> = new Set([
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
  "writtenReturn",
]);

/**
 * What a function does, as 12 hex digits: the same after renaming locals, reformatting and moving.
 * Functions that it names are part of it, a few calls deep.
 */
export function fingerprint(program: Program, fn: FunctionFacts): string {
  return hashOf(program, fn, 0);
}

/** The text of a function or expression by itself: functions and variables of modules stand in it by their names. */
export function ownText(program: Program, of: FunctionFacts | Expr): string {
  return textOf(program, of, DEEPEST);
}

function hashOf(program: Program, fn: FunctionFacts, depth: number): string {
  if (depth > DEEPEST) return fn.name;
  let hashes = CACHE.get(fn);
  if (!hashes) CACHE.set(fn, (hashes = []));
  let hash = hashes[depth];
  if (hash === undefined) {
    const text = textOf(program, fn, depth);
    hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
    hashes[depth] = hash;
  }
  return hash;
}

function textOf(program: Program, of: FunctionFacts | Expr, depth: number): string {
  const numbers = new Map<string, number>();
  const number = (id: string): number => {
    let known = numbers.get(id);
    if (known === undefined) numbers.set(id, (known = numbers.size));
    return known;
  };
  const functionText = (id: FunctionId): string => {
    const inner = program.fn(id);
    return inner ? textWith(inner) : "?";
  };
  const classText = (id: ClassId): string => {
    const cls = program.cls(id);
    if (!cls) return "?";
    const members = cls.members.map(
      ({ name, functionId, value }) =>
        `${name}:${functionId === null ? walk(value) : functionText(functionId)}`,
    );
    const made = cls.constructorId === null ? "" : functionText(cls.constructorId);
    return `class(${walk(cls.extends)})${made}{${members.join()}}`;
  };
  const bindingText = (id: string): string => {
    const binding = program.binding(id);
    // A function of a module is what it does; another module variable is its name.
    if (binding && program.fn(binding.owner)?.owner === null) {
      const inner = program.functionOfBinding(id);
      return inner ? hashOf(program, inner, depth + 1) : `m:${binding.name}`;
    }
    return `b${number(id)}`;
  };
  const walk = (at: unknown): string => {
    if (at === null || typeof at !== "object") return JSON.stringify(at) ?? "null";
    if (Array.isArray(at)) return `[${at.map(walk).join()}]`;
    const node = at as Readonly<Record<string, unknown>>;
    if (node["k"] === "function") return functionText(String(node["id"]));
    if (node["s"] === "function")
      return `${number(String(node["binding"]))}=${functionText(String(node["id"]))}`;
    if (node["k"] === "class") return classText(String(node["id"]));
    if (node["s"] === "class") return `${number(String(node["binding"]))}=${classText(String(node["id"]))}`;
    // By its name: where the file lies differs between checkouts.
    if (node["to"] === "namespace") return `n:${posix.basename(String(node["file"]))}`;
    if (node["to"] === "binding") return bindingText(String(node["id"]));
    if (node["p"] === "binding") return `b${number(String(node["id"]))}`;
    if (node["k"] === "name") return walk(node["ref"]);
    return `{${Object.keys(node)
      .filter((key) => !SILENT.has(key))
      .map((key) => `${key}:${walk(node[key])}`)
      .join()}}`;
  };
  /** Functions written inside share the numbering of variables. */
  const textWith = (each: FunctionFacts): string =>
    `${each.async ? "async" : ""}(${walk(each.params)})${walk(each.body)}`;
  return "k" in of ? walk(of) : textWith(of);
}
