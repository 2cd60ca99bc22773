import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@stepproof/runtime/client";
import { fillWithConnections } from "./connections.js";
import { killWhileSending } from "./kill.js";
import { freePort, ServedProcess } from "./process.js";
import type { registry } from "./registry.js";

/*
 * Load at full size, printed as JSON: 10,000 instances that take messages for a minute while the process
 * is killed and restarted; then 10,000 connections; then 100,000 sleeping instances, their memory and how late
 * they wake.
 *
 *   npx tsx test/load/run.ts [instances] [sleepers] [ms of messages] [connections]
 */

const instances = Number(process.argv[2] ?? 10_000);
const sleepers = Number(process.argv[3] ?? 100_000);
const duration = Number(process.argv[4] ?? 60_000);
const connections = Number(process.argv[5] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), "stepproof-load-"));
const served = new ServedProcess(join(folder, "data.sqlite"), await freePort(), connections);
await served.start();
process.on("exit", () => {
  served.killNow();
});
const client = createClient<typeof registry>(served.url);

const { lost, repeated, invented, ...counts } = await killWhileSending(served, client, {
  instances,
  parallel: 64,
  kills: 5,
  serveFor: duration / 6,
  atLeast: 1,
});
console.log(
  JSON.stringify({
    kill: { ...counts, lost: lost.length, repeated: repeated.length, invented: invented.length },
  }),
);

console.log(JSON.stringify({ connections: await fillWithConnections(served, client, connections) }));
await served.kill();
await served.start();

const before = await served.memory();
const until = Date.now() + 3_600_000;
for (let at = 0; at < sleepers; at += 100) {
  await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      client.sleeper.getOrCreate(`s${String(at + i)}`, { createWithInput: { until } }).resolve(),
    ),
  );
  if (at % 20_000 === 0)
    console.log(JSON.stringify({ created: at, megabytes: Math.round((await served.memory()) / 1e6) }));
}
await new Promise((resolve) => setTimeout(resolve, 5_000));
const asleep = await served.memory();
await served.kill();
await served.start();
const restarted = await served.memory();
console.log(
  JSON.stringify({ sleepers, megabytes: { before, asleep, restarted } }, (_key, value: unknown) =>
    typeof value === "number" && value > 1e6 ? Math.round(value / 1e6) : value,
  ),
);

// Far enough off that all are asleep by then.
const wakeAt = Date.now() + 120_000;
const early = Array.from({ length: 1_000 }, (_, i) => `e${String(i)}`);
for (let at = 0; at < early.length; at += 100) {
  await Promise.all(
    early
      .slice(at, at + 100)
      .map((key, i) =>
        client.sleeper.getOrCreate(key, { createWithInput: { until: wakeAt + (at + i) * 5 } }).resolve(),
      ),
  );
}
await new Promise((resolve) => setTimeout(resolve, Math.max(0, wakeAt - Date.now()) + 8_000));
const late: number[] = [];
for (const [index, key] of early.entries())
  late.push((await client.sleeper.get(key).wokeAt()) - (wakeAt + index * 5));
late.sort((a, b) => a - b);
console.log(JSON.stringify({ lateMs: { p50: late[500], p99: late[990], max: late.at(-1) } }));
await served.kill();
rmSync(folder, { recursive: true, force: true });
