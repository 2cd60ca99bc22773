import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { check, toCheckReport } from "../check.js";
import { NODE_DISK, type Disk } from "../host/disk.js";
import { ProjectMemory } from "../host/project-memory.js";
import type { CheckReport } from "../report/check-report.js";
import { openResultCache } from "./result-cache.js";

/** A project in which a finding hangs on each kind of input. */
const PROJECT: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "type": "module" }',
  "tsconfig.json": `{ "extends": "./base.json", "include": ["src"] }`,
  "base.json": `{ "compilerOptions": { "module": "ESNext", "moduleResolution": "Bundler", "strict": true,
    "paths": { "@lib/*": ["./lib/*"] } } }`,
  "src/order.ts": `
    import { workflow } from "@stepproof/runtime";
    import { pick } from "./pick.js";
    import { stamp } from "@lib/stamp";
    import { label } from "labels";
    import type { Receipt } from "./receipt.js";
    declare function charge(): Promise<Receipt>;
    export const order = workflow({
      run: async (ctx) => {
        pick(["a"]);
        stamp();
        label("a");
        await ctx.step("charge", async () => charge());
      },
    });
  `,
  "src/pick.ts": "export const pick = (names: string[]) => names[0];",
  "src/receipt.ts": "export interface Receipt { total: number }",
  "lib/stamp.ts": "export const stamp = () => 1;",
  "other/stamp.ts": "export const stamp = () => Date.now();",
  "node_modules/labels/package.json":
    '{ "name": "labels", "version": "1.0.0", "type": "module", "main": "index.js" }',
  "node_modules/labels/index.js": "export const label = (name) => name;",
  "node_modules/labels/random.js": "export const label = (name) => name + Math.random();",
};

const BAD_WORKFLOW = `
  import { workflow } from "@stepproof/runtime";
  export const bad = workflow({ run: async () => { Date.now(); } });
`;

/** Ways in which the world changes between two runs; each changes what the check finds. */
const CHANGES: Readonly<Record<string, (folder: string) => void>> = {
  "the workflow's own text": (at) =>
    edit(at, "src/order.ts", (text) => text.replace("stamp()", "Date.now()")),
  "a helper's body": (at) => put(at, "src/pick.ts", "export const pick = () => Math.random();"),
  "a type that a step returns": (at) =>
    put(at, "src/receipt.ts", "export interface Receipt { total: () => number }"),
  "a helper that is gone": (at) => {
    put(at, "src/pick.ts", "export const pick = () => Math.random();");
    unlinkSync(join(at, "lib/stamp.ts"));
  },
  "a file that an import leads to instead": (at) => {
    rmSync(join(at, "src/pick.ts"));
    put(at, "src/pick.js", "export const pick = () => Math.random();");
  },
  "a new file with a workflow": (at) => put(at, "src/deep/new.ts", BAD_WORKFLOW),
  "the tsconfig that is extended": (at) =>
    edit(at, "base.json", (text) => text.replace("./lib/*", "./other/*")),
  "which files the tsconfig names": (at) =>
    edit(at, "tsconfig.json", (text) => text.replace('["src"]', '["src", "wide"]')) ??
    put(at, "wide/a.ts", BAD_WORKFLOW),
  "a package's code": (at) =>
    put(at, "node_modules/labels/index.js", "export const label = () => Math.random();"),
  "a package's entry": (at) =>
    edit(at, "node_modules/labels/package.json", (text) => text.replace("index.js", "random.js")),
  "a package that is taken out": (at) => {
    rmSync(join(at, "node_modules/labels"), { recursive: true });
    put(at, "src/pick.ts", "export const pick = () => Math.random();");
  },
  "where a link leads": (at) => {
    rmSync(join(at, "lib"), { recursive: true });
    symlinkSync(join(at, "other"), join(at, "lib"));
  },
};

function put(folder: string, path: string, text: string): undefined {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
function edit(folder: string, path: string, change: (text: string) => string): undefined {
  put(folder, path, change(NODE_DISK.read(join(folder, path)) ?? ""));
}
describe("the cache of results", () => {
  let folder: string;
  let computed: number;
  /** As `check --watch` does: each look has what the one before left. */
  let memory: ProjectMemory;
  beforeEach(() => {
    memory = new ProjectMemory();
    folder = mkdtempSync(join(tmpdir(), "stepproof-cache-"));
    for (const [path, text] of Object.entries(PROJECT)) put(folder, path, text);
    computed = 0;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (disk: Disk): Promise<CheckReport> => {
    computed += 1;
    return Promise.resolve(toCheckReport(check({ cwd: folder, disk, memory }), folder, 0));
  };
  const cold = (): CheckReport => toCheckReport(check({ cwd: folder }), folder, 0);
  const cached = (question: unknown = "check"): Promise<CheckReport> =>
    openResultCache(join(folder, "node_modules/.cache"), NODE_DISK).remember(question, run);
  const messages = (report: CheckReport): string[] => report.diagnostics.map((one) => one.message);

  it("answers without computing while nothing changes, whatever lies beside the project's files", async () => {
    const first = await cached();
    put(folder, "README.md", "# shop");
    put(folder, "lib/unread.ts", "export const x = Date.now();");
    expect(await cached()).toEqual(first);
    expect(computed).toBe(1);
  });

  it("is not put off by itself, where all files below a folder are looked for", async () => {
    const runAll = (disk: Disk): Promise<number> => {
      check({ cwd: folder, disk, memory, paths: ["."] });
      return Promise.resolve((computed += 1));
    };
    const all = (): Promise<number> =>
      openResultCache(join(folder, "node_modules/.cache"), NODE_DISK).remember("all", runAll);
    expect([await all(), await all()]).toEqual([1, 1]);
  });

  it.each(Object.entries(CHANGES))(
    "sees %s change, and then gives what a cold run gives",
    async (_, change) => {
      const before = await cached();
      change(folder);
      const after = await cached();
      expect(after).toEqual(cold());
      expect(messages(after)).not.toEqual(messages(before));
      expect(await cached()).toEqual(after);
      expect(computed).toBe(2);
    },
  );

  it("goes back to a result that it still holds only if the disk is as it was then", async () => {
    const first = await cached();
    put(folder, "src/pick.ts", "export const pick = () => Math.random();");
    await cached();
    put(folder, "src/pick.ts", PROJECT["src/pick.ts"] ?? "");
    expect(await cached()).toEqual(first);
  });

  it("keeps the answers to different questions apart", async () => {
    await cached({ strict: false });
    await cached({ strict: true });
    expect(computed).toBe(2);
  });

  it.each(["", "{", "[]", "null", '{"format":2,"seen":{},"result":1}', '{"format":1,"result":1}'])(
    "computes anew when its record reads %j",
    async (text) => {
      const first = await cached();
      for (const name of readdirSync(join(folder, "node_modules/.cache")))
        put(folder, `node_modules/.cache/${name}`, text);
      expect(await cached()).toEqual(first);
      expect(computed).toBe(2);
    },
  );

  it("keeps no failure, and works where it can't write", async () => {
    const cache = openResultCache(join(folder, "package.json/no-folder"), NODE_DISK);
    expect(await cache.remember("x", run)).toEqual(cold());
    await expect(cache.remember("y", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });

  it("does not grow without end", async () => {
    for (let at = 0; at < 40; at += 1)
      await openResultCache(join(folder, "node_modules/.cache"), NODE_DISK).remember(at, () =>
        Promise.resolve(at),
      );
    expect(readdirSync(join(folder, "node_modules/.cache")).length).toBeLessThanOrEqual(32);
  });
});
