import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { analyze } from "stepproof";
import { MemoryStore } from "../../runtime/src/store/memory.js";
import { ManualClock } from "../../runtime/src/testing/manual-clock.js";
import { Host } from "../../runtime/src/host/host.js";
import type { AnyRegistry, ClientOf } from "../../runtime/src/types/index.js";
import { carriedIn } from "../../compiler/src/transform/carried-in.js";
import { transformCode } from "../../compiler/src/transform/transform-code.js";

const AREAS = fileURLToPath(new URL("../../.tmp/transform", import.meta.url));

/** Writes files into a folder of the repository, so that imports of the runtime resolve. */
export function layOut(area: string, files: Readonly<Record<string, string>>): string {
  const folder = join(AREAS, area);
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries({ "tsconfig.json": "{}", ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** What the transform makes of one file of a folder. */
export function transformed(folder: string, name: string, code: string): string {
  const carried = carriedIn(analyze({ cwd: folder }), folder);
  return transformCode(code, name, carried.get(join(folder, name)) ?? [])?.code ?? code;
}

/** Lays a one-file program out twice, as written and transformed, and loads both. */
export async function bothWays<M>(area: string, code: string): Promise<{ plain: M; carrying: M }> {
  const folder = layOut(area, { "flow.ts": code });
  const after = layOut(`${area}-after`, { "flow.ts": transformed(folder, "flow.ts", code) });
  const load = async (path: string): Promise<M> => (await import(pathToFileURL(path).href)) as M;
  return { plain: await load(join(folder, "flow.ts")), carrying: await load(join(after, "flow.ts")) };
}

/** Keeps a store open across hosts. */
export class LastingStore extends MemoryStore {
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Runs a registry in memory. */
export async function hosted<R extends AnyRegistry>(
  registry: R,
  store = new LastingStore(),
): Promise<{ host: Host; client: ClientOf<R> }> {
  const host = new Host({ definitions: registry.definitions, store, clock: new ManualClock() });
  await host.start();
  return { host, client: host.clientFor([]) as ClientOf<R> };
}

/** Waits until the workflow of an instance rests in one of the given states, and gives its run. */
export async function settled(
  host: Host,
  instance: string,
  ...states: readonly string[]
): Promise<NonNullable<NonNullable<ReturnType<Host["pool"]["warm"]>>["run"]>> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const run = host.pool.warm(instance)?.run;
    if (run && states.includes(run.status)) return run;
    if (performance.now() > deadline) throw new Error(`${instance} is ${run?.status ?? "not there"}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
