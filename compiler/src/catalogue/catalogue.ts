import type { CatalogueRow, CatalogueUse } from "../types.js";
import { holds, strictness } from "./condition.js";
import type { Declarations } from "./declared.js";
import { declaredRows } from "./declared.js";
import { moduleAndParents, normalModule } from "./modules.js";
import type { RowGroup } from "./rows.js";
import { asAsked } from "./repeatable.js";
import { globalOfExport, normalGlobal, pathsOfMember } from "./platform-names.js";

/**
 * Answers what known globals and packages do. Every lookup gives the row that speaks of just this use:
 * what the user declared, else the exact name, else the nearest `*` above it; of several rows the one with
 * the most conditions. `null` = the catalogue says nothing: for a read that means no effect, for a call of a
 * package that its own code has to be read.
 */
export interface Catalogue {
  /** @param path dotted, from the global object: `Math.random`, `process.env.HOME`, `Date` */
  lookupGlobal(path: string, use: CatalogueUse): CatalogueRow | null;
  /**
   * @param module as imported
   * @param name exported name and what is below it: `v4`, `default.get`, `Pool.query`; `*` = the namespace itself
   */
  lookupExternal(module: string, name: string, use: CatalogueUse): CatalogueRow | null;
  /**
   * A member of an instance.
   *
   * @param module the package that declares the type; `""` = the platform
   * @param type its name, or `*` when it is not known
   * @param member dotted when deeper: `customers.create`
   */
  lookupMember(module: string, type: string, member: string, use: CatalogueUse): CatalogueRow | null;
  /** True when rows cover the whole package, so that nothing of it has to be read. */
  covers(module: string): boolean;
}

/**
 * Builds the index; every lookup is then a few map reads.
 *
 * @param groups the built-in ones, or hand-written ones in tests
 * @param declared from the config; they win over `groups`
 * @throws CatalogueDeclarationError for a declaration that can't be read
 */
export function createCatalogue(groups: readonly RowGroup[], declared: Declarations = {}): Catalogue {
  const index = new Map<string, RowGroup | RowGroup[]>();
  for (const group of groups)
    for (const name of group.names) {
      const found = index.get(name);
      if (found === undefined) index.set(name, group);
      else if (Array.isArray(found)) found.push(group);
      else index.set(name, [found, group]);
    }
  const overrides = declaredRows(declared);
  const nodeTypes = nodeModulesByType(groups);
  const made = new Map<RowGroup, Map<string, CatalogueRow>>();

  const at = (key: string, use: CatalogueUse): CatalogueRow | null => {
    const found = index.get(key);
    if (found === undefined) return null;
    const group = Array.isArray(found) ? strictest(found, use) : holds(found.row.when, use) ? found : null;
    if (group === null) return null;
    let rows = made.get(group);
    if (rows === undefined) made.set(group, (rows = new Map()));
    let row = rows.get(key);
    if (row === undefined) rows.set(key, (row = { of: key, ...group.row }));
    return row;
  };
  const first = ({ declared, known }: Keys, use: CatalogueUse): CatalogueRow | null => {
    for (const key of declared) {
      const found = overrides.row(key, use);
      if (found) return found;
    }
    for (const key of known) {
      const found = at(key, use);
      if (found) return found;
    }
    return null;
  };
  // A program asks for the same few hundred names again and again; most keys of a name speak of nothing.
  const asked = new Map<string, Keys>();
  const keysOf = (name: string, make: () => readonly string[]): Keys => {
    let keys = asked.get(name);
    if (keys === undefined) {
      const all = make();
      keys = { declared: all.filter(overrides.speaksOf), known: all.filter((key) => index.has(key)) };
      asked.set(name, keys);
    }
    return keys;
  };

  const lookupGlobal = (path: string, use: CatalogueUse): CatalogueRow | null =>
    first(
      keysOf(path, () => nameAndAbove(normalGlobal(path))),
      use,
    );
  const ofExport = (module: string, name: string, use: CatalogueUse): CatalogueRow | null =>
    first(
      keysOf(`${module}#${name}`, () => keysOfExport(module, name)),
      use,
    );
  const ofMember = (type: string, member: string, use: CatalogueUse): CatalogueRow | null =>
    first(
      keysOf(`.${type}.${member}`, () => pathsOfMember(type, member).flatMap(nameAndAbove)),
      use,
    );

  const { pure = [], effectful = [] } = declared;
  const mayDeclareFiles = pure.length + effectful.length > 0;
  const lookupExternal = (specifier: string, name: string, use: CatalogueUse): CatalogueRow | null => {
    // A file of the program: asked for each of its functions, and only a declaration can speak of it.
    if (specifier.startsWith("/") && !mayDeclareFiles) return null;
    const module = normalModule(specifier);
    const found = ofExport(module, name, use);
    if (found) return asAsked(found, name);
    const path = globalOfExport(module, name);
    return path === null ? null : lookupGlobal(path, use);
  };

  const lookupMember = (
    specifier: string,
    type: string,
    member: string,
    use: CatalogueUse,
  ): CatalogueRow | null => {
    const module = specifier === "" ? "" : normalModule(specifier);
    if (module === "" || module === "@types/node") {
      const found = ofMember(type, member, use);
      if (found) return found;
      const nodeModule = nodeTypes.get(type);
      return nodeModule === undefined ? null : ofExport(nodeModule, `${type}.${member}`, use);
    }
    const found = ofExport(module, `${type}.${member}`, use);
    if (found) return asAsked(found, member);
    if (!module.startsWith("node:")) return null;
    return ofMember(type, member, use);
  };

  return {
    lookupGlobal,
    lookupExternal,
    lookupMember,
    covers: (specifier) =>
      moduleAndParents(normalModule(specifier)).some((module) => index.has(`${module}#*`)),
  };
}

