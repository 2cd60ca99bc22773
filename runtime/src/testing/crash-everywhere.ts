import type { AnyRegistry } from "../types/index.js";
import { testHost, type TestHost, type TestHostOptions } from "./test-host.js";

/** One run of a scenario, with a crash after that many commits. */
export interface CrashRun<T> {
  /** 0 = without a crash. */
  readonly crashAfter: number;
  readonly result: T;
}

/**
 * Runs a scenario once without a crash, then once per commit with a crash right after that commit, and
 * gives the results: they should all be equal. The scenario drives the host (`client`, `advance`,
 * `settled`) and returns what is to be compared. A call that the crash cuts off is made again, so actions
 * of the scenario have to be safe to repeat; messages without `wait` are, because one is cut off only if it
 * was not kept.
 * @param options.atMost crashes after the first so many commits; 200 when absent.
 */
export async function crashEverywhere<R extends AnyRegistry, T>(
  registry: R,
  scenario: (host: TestHost<R>) => Promise<T>,
  options: TestHostOptions & { readonly atMost?: number } = {},
): Promise<CrashRun<T>[]> {
  const { atMost = 200, ...hostOptions } = options;
  const runs: CrashRun<T>[] = [];
  let commits = 0;
  for (let crashAfter = 0; crashAfter <= Math.min(commits, atMost); crashAfter++) {
    const host = await testHost(registry, hostOptions);
    if (crashAfter > 0) host.crashAfter(crashAfter);
    const result = await scenario(host);
    if (crashAfter === 0) commits = host.commits;
    await host.stop();
    runs.push({ crashAfter, result });
  }
  return runs;
}
