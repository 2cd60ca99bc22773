/**
 * Many instances that sleep on SQLite, all cold, and some that become due one after the other.
 *
 *   node sleeping.mjs create FILE COUNT DUE    makes them, at full speed; prints the resident memory then
 *   node sleeping.mjs wake FILE COUNT DUE      another process on the file; prints it, and how late they woke
 *
 * Prints JSON: `mb`, resident memory of the whole process; `heapMb`, what of it is the heap in use; `lateMs`,
 * how late the timers were (p99).
 */
import { rmSync } from "node:fs";
import { argv } from "node:process";
import { createEngine, type PlainStepContext, type WorkflowContext } from "@stepproof/runtime/engine";
import { openSqliteStore } from "@stepproof/runtime/store";

const [, , phase, file = "sleeping.db", ...numbers] = argv;
const [count = 100_000, due = 200] = numbers.map(Number);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const late: number[] = [];
const sleep = async (ctx: WorkflowContext<PlainStepContext>, at: number): Promise<void> => {
  await ctx.sleepUntil("long", at);
  late.push(Date.now() - at);
};

if (phase === "create")
  for (const suffix of ["", "-wal", "-shm", "-lock"]) rmSync(file + suffix, { force: true });
const store = openSqliteStore({ path: file, synchronous: "NORMAL" });
const engine = createEngine({ store, workflows: { sleep }, idleMs: 0, maxWarm: 500 });
await engine.start();
if (phase === "create") {
  const farOff = Date.now() + 3_600_000;
  for (let i = 0; i < count - due;) {
    const some = Math.min(500, count - due - i);
    await Promise.all(Array.from({ length: some }, () => engine.create("sleep", `far${i++}`, farOff)));
  }
  const soon = Date.now() + 5000;
  await Promise.all(Array.from({ length: due }, (_, i) => engine.create("sleep", `near${i}`, soon + i * 20)));
  await wait(1000); // the last ones fall asleep
} else while (late.length < due) await wait(50);
const { rss, heapUsed } = process.memoryUsage();
await engine.stop();
await store.close();
late.sort((a, b) => a - b);
const lateMs = late[Math.floor(late.length * 0.99)];
console.log(JSON.stringify({ mb: rss / 1e6, heapMb: heapUsed / 1e6, lateMs }));
