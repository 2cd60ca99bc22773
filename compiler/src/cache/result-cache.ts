import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "../host/disk.js";
import { holds, observe, type Observations } from "./observe.js";

/** Results on disk, each under what was asked and with all that the disk answered meanwhile. */
export interface ResultCache {
  /**
   * The result of `compute`, or of an earlier call with the same question if the disk still gives every answer that
   * it gave then.
   * @param question all that the result depends on besides the disk: tool version, options, config. JSON.
   * @param compute reads through `disk` and nothing else; its result is JSON. What it throws is not kept.
   */
  remember<T>(question: unknown, compute: (disk: Disk) => Promise<T>): Promise<T>;
}

/** Results that are kept in a folder; the oldest go first. */
const MOST = 32;

/** A record of the cache; another `format` is none of ours. */
interface Kept {
  readonly format: 1;
  readonly seen: Observations;
  readonly result: unknown;
}

/**
 * A cache in a folder, which is made when it is first written to.
 * @param folder `null`: nothing is kept.
 * @param disk where results and their checks read.
 */
export function openResultCache(folder: string | null, disk: Disk): ResultCache {
  return {
    async remember<T>(question: unknown, compute: (disk: Disk) => Promise<T>): Promise<T> {
      if (folder === null) return compute(disk);
      const name = createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 32);
      const path = join(folder, `${name}.json`);
      const kept = readKept(path);
      // The question names the type of its result.
      if (kept !== null && holds(kept.seen, disk)) return kept.result as T;
      const observed = observe(disk);
      const result = await compute(observed.disk);
      write(folder, path, { format: 1, seen: observed.seen(), result });
      return result;
    },
  };
}

/** `null` when there is none, or none that can be understood: then it is computed anew and written over. */
function readKept(path: string): Kept | null {
  try {
    const kept = JSON.parse(readFileSync(path, "utf8")) as Partial<Kept>;
    return kept.format === 1 && kept.seen !== undefined ? (kept as Kept) : null;
  } catch {
    return null;
  }
}

/** Whole or not at all, also with two runs at once. A folder that can't be written to only means no cache. */
function write(folder: string, path: string, kept: Kept): void {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, JSON.stringify(kept));
    renameSync(unfinished, path);
    dropOldest(folder);
  } catch {
    // The result stands without it; next time it is computed anew.
  }
}

function dropOldest(folder: string): void {
  const all = readdirSync(folder).map((name) => join(folder, name));
  if (all.length <= MOST) return;
  const byAge = all
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(MOST)) rmSync(path, { force: true });
}
