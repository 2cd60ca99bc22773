import type { Client } from "./client.js";
import type { ServedProcess } from "./process.js";

/** How many connections each instance gets. */
const EACH = 100;

export interface ConnectionsResult {
  readonly opened: number;
  /** Further ones that got through, though the server was full. */
  readonly beyondTheLimit: number;
  /** Those of one instance that an event reached, out of `EACH`. */
  readonly reached: number;
  readonly megabytes: { readonly before: number; readonly open: number };
  /** Answers while all were open. */
  readonly healthy: boolean;
  /** Once all had been closed: those that the instance still counts, with one that was opened anew. */
  readonly afterwards: number;
}

/** Fills a server with connections up to its limit, asks for more, sends an event, and closes all. */
export async function fillWithConnections(
  served: ServedProcess,
  client: Client,
  count: number,
): Promise<ConnectionsResult> {
  const megabytes = async (): Promise<number> => Math.round((await served.memory()) / 1e6);
  const before = await megabytes();
  const connect = (at: number) => client.hall.getOrCreate(`h${String(Math.floor(at / EACH))}`).connect();
  const open: ReturnType<typeof connect>[] = [];
  for (let at = 0; at < count; at += 50) {
    const more = Array.from({ length: Math.min(50, count - at) }, (_, i) => connect(at + i));
    open.push(...more);
    await Promise.all(more.map((one) => one.ready()));
  }
  const surplus = Array.from({ length: 20 }, () => connect(0));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const beyondTheLimit = surplus.filter(({ status }) => status === "connected").length;
  await Promise.all(surplus.map((one) => one.dispose()));

  let reached = 0;
  const all = new Promise<void>((resolve) => {
    for (const one of open.slice(0, EACH))
      one.on("said", () => {
        reached++;
        if (reached === Math.min(EACH, count)) resolve();
      });
  });
  await client.hall.get("h0").say("hello");
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 10_000))]);
  const result = {
    opened: open.filter(({ status }) => status === "connected").length,
    beyondTheLimit,
    reached,
    megabytes: { before, open: await megabytes() },
    healthy: (await fetch(`${served.url}/health`)).ok,
  };
  await Promise.all(open.map((one) => one.dispose()));
  const again = connect(0);
  await again.ready();
  let afterwards = await again.say("anyone?");
  for (let look = 0; look < 100 && afterwards > 1; look++) {
    await new Promise((resolve) => setTimeout(resolve, 50)); // the others' ends are on their way
    afterwards = await again.say("anyone?");
  }
  await again.dispose();
  return { ...result, afterwards };
}
