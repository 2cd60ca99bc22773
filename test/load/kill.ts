import type { Client } from "./client.js";
import type { ServedProcess } from "./process.js";

export interface KillOptions {
  readonly instances: number;
  /** Sends under way at once. */
  readonly parallel: number;
  readonly kills: number;
  /** How long the process serves before each kill, and after the last restart, in ms. */
  readonly serveFor: number;
  /** Messages that are acknowledged at least before each kill, however long it takes. */
  readonly atLeast: number;
}

export interface KillResult {
  readonly sent: number;
  readonly acknowledged: number;
  /** Acknowledged and never processed. */
  readonly lost: readonly number[];
  /** Processed twice. */
  readonly repeated: readonly number[];
  /** Processed without being sent. */
  readonly invented: readonly number[];
}

/**
 * Sends numbered messages to many instances while the process is killed and restarted, then compares what
 * was acknowledged with what was processed. A send that broke may or may not have arrived.
 */
export async function killWhileSending(
  served: ServedProcess,
  client: Client,
  options: KillOptions,
): Promise<KillResult> {
  let isOver = false;
  const acknowledged = new Set<number>();
  let next = 0;
  const sender = async (): Promise<void> => {
    while (!isOver) {
      const number = next++;
      try {
        await client.counter.getOrCreate(keyOf(number, options)).send("numbers", number);
        acknowledged.add(number);
      } catch {
        await pause(20); // the server is down: counted as unknown
      }
    }
  };
  const senders = Array.from({ length: options.parallel }, sender);
  const phase = async (): Promise<void> => {
    const begin = acknowledged.size;
    await pause(options.serveFor);
    while (acknowledged.size < begin + options.atLeast) await pause(20);
  };
  for (let kill = 0; kill < options.kills; kill++) {
    await phase();
    await served.kill();
    await served.start();
  }
  await phase();
  isOver = true;
  await Promise.all(senders);
  const processed = await settled(client, Math.min(next, options.instances), acknowledged);
  const counts = new Map<number, number>();
  for (const number of processed) counts.set(number, (counts.get(number) ?? 0) + 1);
  return {
    sent: next,
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((number) => !counts.has(number)),
    repeated: [...counts].filter(([, count]) => count > 1).map(([number]) => number),
    invented: [...counts.keys()].filter((number) => number >= next || number < 0),
  };
}

const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
const keyOf = (number: number, { instances }: KillOptions): string => `c${String(number % instances)}`;

/** What was processed, once every acknowledged message was or nothing moves any more. */
async function settled(
  client: Client,
  instances: number,
  acknowledged: ReadonlySet<number>,
): Promise<number[]> {
  for (let round = 0; ; round++) {
    const all: number[] = [];
    for (let at = 0; at < instances; at += 50) {
      const some = Array.from({ length: Math.min(50, instances - at) }, (_, i) =>
        client.counter.getOrCreate(`c${String(at + i)}`).seen(),
      );
      all.push(...(await Promise.all(some)).flat());
    }
    const seen = new Set(all);
    if ([...acknowledged].every((number) => seen.has(number)) || round === 20) return all;
    await pause(250);
  }
}
