import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@stepproof/runtime/client";
import { expect, test } from "vitest";
import { killWhileSending } from "./kill.js";
import { freePort, ServedProcess } from "./process.js";
import type { registry } from "./registry.js";

/* The same at full size: `npx tsx test/load/run.ts`. */
test("no acknowledged message is lost or repeated while the process is killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stepproof-kill-"));
  const served = new ServedProcess(join(folder, "data.sqlite"), await freePort());
  await served.start();
  try {
    const client = createClient<typeof registry>(served.url);
    const result = await killWhileSending(served, client, {
      instances: 200,
      parallel: 16,
      kills: 2,
      serveFor: 200,
      atLeast: 100,
    });
    expect(result).toMatchObject({ lost: [], repeated: [], invented: [] });
    expect(result.acknowledged).toBeGreaterThanOrEqual(300);
  } finally {
    await served.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
