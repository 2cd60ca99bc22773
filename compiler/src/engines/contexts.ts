import type { ContextKind, ContextMember } from "../types.js";
import { ENTRY_MEMBERS, QUEUE_WAITS } from "./entries.js";

type Members = Readonly<Record<string, ContextMember>>;

const stable = (why: string): ContextMember => ({ is: "stable", why });
const varies = (why: string): ContextMember => ({ is: "varies", why });
const reads = (why: string): ContextMember => ({ is: "actor", why, writes: false });
const writes = (why: string): ContextMember => ({ is: "actor", why, writes: true });

const IDENTITY: Members = {
  actorId: stable("the actor keeps its id for life"),
  workflowId: stable("the instance keeps its id for life"),
  name: stable("the actor keeps its name for life"),
  key: stable("the actor keeps its key for life"),
  log: stable("the engine's logger gives nothing back to the code"),
};

const SIGNALS: Members = {
  abortSignal: varies("it is aborted in one run and not in the next"),
  isEvicted: varies("it tells of this process, not of the history"),
};

/** The actor's data and its ways to the outside: live, not recorded. */
const ACTOR_DATA: Members = {
  state: writes("actor state is live: on a replay it holds what later steps wrote"),
  vars: writes("vars live in one process and are made anew in the next"),
  db: writes("the actor's database is live and not recorded"),
  kv: writes("the actor's key-value store is live and not recorded"),
  client: writes("a call to another actor is repeated on every replay"),
  broadcast: writes("an event is sent again on every replay"),
  conns: reads("who is connected differs from run to run"),
  conn: reads("the connection is gone when the workflow replays"),
  request: reads("the request is gone when the workflow replays"),
  schedule: writes("a schedule is set again on every replay"),
  cron: writes("a schedule is set again on every replay"),
  region: reads("a replay can run in another region"),
  saveState: writes("actor state is saved with the step that changed it"),
  keepAwake: writes("it acts on this process only"),
  waitUntil: writes("it acts on this process only"),
  setPreventSleep: writes("it acts on this process only"),
  destroy: writes("the actor is destroyed again on every replay"),
};

const QUEUE_SEND = writes("a message is sent again on every replay");

const ACTOR_QUEUE: Members = {
  queue: {
    is: "group",
    members: {
      send: writes("a message is sent to the queue"),
      next: writes("a message is taken off the queue"),
      nextBatch: writes("messages are taken off the queue"),
      tryNext: writes("a message is taken off the queue"),
      tryNextBatch: writes("messages are taken off the queue"),
      waitForNames: writes("it waits on the live queue"),
      waitForNamesAvailable: writes("it waits on the live queue"),
      enqueueAndWait: writes("a message is sent to the queue"),
      complete: writes("a message is completed"),
      iter: writes("messages are taken off the queue"),
    },
  },
};

/** A workflow context: entries, identity; the actor's data only to be told that it is not there. */
const WORKFLOW: Members = {
  ...ACTOR_DATA,
  ...IDENTITY,
  ...SIGNALS,
  ...ENTRY_MEMBERS,
  queue: { is: "group", members: { ...QUEUE_WAITS, send: QUEUE_SEND } },
};

const STEP: Members = {
  ...IDENTITY,
  ...SIGNALS,
  ...ACTOR_DATA,
  queue: { is: "group", members: { send: QUEUE_SEND } },
};

/** Seed.md: rollback handlers get a rollback context, not actor APIs. */
const ROLLBACK: Members = { workflowId: IDENTITY["workflowId"] ?? stable("it does not change"), ...SIGNALS };

const ACTOR: Members = { ...IDENTITY, ...SIGNALS, ...ACTOR_DATA, ...ACTOR_QUEUE };

/** Members by kind of context, as the contract (design §4) has them. */
export const CONTEXTS: Readonly<Record<ContextKind, Members>> = {
  workflow: WORKFLOW,
  loop: WORKFLOW,
  branch: WORKFLOW,
  try: WORKFLOW,
  step: STEP,
  rollback: ROLLBACK,
  actor: ACTOR,
};

/**
 * The same for `rivetkit` 2.3.19, which hands its rollback handlers a step context (`#runRollback` in its
 * `workflow` entry point).
 */
export const CONTEXTS_ROLLBACK_IS_STEP: Readonly<Record<ContextKind, Members>> = {
  ...CONTEXTS,
  rollback: STEP,
};