/** Of the keys to try for a name, those that say something, in order. */
interface Keys {
  /** Those that a declaration of the user's may speak of. */
  readonly declared: readonly string[];
  readonly known: readonly string[];
}

/** Of the rows that speak of a use, the one that asks for most. */
function strictest(groups: readonly RowGroup[], use: CatalogueUse): RowGroup | null {
  let best: RowGroup | null = null;
  for (const group of groups)
    if (holds(group.row.when, use) && (!best || strictness(group.row.when) > strictness(best.row.when)))
      best = group;
  return best;
}

/** `a.b.c` → `a.b.c`, `a.b.*`, `a.*`. */
function nameAndAbove(name: string): readonly string[] {
  return [name, ...above(name)];
}

/** `a.b.c` → `a.b.*`, `a.*.c`, `a.*`. */
function above(name: string): readonly string[] {
  const parts = name.split(".");
  const last = parts[parts.length - 1] ?? "";
  return parts.slice(1).flatMap((_, index) => {
    const prefix = parts.slice(0, parts.length - 1 - index).join(".");
    return index === 0 ? [`${prefix}.*`] : [`${prefix}.*.${last}`, `${prefix}.*`];
  });
}

/** Ways to name one export: `default.get` is also `get`, the namespace called is its default. */
function namesOfExport(name: string): readonly string[] {
  if (name === "*") return ["default"];
  return [...new Set([name, name.replace(/^(?:default|\*)\./, "")])];
}

/** `lodash/random` gives as default what `lodash` gives by that name; a named export keeps its name. */
function namesInParent(module: string, name: string): readonly string[] {
  if (name === "*" || name === "default") return [module.slice(module.lastIndexOf("/") + 1)];
  return namesOfExport(name);
}

/** Keys to try in turn: per module, nearest first, the exact names before the nearest `*`. */
function keysOfExport(module: string, name: string): readonly string[] {
  const last = name.includes(".") ? [`*.${name.slice(name.lastIndexOf(".") + 1)}`] : [];
  return moduleAndParents(module).flatMap((each) => {
    const names = each === module ? namesOfExport(name) : namesInParent(module, name);
    return [...names, ...names.flatMap(above), ...last, "*"].map((key) => `${each}#${key}`);
  });
}

/** `Hash` → `node:crypto`, since `@types/node` declares the types of all modules. */
function nodeModulesByType(groups: readonly RowGroup[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { names } of groups) {
    const match = /^(node:[^#]+)#([A-Z]\w*)\./.exec(names[0] ?? "");
    if (match?.[1] !== undefined && match[2] !== undefined && !found.has(match[2]))
      found.set(match[2], match[1]);
  }
  return found;
}
