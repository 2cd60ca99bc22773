import type { CallbackRow } from "../types.js";

/** Lifecycle hooks, actions and the like of an actor's config: never replayed, free to act. */
const HOOKS = [
  "createState",
  "createVars",
  "createConnState",
  "onCreate",
  "onDestroy",
  "onMigrate",
  "onWake",
  "onSleep",
  "onStateChange",
  "onBeforeConnect",
  "onConnect",
  "onDisconnect",
  "onBeforeActionResponse",
  "onRequest",
  "onWebSocket",
] as const;

const hook = (...path: readonly string[]): CallbackRow => ({
  at: [0, ...path],
  zone: "hook",
  context: "actor",
});

/** Everything in the config of an actor but its `run`. Source: `ActorConfigSchema` of `rivetkit` 2.3.19. */
export const CONFIG_CALLBACKS: readonly CallbackRow[] = [
  ...HOOKS.map((name) => hook(name)),
  hook("actions", "*"),
  hook("queues", "*", "canPublish"),
  hook("events", "*", "canSubscribe"),
];

/** `workflow({ …, run }, { onError })` */
export const WORKFLOW_CONFIG_CALLBACKS: readonly CallbackRow[] = [
  { at: [0, "run"], zone: "workflow", context: "workflow" },
  ...CONFIG_CALLBACKS,
];

/** `workflow(fn, { onError })` */
export const WORKFLOW_FUNCTION_CALLBACKS: readonly CallbackRow[] = [
  { at: [0], zone: "workflow", context: "workflow" },
  { at: [1, "onError"], zone: "hook", context: "actor" },
];

/** `actor({ …, run })`: a `run` that is a function is ordinary code of the actor and is not replayed. */
export const ACTOR_CALLBACKS: readonly CallbackRow[] = [hook("run"), hook("run", "run"), ...CONFIG_CALLBACKS];
