import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createFactsSource } from "../1-collect/facts-source.js";
import { factsOfSources } from "../1-collect/facts-of-source.js";
import { openProject } from "../host/open-project.js";
import type { FactsSource } from "../types.js";
import { Mutations } from "./mutations.js";
import { Program } from "./program.js";

const here = fileURLToPath(new URL("..", import.meta.url))
  .replaceAll("\\", "/")
  .replace(/\/$/, "");

/** The same facts, of which every function says that it may change anything. */
function glancingAtNothing(source: FactsSource): FactsSource {
  const glance = { assigns: true, methods: new Set<string>(), typedCalls: true, classes: true };
  for (const path of source.roots)
    for (const fn of source.file(path)!.functions) Object.defineProperty(fn, "glance", { value: glance });
  return source;
}

/** Every variable and its first change, whatever function it is in. */
function changes(source: FactsSource): readonly string[] {
  const program = new Program(source);
  const mutations = new Mutations(program);
  for (const path of source.roots) program.file(path);
  return source.roots.flatMap((path) =>
    source.file(path)!.bindings.map(({ id, name }) => {
      const { how, place } = mutations.of(id) ?? {};
      return `${name} ${how ?? "stays"} ${String(place?.file)} ${String(place?.span)}`;
    }),
  );
}

test("the first change of every variable of real code is found without reading functions that a glance rules out", () => {
  const open = (): FactsSource =>
    createFactsSource(openProject({ cwd: here, paths: ["2-solve", "1-collect"], engineModules: [""] }));
  const found = changes(open());
  expect(found.filter((text) => !text.includes(" stays ")).length).toBeGreaterThan(100);
  expect(found).toEqual(changes(glancingAtNothing(open())));
});

test("a variable of a function that changes nothing outside of itself is found when it is asked for", () => {
  const source = factsOfSources({ "/main.ts": "export function f() { let n = 0; n = 1; return () => n; }" });
  const program = new Program(source);
  const mutations = new Mutations(program);
  program.file("/main.ts");
  const n = source.file("/main.ts")!.bindings.find(({ name }) => name === "n")!;
  expect(mutations.of(n.id)?.how).toBe("assign");
});
