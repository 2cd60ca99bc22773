import { encodeRecord } from "../engine/codec.js";
import { noEffects, type Effects } from "./effects.js";
import { DESTROY_KEY, type Instance } from "./instance.js";
import { encodeJob, type Job } from "./jobs.js";

/** What a step, action or hook left to do once its commit is durable. */
export interface Aftermath {
  /** Something was put into the journal. */
  readonly dirty: boolean;
  readonly stateChanged: boolean;
  readonly effects: Effects;
}

/**
 * Puts into the journal what a step, action or hook did. Does not await. After a failure only the state (and what the
 * database holds) is kept: roll-forward.
 * @throws SerializationError when the state can't be stored, unless it failed anyway.
 */
export function applyEffects(
  instance: Instance,
  effects: Effects,
  how: { readonly failed: boolean; readonly stateUnchanged: boolean },
): Aftermath {
  const { journal, database } = instance;
  if (how.failed) {
    const stateChanged = !how.stateUnchanged && putState(instance);
    const isDirty = database.put() || stateChanged;
    return { dirty: isDirty, stateChanged, effects: noEffects(instance.tables) };
  }
  const stateChanged = !how.stateUnchanged && instance.state.put(journal, instance.stateLabel);
  let puts = Number(database.put());
  const write = (key: string, text: string | null): void => {
    if (text === null) journal.delete(key);
    else journal.put(key, text);
  };
  effects.kv.apply((key, value) => {
    puts++;
    write(`k/${key}`, value === null ? null : encodeRecord("host", [value]));
  });
  let jobsChanged = false;
  effects.jobs.apply((key, job: Job | null) => {
    jobsChanged = true;
    write(key, job === null ? null : encodeJob(job));
  });
  if (jobsChanged) instance.scheduler.refresh();
  if (effects.destroy) {
    // Durable with the step: killed before it is carried out, the next process does.
    journal.put(DESTROY_KEY, encodeRecord("host", []));
    journal.setDue("destroy", 0);
  }
  const messages = effects.messages.splice(0);
  for (const { queue, body } of messages) instance.mailbox.send(queue, body);
  const isDirty = stateChanged || puts > 0 || jobsChanged || effects.destroy || messages.length > 0;
  return { dirty: isDirty, stateChanged, effects };
}

/** Puts the state where nobody is left to tell that it can't be stored: that is logged. True when it changed. */
export function putState(instance: Instance): boolean {
  try {
    return instance.state.put(instance.journal, instance.stateLabel);
  } catch (error) {
    instance.log.error({ err: error }, "The state can't be stored.");
    return false;
  }
}

/** What follows a durable commit: events go out, listeners are told, destruction happens. Never rejects. */
export async function settleAftermath(
  instance: Instance,
  { stateChanged, effects }: Aftermath,
): Promise<void> {
  try {
    for (const { conn, name, args } of effects.events) instance.connections.deliver(conn, name, args);
    if (stateChanged) await tellStateChange(instance);
    if (effects.destroy) await instance.destroy();
  } catch (error) {
    instance.log.error({ err: error }, "What follows a commit failed.");
  }
}

/** What `onStateChange` changes itself is stored, but not told again. */
async function tellStateChange(instance: Instance): Promise<void> {
  if (instance.tellsStateChange || instance.definition.config.onStateChange === undefined) return;
  instance.tellsStateChange = true;
  try {
    await instance.hook("onStateChange", [instance.state.value]);
  } finally {
    instance.tellsStateChange = false;
  }
}
