import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_CONFIG, check, manifestOf, toCheckReport, type CheckResult } from "stepproof";
import { ProjectMemory } from "../../compiler/src/host/project-memory.js";
import { writeManifest } from "../../runtime/src/manifest/index.js";
import { layOutFixtures } from "./lay-out-fixtures.js";

const SEVEN = fileURLToPath(new URL("../../fixtures/typescript-7/node_modules/typescript", import.meta.url));

interface Looked {
  readonly result: CheckResult;
  readonly told: readonly string[];
}

function look(folder: string, native: boolean, project = "."): Looked {
  const told: string[] = [];
  const result = check({
    cwd: folder,
    tsconfig: join(folder, project, "tsconfig.json"),
    strict: true,
    config: { ...NO_CONFIG, native },
    onNote: (message) => told.push(message),
  });
  return { result, told };
}

/** All that a reader of a check and of a manifest can see. */
function written(result: CheckResult, folder: string): string[] {
  const { diagnostics, workflows, summary } = toCheckReport(result, folder, 0);
  const fixes = result.reported.map(({ finding }) => JSON.stringify(finding).replaceAll(folder, "."));
  const manifest = writeManifest(manifestOf(result.analysis, { root: folder, tool: "test" }));
  return [...diagnostics, ...workflows, summary]
    .map((one) => JSON.stringify(one))
    .concat(fixes, manifest.split("\n"));
}

describe("the checker of TypeScript 7", () => {
  test("gives the same findings, fixes and manifests, to the byte, for every fixture", () => {
    const { folder } = layOutFixtures("typescript-7");
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(SEVEN, join(folder, "node_modules/typescript"), "dir");
    const ours = look(folder, false);
    const theirs = look(folder, true);
    expect(theirs.told).toEqual([]);
    expect(theirs.result.reported.length).toBeGreaterThan(200);
    expect(written(theirs.result, folder)).toEqual(written(ours.result, folder));
  });
});

/** Stands for the package: the real one, with a count of the processes that run. */
const COUNTED = {
  "package.json": `{"name":"typescript","version":"7.0.2","exports":{"./package.json":"./package.json","./unstable/*":"./*.cjs"}}`,
  "sync.cjs": `const real = require(${JSON.stringify(`${SEVEN}/dist/api/sync/api.js`)});
    globalThis.running = 0;
    exports.API = class extends real.API {
      constructor(options) { super(options); globalThis.running += 1; }
      close() { globalThis.running -= 1; super.close(); }
    };
    for (const name of ["TypeFlags", "ObjectFlags", "SymbolFlags", "SignatureKind"]) exports[name] = real[name];`,
  "ast.cjs": `module.exports = require(${JSON.stringify(`${SEVEN}/dist/ast/index.js`)});`,
};

const PROGRAM = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, module: "esnext", target: "esnext", types: [] },
    include: ["src"],
  }),
  "src/flow.ts": `import { workflow } from "@rivet-dev/workflows";
class Money { constructor(readonly cents: number) {} }
export const pay = workflow({ run: async (ctx) => { await ctx.step("pay", async () => new Money(1)); } });`,
};

/** Stand-ins for `typescript`: what is in its folder, by path. */
const STAND_INS: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly says: RegExp }>
> = {
  "is not installed": { files: {}, says: /no TypeScript is installed for/ },
  "is 6": {
    files: { "package.json": `{"name":"typescript","version":"6.0.3"}` },
    says: /the project's TypeScript is 6\.0\.3/,
  },
  "is of a version that is not listed": {
    files: { "package.json": `{"name":"typescript","version":"7.1.0"}` },
    says: /the API of 7\.1\.0 is not known .*known: 7\.0\.2/,
  },
  "has no API": {
    files: {
      "package.json": `{"name":"typescript","version":"7.0.2","exports":{"./package.json":"./package.json"}}`,
    },
    says: /unstable\/sync/,
  },
  "has another API": {
    files: {
      "package.json": `{"name":"typescript","version":"7.0.2","exports":{"./package.json":"./package.json","./unstable/*":"./*.js"}}`,
      "sync.js": "exports.API = class { updateSnapshot() { return {}; } close() {} };",
      "ast.js": "exports.SyntaxKind = {};",
    },
    says: /getProject is not a function/,
  },
  "ends while it is asked": {
    files: {
      "package.json": `{"name":"typescript","version":"7.0.2","exports":{"./package.json":"./package.json","./unstable/*":"./*.cjs"}}`,
      "sync.cjs": `const real = require(${JSON.stringify(`${SEVEN}/dist/api/sync/api.js`)});
        exports.API = class extends real.API {
          updateSnapshot(change) {
            const snapshot = super.updateSnapshot(change);
            const project = snapshot.getProject(change.openProjects[0]);
            const { checker } = project;
            const ask = checker.getSignatureFromDeclaration.bind(checker);
            checker.getSignatureFromDeclaration = (node) => {
              process.kill(this.client.channel.child.pid, "SIGKILL");
              return ask(node);
            };
            return snapshot;
          }
        };
        for (const name of ["TypeFlags", "ObjectFlags", "SymbolFlags", "SignatureKind"]) exports[name] = real[name];`,
      "ast.cjs": `module.exports = require(${JSON.stringify(`${SEVEN}/dist/ast/index.js`)});`,
    },
    says: /can't be used/,
  },
};

describe("where TypeScript 7 can't be asked, TypeScript 6 answers and it is said once", () => {
  const area = mkdtempSync(join(tmpdir(), "stepproof-seven-"));
  let expected: string[] = [];
  const project = (name: string, files: Readonly<Record<string, string>>): string => {
    const folder = join(area, name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  };
  beforeAll(() => {
    const folder = project("plain", PROGRAM);
    expected = written(look(folder, false).result, folder);
    expect(expected.join("\n")).toContain("Money");
  });
  afterAll(() => {
    rmSync(area, { recursive: true, force: true });
  });

  test("but the one beside the tsconfig is asked, wherever the command runs", () => {
    const inside = Object.entries(PROGRAM).map(([path, text]) => [`packages/app/${path}`, text] as const);
    const folder = project("monorepo", Object.fromEntries(inside));
    mkdirSync(join(folder, "packages/app/node_modules"));
    symlinkSync(SEVEN, join(folder, "packages/app/node_modules/typescript"), "dir");
    const { result, told } = look(folder, true, "packages/app");
    expect(told).toEqual([]);
    expect(result.reported).toHaveLength(1);
  });

  test("a look that follows another in this process ends the process of the one before", () => {
    const counted = Object.entries(COUNTED).map(([path, text]) => [`node_modules/typescript/${path}`, text]);
    const folder = project("counted", { ...PROGRAM, ...(Object.fromEntries(counted) as object) });
    const memory = new ProjectMemory();
    const again = (): number => {
      check({ cwd: folder, config: { ...NO_CONFIG, native: true }, memory });
      return (globalThis as { running?: number }).running ?? 0;
    };
    expect([again(), again(), again()]).toEqual([1, 1, 1]);
  });

  test.each(Object.entries(STAND_INS))("it %s", (name, { files, says }) => {
    const inPackage = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`node_modules/typescript/${path}`, text]),
    );
    const folder = project(name.replaceAll(" ", "-"), { ...PROGRAM, ...inPackage });
    const { result, told } = look(folder, true);
    expect(written(result, folder)).toEqual(expected);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(says);
    expect(told[0]).toContain("TypeScript 6.0.3");
    expect(result.notes).toEqual(told);
  });
});
