import { transformSync } from "esbuild";
import * as runtime from "../../runtime/src/index.js";
import type { AnyRegistry } from "../../runtime/src/types/index.js";
import { FLAKY_FAILURES } from "./program/constructs/step.js";
import { ENGINE, type Files } from "./program/source.js";

/** The world of a source, where `world.ts` of the files would call a service. */
const WORLD = {
  work: (_key: string, value: number) => Promise.resolve(value),
  notYet: (_key: string, attempt: number) =>
    attempt <= FLAKY_FAILURES ? Promise.reject(new Error("not yet")) : Promise.resolve(),
  refuse: () => Promise.reject(new runtime.CriticalError("refused")),
  breakDown: () => Promise.reject(new Error("broken down")),
  undo: () => Promise.resolve(),
};

/** Compiles the files of a program in memory and gives its `registry`, whose modules every process loads anew. */
export function registryOfSource(files: Files): AnyRegistry {
  const compiled = new Map<string, string>();
  const first = load(files, compiled);
  return Object.create(first, {
    definitions: { get: () => load(files, compiled).definitions },
  }) as AnyRegistry;
}

/** Runs the modules of a program. `compiled` keeps their code by name. */
function load(files: Files, compiled: Map<string, string>): AnyRegistry {
  const loaded = new Map<string, Record<string, unknown>>([
    [ENGINE, runtime as unknown as Record<string, unknown>],
    ["./world.js", WORLD],
  ]);
  const require = (name: string): Record<string, unknown> => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const file = name.startsWith("./")
      ? name.slice(2).replace(/\.js$/, ".ts")
      : `node_modules/${name}/index.js`;
    const text = files.get(file);
    if (text === undefined) throw new Error(`The program imports ${name}, which is not there.`);
    const code =
      compiled.get(file) ?? transformSync(text, { loader: "ts", format: "cjs", target: "node20" }).code;
    compiled.set(file, code);
    const module: { exports: Record<string, unknown> } = { exports: {} };
    loaded.set(name, module.exports);
    // The text is the fuzz test's own.
    new Function("require", "module", "exports", code)(require, module, module.exports);
    loaded.set(name, module.exports);
    return module.exports;
  };
  return require("./main.js")["registry"] as AnyRegistry;
}
