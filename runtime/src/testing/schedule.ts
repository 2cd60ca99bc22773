/**
 * What happens to an instance in a test, in order. Between two happenings everything that can go on does.
 *
 * Messages, the passing of time and changes of the clock are inputs: another order may have another outcome.
 * Crashes and evictions are disturbances: the outcome must be the same without them.
 */
export type Happening =
  | { readonly do: "send"; readonly queue: string; readonly body: unknown }
  /** Time passes; what comes due on the way fires in order. */
  | { readonly do: "advance"; readonly ms: number }
  /** The clock of the machine is changed, forth or back; nothing fires by that. */
  | { readonly do: "jump"; readonly ms: number }
  /** The process dies right after so many further commits; `0` = now, at rest. */
  | { readonly do: "crash"; readonly afterCommits: number }
  /** The instance is dropped from memory. */
  | { readonly do: "evict" };

export type Schedule = readonly Happening[];

/** The same inputs without disturbances. */
export function undisturbed(schedule: Schedule): Schedule {
  return schedule.filter((one) => one.do !== "crash" && one.do !== "evict");
}

/** One line per happening, for people. */
export function describeSchedule(schedule: Schedule): string[] {
  if (schedule.length === 0) return ["nothing happens but the passing of time"];
  return schedule.map((one) => {
    switch (one.do) {
      case "send":
        return `send ${one.queue} ${JSON.stringify(one.body) ?? "undefined"}`;
      case "advance":
        return `${one.ms} ms pass`;
      case "jump":
        return `the clock jumps by ${one.ms} ms`;
      case "crash":
        return one.afterCommits === 0
          ? "the process crashes at rest"
          : `the process crashes right after commit ${one.afterCommits} from here`;
      case "evict":
        return "the instance is dropped from memory and runs again from its history";
    }
  });
}
