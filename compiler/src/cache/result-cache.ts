import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "../host/disk.js";
import { changedTexts, observe, type Observations } from "./observe.js";

/** A result whose inputs differ from those of now in the texts of some files only. */
export interface EarlierResult<T> {
  readonly result: T;
  readonly changed: ReadonlySet<string>;
}

/** Results on disk, each under what was asked and with all that the disk answered meanwhile. */
export interface ResultCache {
  /**
   * The result of `compute`, or of an earlier call with the same question if the disk still gives every answer that
   * it gave then.
   * @param question all that the result depends on besides the disk: tool version, options, config. JSON.
   * @param compute reads through `disk` and nothing else; its result is JSON. What it throws is not kept. It may build
   * on the earlier result.
   */
  remember<T>(
    question: unknown,
    compute: (disk: Disk, earlier: EarlierResult<T> | null) => Promise<T>,
  ): Promise<T>;
}

/** Results that are kept in a folder; the oldest go first. */
const MOST = 32;

/** A record of the cache; another `format` is none of ours. */
interface Kept {
  readonly format: 2;
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
    async remember<T>(
      question: unknown,
      compute: (disk: Disk, earlier: EarlierResult<T> | null) => Promise<T>,
    ): Promise<T> {
      if (folder === null) return compute(disk, null);
      const name = createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 32);
      const path = join(folder, `${name}.json`);
      const kept = readKept(path);
      // What an earlier result stands on is noted again as it is now, with all that is asked on top.
      const looking = observe(disk);
      const changed = kept === null ? null : changedTexts(kept.seen, looking.disk);
      // The question names the type of its result.
      const earlier = kept === null || changed === null ? null : { result: kept.result as T, changed };
      if (earlier?.changed.size === 0) return earlier.result;
      const observed = earlier === null ? observe(disk) : looking;
      const result = await compute(observed.disk, earlier);
      write(folder, path, { format: 2, seen: observed.seen(), result });
      return result;
    },
  };
}

/** `null` when there is none, or none that can be understood: then it is computed anew and written over. */
function readKept(path: string): Kept | null {
  try {
    const kept = JSON.parse(readFileSync(path, "utf8")) as Partial<Kept>;
    return kept.format === 2 && typeof kept.seen?.allTexts === "string" ? (kept as Kept) : null;
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
