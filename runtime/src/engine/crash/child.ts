/**
 * The process that the kill test kills: runs the load on a database file, sends numbers, and appends what
 * happens to a log file. Arguments: database, log, how many numbers each receiver gets, `rerun` or `stay`.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { argv } from "node:process";
import { openSqliteStore } from "../../store/sqlite.js";
import { systemClock } from "../clock.js";
import { findFaults, nextNumber, Process, STOP, type Line } from "./load.js";

export const INSTANCES = ["receiver/1", "receiver/2", "receiver/3", "saga/1", "saga/2"];

/** The log that was written so far; a last line that was cut short is left out. */
export function readLog(file: string): Line[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

async function main(database: string, logFile: string, numbers: number, rerun: boolean): Promise<void> {
  const log = readLog(logFile);
  const note = (line: Line): void => {
    log.push(line);
    appendFileSync(logFile, `${JSON.stringify(line)}\n`);
  };
  const store = openSqliteStore({ path: database });
  const child = new Process(store, systemClock, note, rerun, (error) => {
    throw error;
  });
  await child.start(INSTANCES);
  await Promise.all(
    INSTANCES.filter((instance) => instance.startsWith("receiver/")).map(async (instance) => {
      while (nextNumber(log, instance) < numbers) await child.send(instance, () => nextNumber(log, instance));
      if ((await child.look(instance)).status !== "completed") await child.send(instance, () => STOP);
    }),
  );
  for (;;) {
    const ends = new Map(
      await Promise.all(INSTANCES.map(async (instance) => [instance, await child.look(instance)] as const)),
    );
    const open = [...ends.values()].some(({ status }) => status !== "completed" && status !== "failed");
    if (open) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    for (const end of ends.values()) end.left = 0; // a second STOP may be left over from a run that was killed
    console.log(JSON.stringify(findFaults(log, ends)));
    await child.pool.stop();
    await store.close();
    return;
  }
}

if (argv.length > 5) await main(String(argv[2]), String(argv[3]), Number(argv[4]), argv[5] === "rerun");
