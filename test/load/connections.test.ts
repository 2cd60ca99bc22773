import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@stepproof/runtime/client";
import { expect, test } from "vitest";
import { fillWithConnections } from "./connections.js";
import { freePort, ServedProcess } from "./process.js";
import type { registry } from "./registry.js";

/* The same with 10,000: `npx tsx test/load/run.ts`. */
test("a server that is full of connections refuses more, still answers, and is free again afterwards", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stepproof-connections-"));
  const served = new ServedProcess(join(folder, "data.sqlite"), await freePort(), 200);
  await served.start();
  try {
    const result = await fillWithConnections(served, createClient<typeof registry>(served.url), 200);
    expect(result).toMatchObject({
      opened: 200,
      beyondTheLimit: 0,
      reached: 100,
      healthy: true,
      afterwards: 1,
    });
  } finally {
    await served.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
