/** Answers a question with `options` possible answers, numbered from 0. */
export type Choose = (options: number) => number;

export interface Explored<T> {
  readonly results: readonly T[];
  /** False when `limit` runs were not enough to try every combination of answers. */
  readonly complete: boolean;
}

/**
 * Runs `run` once per combination of answers to the questions that it asks, first answers first, at
 * most `limit` times, and not further than the first result that is `enough`. `run` must ask the same
 * questions when it gets the same answers.
 */
export function explore<T>(
  limit: number,
  run: (choose: Choose) => T,
  enough: (result: T) => boolean = () => false,
): Explored<T> {
  const results: T[] = [];
  let script: readonly number[] = [];
  for (;;) {
    if (results.length >= limit) return { results, complete: false };
    const asked: { pick: number; readonly options: number }[] = [];
    const replayed = script;
    const result = run((options) => {
      const pick = replayed[asked.length] ?? 0;
      asked.push({ pick, options });
      return pick;
    });
    results.push(result);
    if (enough(result)) return { results, complete: true };
    let last = asked.at(-1);
    while (last !== undefined && last.pick + 1 >= last.options) {
      asked.pop();
      last = asked.at(-1);
    }
    if (last === undefined) return { results, complete: true };
    last.pick += 1;
    script = asked.map((question) => question.pick);
  }
}
