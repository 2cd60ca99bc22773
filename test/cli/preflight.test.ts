import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setup, workflow } from "@stepproof/runtime";
import { afterEach, expect, it, vi } from "vitest";
import { openSqliteStore } from "../../runtime/src/store/index.js";
import { Host } from "../../runtime/src/host/host.js";
import { silentLog } from "../../runtime/src/host/log.js";
import { project, stepproof } from "./command.js";

const SOURCE = (first: string): string => `import { setup, workflow } from "@stepproof/runtime";
export const order = workflow({
  run: async (ctx) => {
    await ctx.step("${first}", async () => 1);
    await ctx.queue.next("go");
    await ctx.step("ship", async () => 2);
  },
});
export const registry = setup({ use: { order } });
`;

const order = workflow({
  run: async (ctx) => {
    await ctx.step("charge", () => 1);
    await ctx.queue.next("go");
    await ctx.step("ship", () => 2);
  },
});
const quick = workflow({ run: async (ctx) => void (await ctx.step("only", () => 1)) });

let hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
  hosts = [];
});

/** A database in which three orders wait and one other workflow has ended; its host is still running. */
async function running(file: string): Promise<Host> {
  const registry = setup({ use: { order, quick } });
  const host = new Host({
    definitions: registry.definitions,
    store: openSqliteStore({ path: file }),
    log: silentLog,
  });
  hosts = [host];
  await host.start();
  const client = host.clientFor([]) as {
    [name: string]: { getOrCreate(key: string[]): { resolve(): Promise<unknown> } };
  };
  for (const key of [
    ["eu", "1"],
    ["eu", "2"],
    ["us", "3"],
  ])
    await client["order"]?.getOrCreate(key).resolve();
  await client["quick"]?.getOrCreate(["a"]).resolve();
  const settled = (): boolean =>
    ["order/eu/1", "order/eu/2", "order/us/3"].every(
      (name) => host.pool.warm(name)?.run?.status === "sleeping",
    ) && host.pool.warm("quick/a")?.run?.status === "completed";
  while (!settled()) await new Promise((resolve) => setTimeout(resolve, 5));
  return host;
}

it("preflight says which instances of a database in use would not go on, and why", async () => {
  const folder = project({ "order.ts": SOURCE("charge") });
  const host = await running(join(folder, "data.sqlite"));

  expect(stepproof(folder, "preflight", "--db", "data.sqlite")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /Every instance that is running goes on[\s\S]*4 instances in data\.sqlite: 3 go on, 1 have ended/,
    ) as string,
  });

  writeFileSync(join(folder, "order.ts"), SOURCE("charge-card"));
  expect(stepproof(folder, "manifest").code).toBe(0);
  const text = stepproof(folder, "preflight", "--db", "data.sqlite", "--manifest", "stepproof.manifest.json");
  expect(text.code).toBe(1);
  expect(text.stdout).toContain("order  its history is refused  3 instances");
  expect(text.stdout).toContain('step "charge-card" is new, but step "charge"');
  expect(text.stdout).toContain("\n      order/eu/1\n");
  expect(text.stderr).toBe("");

  const json = stepproof(folder, "preflight", "--db", "data.sqlite", "--format", "json");
  const report = JSON.parse(json.stdout) as Record<string, unknown>;
  expect(report).toMatchObject({
    version: 1,
    database: "data.sqlite",
    manifest: "the working tree",
    instances: 4,
    ended: 1,
    accepted: 0,
    unproven: 0,
  });
  expect(report["refused"]).toHaveLength(3);
  expect((report["refused"] as unknown[])[2]).toMatchObject({
    workflow: "order",
    key: ["us", "3"],
    why: "history",
    path: ["charge-card"],
  });

  // Nothing was changed or locked: the host goes on.
  await (
    host.clientFor([]) as {
      order: { getOrCreate(key: string[]): { send(queue: string, body: unknown): Promise<void> } };
    }
  ).order
    .getOrCreate(["us", "3"])
    .send("go", 1);
  while (host.pool.warm("order/us/3")?.run?.status !== "completed")
    await new Promise((resolve) => setTimeout(resolve, 5));
});

it("preflight reads a closed database, and tells of workflows that are gone", async () => {
  const folder = project({ "order.ts": SOURCE("charge").replace("{ order }", "{ orders: order }") });
  const host = await running(join(folder, "data.sqlite"));
  await host.stop();
  hosts = [];
  rmSync(join(folder, "data.sqlite-lock"), { force: true });
  const text = stepproof(folder, "preflight", "--db", "data.sqlite");
  expect(text.code).toBe(1);
  expect(text.stdout).toContain('there is no workflow "order" in the manifest');
});

it.each([
  ["a missing database", {}, /There is no database data\.sqlite/],
  [
    "a file that is no database",
    { "data.sqlite": "hello, this is no database at all, sorry" },
    /can't be read/,
  ],
  ["an empty file", { "data.sqlite": "" }, /is an empty database/],
])("preflight says in one message what is wrong with %s", (_name, files, message) => {
  const outcome = stepproof(
    project({ ...files, "order.ts": SOURCE("charge") }),
    "preflight",
    "--db",
    "data.sqlite",
  );
  expect(outcome).toMatchObject({ code: 2, stdout: "" });
  expect(outcome.stderr).toMatch(message);
});

it("preflight says what to install where no SQLite can be loaded", () => {
  const folder = project({
    "order.ts": SOURCE("charge"),
    "data.sqlite": "not opened",
    "no-sqlite.cjs": `const Module = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === "better-sqlite3" || name === "node:sqlite") throw new Error(name + " is not here");
  return load(name, ...rest);
};
`,
  });
  vi.stubEnv("NODE_OPTIONS", `--require ${JSON.stringify(join(folder, "no-sqlite.cjs"))}`);
  try {
    const outcome = stepproof(folder, "preflight", "--db", "data.sqlite");
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toMatch(
      /^stepproof: No SQLite was found: .*Node 22\.13 on.* Run `npm install better-sqlite3@12`\.\n$/,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});
