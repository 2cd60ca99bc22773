import type { Clock } from "../engine/ports.js";

/**
 * The result of `work`, or what `late` gives (or throws) when `ms` have passed first; the work goes on
 * unheard then.
 */
export async function withinTime<T, L>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => L,
): Promise<T | L> {
  let cancel = (): void => undefined;
  const passed = new Promise<L>((resolve, reject) => {
    cancel = clock.timer(clock.now() + ms, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    cancel();
  }
}
