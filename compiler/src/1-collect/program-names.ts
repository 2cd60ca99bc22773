import type { Host } from "../host/host.js";
import type { Ref } from "../types.js";
import { readModuleTable, type Exported, type ModuleTable } from "./module-table.js";
import type { ImportedName, Named, NamedType, Scope } from "./scope.js";

/** A type that names lead to: declared in the program, or exported by a package. */
export type FoundType =
  | Exclude<NamedType, { as: "import" }>
  | { readonly as: "external"; readonly module: string; readonly name: string };

/** Names across the files of a program: imports are followed through re-exports and barrels to what declares them. */
export class ProgramNames {
  readonly #tables = new Map<string, ModuleTable | null>();
  constructor(readonly host: Host) {}

  /** The table of a source file; `null` when there is no such file. */
  table(path: string): ModuleTable | null {
    let table = this.#tables.get(path);
    if (table === undefined) {
      const unit = this.host.source(path);
      table = unit === null ? null : readModuleTable(unit);
      this.#tables.set(path, table);
    }
    return table;
  }

  /** What an import stands for. A name that its module doesn't export is `external` under the specifier. */
  imported(from: ImportedName, inFile: string): Ref {
    return this.#imported(from, inFile, new Set());
  }

  /** What `path` exports as `name`; `null` when it doesn't. */
  exported(path: string, name: string): Ref | null {
    return this.#exported(path, name, new Set());
  }

  /** What a file is to who imports it as a whole: `module.exports`, `export =`, or its namespace. */
  whole(path: string): Ref {
    return this.#whole(path, new Set());
  }

  /** What a module-level or local name that is not a member of an enum stands for. */
  named(named: Exclude<Named, { as: "member" }>, inFile: string): Ref {
    return named.as === "binding" ? { to: "binding", id: named.id } : this.imported(named.from, inFile);
  }

  /** All exports of a file, `export *` included; those of packages behind `export *` can't be listed. */
  allExports(path: string, seen = new Set<string>()): Record<string, Ref> {
    const table = this.table(path);
    const found: Record<string, Ref> = {};
    if (table === null || seen.has(path)) return found;
    seen.add(path);
    for (const star of table.stars) {
      const target = this.host.modules.resolve(star.specifier, path, star.how);
      if (target.kind !== "file") continue;
      for (const [name, ref] of Object.entries(this.allExports(target.path, seen))) {
        if (name !== "default" && !(name in found)) found[name] = ref;
      }
    }
    for (const [name, exported] of table.exports) {
      const ref = this.#ofExport(exported, path, new Set());
      if (ref !== null) found[name] = ref;
    }
    if (!("default" in found) && table.whole !== null) {
      const ref = this.#ofExport(table.whole, path, new Set());
      if (ref !== null) found["default"] = ref;
    }
    return found;
  }

  /** The declaration of a type name as seen from a scope; `null` when nothing declares it here or it is global. */
  type(name: string, scope: Scope, inFile: string): FoundType | null {
    const named = scope.type(name);
    if (named === null) return null;
    return named.as === "import" ? this.importedType(named.from, inFile) : named;
  }

  /** The declaration of an imported type. */
  importedType(from: ImportedName, inFile: string, seen = new Set<string>()): FoundType | null {
    const target = this.host.modules.resolve(from.specifier, inFile, from.how);
    if (target.kind === "external") return { as: "external", module: target.module, name: from.name };
    return this.exportedType(target.path, from.name, seen);
  }

  /** The type that a file exports under a name. */
  exportedType(path: string, name: string, seen = new Set<string>()): FoundType | null {
    const key = `${path}#${name}`;
    const table = this.table(path);
    if (table === null || seen.has(key)) return null;
    seen.add(key);
    const exported = table.exports.get(name) ?? (name === "default" || name === "*" ? table.whole : null);
    if (exported?.as === "import") return this.importedType(exported.from, path, seen);
    if (exported?.as === "local") {
      const named = table.scope.types.get(exported.name);
      if (named === undefined) return null;
      return named.as === "import" ? this.importedType(named.from, path, seen) : named;
    }
    for (const star of table.stars) {
      const found = this.importedType({ ...star, name }, path, seen);
      if (found !== null) return found;
    }
    const own = table.scope.types.get(name);
    if (own === undefined) return null;
    return own.as === "import" ? this.importedType(own.from, path, seen) : own;
  }

  #imported(from: ImportedName, inFile: string, seen: Set<string>): Ref {
    const target = this.host.modules.resolve(from.specifier, inFile, from.how);
    if (target.kind === "external") return { to: "external", module: target.module, name: from.name };
    if (from.name === "*") return this.#whole(target.path, seen);
    return (
      this.#exported(target.path, from.name, seen) ?? {
        to: "external",
        module: from.specifier,
        name: from.name,
      }
    );
  }

  /** What `import * as x` or `require` of a file gives. */
  #whole(path: string, seen: Set<string>): Ref {
    const table = this.table(path);
    const whole = table?.whole ?? null;
    return (whole === null ? null : this.#ofExport(whole, path, seen)) ?? { to: "namespace", file: path };
  }

  #exported(path: string, name: string, seen: Set<string>): Ref | null {
    const key = `${path}#${name}`;
    const table = this.table(path);
    if (table === null || seen.has(key)) return null;
    seen.add(key);
    const exported = table.exports.get(name);
    if (exported !== undefined) return this.#ofExport(exported, path, seen);
    if (name === "default") return table.whole === null && !table.commonJs ? null : this.#whole(path, seen);
    let fallback: Ref | null = null;
    for (const star of table.stars) {
      const target = this.host.modules.resolve(star.specifier, path, star.how);
      if (target.kind === "external") fallback ??= { to: "external", module: target.module, name };
      else {
        const found = this.#exported(target.path, name, seen);
        if (found !== null && found.to !== "external") return found;
        fallback ??= found;
      }
    }
    return fallback;
  }

  #ofExport(exported: Exported, path: string, seen: Set<string>): Ref | null {
    if (exported.as === "value") return { to: "binding", id: exported.id };
    if (exported.as === "import") return this.#imported(exported.from, path, seen);
    const named = this.table(path)?.scope.values.get(exported.name);
    if (named === undefined || named.as === "member") return null;
    return named.as === "binding" ? { to: "binding", id: named.id } : this.#imported(named.from, path, seen);
  }
}
