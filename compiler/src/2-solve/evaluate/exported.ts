import type { Catalogue } from "../../catalogue/index.js";
import type { CatalogueUse } from "../../types.js";
import type { Run } from "./run.js";
import { resolve } from "./names.js";
import { isPackageFile } from "../program.js";
import { UNKNOWN, valueOf, type Value } from "../values/value.js";

/**
 * What a package exports under a name (dotted when deeper). What the engine or the catalogue knows stays
 * a name; of other packages the code is read.
 */
export function exported(run: Run, module: string, name: string, from: string): Value {
  const { options } = run.solver;
  const path = `${module}#${name}`;
  const known = valueOf({ a: "known", key: `k:${path}`, path, from });
  if (
    options.engineOfModule(module) ||
    options.factories?.[path] ||
    options.catalogue.covers(module) ||
    speaksOf(options.catalogue, module, name)
  )
    return known;
  if (module.startsWith("node:")) return known;
  return fromPackage(run, module, name, from) ?? known;
}

const USES: readonly CatalogueUse[] = [
  { form: "call", args: [] },
  { form: "call", args: [{ is: "other" }, { is: "other" }] },
  { form: "call", args: null },
  { form: "new", args: [] },
  { form: "new", args: [{ is: "other" }] },
  { form: "tag", args: [] },
  { form: "read" },
];
/** True when a row speaks of the export itself, whatever the use. */
const speaksOf = (catalogue: Catalogue, module: string, name: string): boolean =>
  USES.some((use) => catalogue.lookupExternal(module, name, use) !== null);

/** The value from the package's own code, `null` when it is not there. */
export function fromPackage(run: Run, module: string, name: string, from: string): Value | null {
  const { program } = run.solver;
  const entry = program.packageFile(module, from);
  const file = entry && program.file(entry.file);
  if (!file) return null;
  if (name === "*") return valueOf({ a: "namespace", key: `n:${file.path}`, file: file.path });
  return exportOf(run, file.path, name);
}

/** An export of a file of the program or of a package. */
export function exportOf(run: Run, path: string, name: string): Value | null {
  const { program } = run.solver;
  const file = program.file(path);
  const ref = file?.exports[name];
  if (!file || !ref) return null;
  if (ref.to === "binding") {
    const found = run.solver.variable(run.act, ref.id);
    return found ? run.read(found.cell) : UNKNOWN;
  }
  if (ref.to === "external") return exported(run, ref.module, ref.name, path);
  return resolve(run, ref);
}

/** Everything that a file exports, by name. */
export function exportsOf(run: Run, path: string): readonly (readonly [name: string, value: Value])[] {
  const names = Object.keys(run.solver.program.file(path)?.exports ?? {});
  return names.flatMap((name) => {
    const value = exportOf(run, path, name);
    return value ? [[name, value] as const] : [];
  });
}

/** True for things of the engine itself and for definitions, which are never state. */
export function isEngine(run: Run, value: Value | null): boolean {
  return (
    value?.atoms.some(
      (atom) =>
        (atom.a === "known" && run.solver.options.engineOfModule(atom.path.split("#")[0] ?? "") !== null) ||
        (atom.a === "instance" && atom.of.startsWith("definition:")),
    ) ?? false
  );
}

export { isPackageFile };
