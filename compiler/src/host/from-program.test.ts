import ts from "typescript";
import { expect, test } from "vitest";
import { fromProgram } from "./from-program.js";

function programOf(files: Readonly<Record<string, string>>): ts.Program {
  const host = ts.createCompilerHost({});
  const { getSourceFile } = host;
  host.fileExists = (path) => path in files;
  host.readFile = (path) => files[path];
  host.getSourceFile = (path, version) => {
    const text = files[path];
    return text === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, text, version);
  };
  return ts.createProgram(Object.keys(files), { noLib: true, types: [] }, host);
}

const FLOW = `import { workflow } from "@rivet-dev/workflows"; export const w = workflow({ run: async () => {} });`;
const LIMIT = 2_000_000;

test("a program of this copy of TypeScript is known for what it is: no text is parsed again", () => {
  const program = programOf({ "/flow.ts": FLOW });
  const host = fromProgram(program, { engineModules: ["@rivet-dev/workflows"] });
  expect(host.source("/flow.ts")?.tree).toBe(program.getSourceFile("/flow.ts"));
  const other = { ...ts, versionMajorMinor: "5.9" } as unknown as typeof ts;
  const another = programOf({ "/flow.ts": FLOW });
  const parsed = fromProgram(another, { engineModules: ["@rivet-dev/workflows"], typescript: other });
  expect(parsed.source("/flow.ts")?.tree).not.toBe(another.getSourceFile("/flow.ts"));
});

test("a huge file is left out, as a root and as an import, and told once", () => {
  const huge = `${FLOW}\n//${"x".repeat(LIMIT)}`;
  const program = programOf({ "/flow.ts": `${FLOW} import "./huge.js";`, "/huge.ts": huge });
  const told: string[] = [];
  const host = fromProgram(program, {
    engineModules: ["@rivet-dev/workflows"],
    onNote: (message) => told.push(message),
  });
  expect(host.roots).toEqual(["/flow.ts"]);
  expect(host.source("/huge.ts")).toBeNull();
  expect(host.source("/huge.ts")).toBeNull();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^\/huge\.ts is left out: it has 2,?000,?\d+ characters, more than 2,?000,?000/);
});
