import { afterEach, describe, expect, test, vi } from "vitest";
import { setup, withManifest, workflow } from "@stepproof/runtime";
import { MANIFEST_FORMAT_VERSION, type WorkflowManifest } from "@stepproof/runtime/manifest";
import type { AnyRegistry } from "../../runtime/src/types/index.js";
import { silentLog, type HostLog } from "../../runtime/src/host/log.js";
import { startRegistry, type Running, type StartOptions } from "../../runtime/src/server/start.js";
import { MemoryStore } from "../../runtime/src/store/memory.js";

const clockReader = workflow({
  run: async (ctx) => {
    void Date.now();
    await ctx.step("use", () => Date.now());
  },
});
const registry = setup({ use: { clockReader } });

const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const each of started.splice(0)) await each.stop();
});

async function startAny<R extends AnyRegistry>(of: R, options: StartOptions = {}): Promise<Running<R>> {
  const store = new MemoryStore();
  const running = await startRegistry(of, { store, port: 0, log: silentLog, signals: false, ...options });
  started.push(running);
  return running;
}

/** Warnings while one instance runs. */
async function warnings(options: StartOptions): Promise<string[]> {
  const said: string[] = [];
  const log: HostLog = {
    ...silentLog,
    warn: (first: unknown, second?: unknown) => said.push(typeof first === "string" ? first : String(second)),
    child: () => log,
  };
  const { client } = await startAny(registry, { log, ...options });
  await client.clockReader.getOrCreate().resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return said.filter((text) => text.includes("Date"));
}

describe("the guard of workflow code", () => {
  test("watches where NODE_ENV is development, and only the code outside of steps", async () => {
    vi.stubEnv("NODE_ENV", "development");
    expect(await warnings({})).toHaveLength(1);
  });
  test("is off elsewhere, unless asked for, and can be switched off", async () => {
    vi.stubEnv("NODE_ENV", "production");
    expect(await warnings({})).toEqual([]);
    expect(await warnings({ guard: "warn" })).toHaveLength(1);
    vi.stubEnv("NODE_ENV", "development");
    expect(await warnings({ guard: "off" })).toEqual([]);
  });
});

describe("GET /manifest", () => {
  const manifest = (file: string): WorkflowManifest => ({
    name: "job",
    file,
    engine: "stepproof",
    hash: file,
    body: [],
    functions: {},
    stateType: null,
    queues: {},
  });
  const job = workflow({ run: async () => {} });

  test("gives what the definitions carry, before what the start was given", async () => {
    const carrying = setup({
      use: { job: withManifest(workflow({ run: async () => {} }), manifest("carried.ts")) },
    });
    const given = {
      formatVersion: MANIFEST_FORMAT_VERSION,
      tool: "x",
      workflows: { job: manifest("given.ts") },
    };
    for (const [of, options, file] of [
      [carrying, {}, "carried.ts"],
      [carrying, { manifest: given }, "carried.ts"],
      [setup({ use: { job } }), { manifest: given }, "given.ts"],
    ] as const) {
      const { url } = await startAny(of, options);
      expect(await (await fetch(`${url}/manifest`)).json()).toMatchObject({
        formatVersion: MANIFEST_FORMAT_VERSION,
        workflows: { job: { file } },
      });
    }
  });
  test("is missing where nothing is known", async () => {
    const { url } = await startAny(setup({ use: { job } }));
    expect((await fetch(`${url}/manifest`)).status).toBe(404);
  });
});
