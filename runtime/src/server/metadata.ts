import type { Host } from "../host/host.js";

/** What a runtime serves: its definitions with the names of their actions, queues and events. */
export function metadata(host: Host): object {
  return {
    runtime: "stepproof",
    actors: Object.fromEntries(
      [...host.definitions].map(([name, { config, workflow }]) => [
        name,
        {
          isWorkflow: workflow !== null,
          actions: Object.keys(config.actions ?? {}),
          queues: Object.keys(config.queues ?? {}),
          events: Object.keys(config.events ?? {}),
        },
      ]),
    ),
  };
}
