import { expect, test } from "vitest";
import { openFiles } from "./files.js";
import { createModuleResolver } from "./modules.js";

const FILES = {
  "/app/a/src/flow.ts": "",
  "/app/b/src/flow.ts": "",
  "/app/b/node_modules/ids/package.json": `{ "name": "ids", "version": "1.0.0", "main": "index.js" }`,
  "/app/b/node_modules/ids/index.js": "exports.make = () => 1;",
  "/app/c/src/flow.ts": "",
  "/app/c/node_modules/ids/package.json": `{ "name": "ids", "version": "1.0.0", "main": "other.js" }`,
  "/app/c/node_modules/ids/other.js": "exports.make = () => 2;",
};

test("a package without types is found where it is installed, whoever has looked for it in vain before", () => {
  const answers = (order: readonly string[]): Record<string, string | null> => {
    const resolver = createModuleResolver(
      openFiles("/app", new Map(Object.entries(FILES))),
      {},
      () => null,
      [],
    );
    const found = order.map((one): [string, string | null] => [
      one,
      resolver.implementation("ids", `/app/${one}/src/flow.ts`, "import"),
    ]);
    return Object.fromEntries(found);
  };
  const expected = {
    a: null,
    b: "/app/b/node_modules/ids/index.js",
    c: "/app/c/node_modules/ids/other.js",
  };
  expect(answers(["a", "b", "c"])).toEqual(expected);
  expect(answers(["c", "b", "a"])).toEqual(expected);
  expect(answers(["b", "a", "c"])).toEqual(expected);
});
