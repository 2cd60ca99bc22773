import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@stepproof/runtime/client";
import { expect, it } from "vitest";
import { BIN, project, stepproof } from "./command.js";
import { listen } from "./listen.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The enum makes it TypeScript that Node can't run by leaving types out. */
const ORDERS = `import { queue, workflow } from "@stepproof/runtime";
enum Goods { Book = "book" }
export const order = workflow({
  queues: { pay: queue<{ id: string }>() },
  run: async (ctx) => {
    await ctx.step("reserve", async () => Goods.Book);
    const paid = await ctx.queue.next("paid", { names: ["pay"] });
    await ctx.step("ship", async () => paid.body.id);
  },
});
`;
const REGISTRY = `import { setup } from "@stepproof/runtime";
import { order } from "./orders.js";
export const registry = setup({ use: { order } });
`;

/** A project in which both packages are installed. */
function shop(registry: string): string {
  const folder = project({
    "package.json": '{ "name": "shop", "type": "module" }',
    "src/orders.ts": ORDERS,
    "src/registry.ts": registry,
  });
  for (const [name, path] of Object.entries({ stepproof: "compiler", "@stepproof/runtime": "runtime" })) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, path), link);
  }
  return folder;
}

function dev(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [BIN, "dev", ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const exited = new Promise<number | null>((done) => child.on("exit", done));
  const [out, notes] = [listen(child.stdout), listen(child.stderr)];
  const serving = async (): Promise<string> => {
    const text = await notes("watching for changes");
    return /http:[/0-9.:]+[0-9]/.exec(text)?.[0] ?? text;
  };
  return { child, exited, out, notes, serving };
}

it("dev serves a registry from its sources; after an edit it tells whom the new code would not accept", async () => {
  const folder = shop(REGISTRY);
  const orders = join(folder, "src/orders.ts");
  const { child, exited, out, serving } = dev(folder, "--port", "0");
  const { order } = createClient(await serving());
  await order?.getOrCreate("7").send("pay", { id: "x" });
  await order?.getOrCreate("8").resolve();

  // Order 8 waits with "reserve" recorded.
  writeFileSync(orders, ORDERS.replace('"reserve"', '"hold"'));
  await out("1 of 2 instances would not go on.");
  const renamed = await serving();
  expect(await (await fetch(`${renamed}/manifest`)).text()).toMatch(/"hold".*"ship"/s);
  const parked = await fetch(`${renamed}/inspector/summary?actor=order&key=8`);
  expect(await parked.json()).toMatchObject({ workflowStatus: "parked" });

  writeFileSync(
    orders,
    ORDERS.replace('"reserve", async () => Goods.Book', "String(Math.random()), async () => 1"),
  );
  await out("2 errors.");
  expect(await serving()).toMatch(/not started, because of the findings above; the code of before goes on/);
  expect((await fetch(`${renamed}/health`)).status).toBe(200);

  writeFileSync(orders, ORDERS);
  const last = await serving();
  const again = await fetch(`${last}/inspector/summary?actor=order&key=8`);
  expect(await again.json()).toMatchObject({ workflowStatus: "sleeping" });
  child.kill("SIGINT");
  expect(await exited).toBe(0);
  await expect(fetch(`${last}/health`)).rejects.toThrow();
});

it("dev takes a module that starts its registry itself, and says what is wrong with one that has none", async () => {
  const folder = shop(`${REGISTRY}await registry.start({ port: 0, file: "own.sqlite" });\n`);
  const { child, exited, serving } = dev(folder);
  expect(await serving()).toMatch(/^http:/);
  writeFileSync(join(folder, "src/registry.ts"), "export const nothing = 1;");
  expect(await serving()).toMatch(/src\/registry\.ts exports no registry \(its exports: nothing\)/);
  writeFileSync(join(folder, "src/registry.ts"), 'throw new Error("at load");');
  expect(await serving()).toMatch(/ended before it served \(code 1\)/);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
  expect(readFileSync(join(folder, "own.sqlite")).length).toBeGreaterThan(0);
});

it("a package of CommonJS, as npm init makes it, is told to be one of ES modules", async () => {
  const folder = shop(REGISTRY);
  writeFileSync(join(folder, "package.json"), '{ "name": "shop", "type": "commonjs" }');
  const { child, exited, notes, serving } = dev(folder, "--port", "0");
  await notes("npm pkg set type=module");
  expect(await serving()).toMatch(/ended before it served/);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});

it("dev without a module to run says what to name", () => {
  const folder = project({ "package.json": "{}", lib: "" });
  expect(stepproof(folder, "dev")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/stepproof dev src\//),
  });
  expect(stepproof(folder, "dev", "gone.ts")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/There is no gone\.ts/),
  });
});

it("a dev that is asked to end while it starts the registry ends, and leaves no process behind", async () => {
  const folder = shop(`console.log(process.pid, "loads");\n${REGISTRY}`);
  const { child, exited, out } = dev(folder, "--port", "0");
  const pid = Number.parseInt(await out(" loads"), 10);
  child.kill("SIGINT");
  expect(await exited).toBe(0);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it("dev says in one line that its database or port is in use, and waits for a change", async () => {
  const folder = shop(REGISTRY);
  const first = dev(folder, "--port", "0");
  const url = await first.serving();
  const { port } = new URL(url);

  const locked = dev(folder, "--port", "0");
  expect(await locked.notes("watching for changes")).toMatch(
    /could not be started: The database ".*data\.sqlite" is in use by another process/,
  );
  const taken = dev(folder, "--port", port, "--db", "other.sqlite");
  const notes = await taken.notes("watching for changes");
  expect(notes).toContain(`could not be started: Port ${port} of 127.0.0.1 is taken.`);
  expect(notes).not.toMatch(/^\s+at /m);

  for (const { child, exited } of [first, locked, taken]) {
    child.kill("SIGINT");
    await exited;
  }
});
