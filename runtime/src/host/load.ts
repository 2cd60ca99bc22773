import { decodeRecord, encodeRecord, encodeValue, decodeValue } from "../engine/codec.js";
import type { Journal } from "../engine/journal.js";
import { Mailbox } from "../engine/mailbox.js";
import type { StoredRecord } from "../engine/ports.js";
import { createRun, type WorkflowFunction } from "../engine/run.js";
import { entryPlaces } from "../manifest/entry-places.js";
import { lateRemovals } from "../manifest/late-removals.js";
import type { CronFire } from "../types/index.js";
import { ACCEPTED_KEY, checkAcceptance } from "./acceptance.js";
import type { HostDefinition } from "./define/definition.js";
import type { InstanceTables } from "./effects.js";
import { ActorNotFoundError, DefinitionError } from "./errors.js";
import type { Host } from "./host.js";
import { DESTROY_KEY, Instance } from "./instance.js";
import { decodeJob, FIRE_PREFIX, JOB_PREFIXES, type Job } from "./jobs.js";
import { checkResponse } from "./messages.js";
import { instanceAddress, newActorId } from "./names.js";
import { PAGE_PREFIX, PagedDatabase } from "./paged-database.js";
import { STATE_KEY, StateCell } from "./state.js";
import { validate } from "./validate.js";

/** Record that says that the instance exists: its id and the time of its creation (Unix ms). */
const IDENTITY_KEY = "a";
const KV_PREFIX = "k/";

/**
 * Builds a warm instance from its records, or creates it when someone wishes it to be (`host.wishFor`).
 * @throws ActorNotFoundError when it is not stored and nobody wishes it; UnknownActorError; what
 * `createState`, `onCreate`, `createVars` or `onWake` throw (then nothing is stored).
 */
export async function loadInstance(
  host: Host,
  journal: Journal,
  records: readonly StoredRecord[],
): Promise<Instance> {
  const stored = new Map(records.map(({ key, value }) => [key, value]));
  const identity = stored.get(IDENTITY_KEY);
  const address = instanceAddress(journal.instance);
  const definition = host.definition(address.name);
  const isNew = identity === undefined;
  const wish = isNew ? host.wishFor(journal.instance) : null;
  if (isNew && wish === null) throw new ActorNotFoundError(`"${journal.instance}"`);

  const actorId = isNew
    ? newActorId(journal.instance)
    : (decodeRecord("host", identity, journal.instance, IDENTITY_KEY)[0] as string);
  const stateText = stored.get(STATE_KEY);
  const instance = new Instance({
    host,
    definition,
    journal,
    address,
    actorId,
    state:
      stateText === undefined ? new StateCell(undefined, null) : StateCell.read(stateText, journal.instance),
    tables: readTables(journal.instance, records),
    database: new PagedDatabase(
      journal,
      new Map(records.filter(({ key }) => key.startsWith(PAGE_PREFIX)).map(({ key, value }) => [key, value])),
    ),
    log: host.log.child({ actor: address.name, key: address.key }),
  });
  instance.mailbox = new Mailbox(journal, host.clock, records, {
    checkResponse: (message, response) => checkResponse(definition, message.name, response),
    onCompleted: (message, response) => {
      instance.senders.completed(message, response);
    },
  });
  try {
    if (isNew) await create(instance, wish?.input);
    await wake(instance);
    if (stored.has(DESTROY_KEY)) {
      await instance.destroy();
      return instance;
    }
    await startRun(instance, definition, records);
  } catch (error) {
    instance.abandon(error);
    throw error;
  }
  return instance;
}

async function create(instance: Instance, given: unknown): Promise<void> {
  const { config } = instance.definition;
  const what = `The input of "${instance.address.name}"`;
  const input = config.input === undefined ? given : await validate(config.input, given, what);
  instance.state.value =
    config.createState === undefined
      ? copyOf(config.state, `The state of "${instance.address.name}"`)
      : await instance.hook("createState", [input], false);
  const now = instance.host.clock.now();
  instance.journal.put(IDENTITY_KEY, encodeRecord("host", [instance.actorId, now]));
  await instance.hook("onCreate", [input], false);
  instance.state.put(instance.journal, `The state of "${instance.address.name}"`);
  // Killed before its first run, it is run by the next process.
  if (instance.definition.workflow !== null) instance.journal.setDue("workflow", 0);
  await instance.journal.commit();
}

async function wake(instance: Instance): Promise<void> {
  const { config } = instance.definition;
  instance.vars =
    config.createVars === undefined ? cloneVars(config.vars) : await instance.hook("createVars", []);
  await instance.hook("onWake", []);
}

/** Starts schedules and the workflow (or the plain `run` function). */
async function startRun(
  instance: Instance,
  definition: HostDefinition,
  records: readonly StoredRecord[],
): Promise<void> {
  const { journal } = instance;
  if (definition.workflow !== null) {
    const carried = instance.host.manifestOf(instance.address.name);
    instance.run = createRun({
      // The context that it gets is `InstanceWorkflowContext`, which has every member of the public type.
      run: definition.workflow.run as unknown as WorkflowFunction,
      journal,
      mailbox: instance.mailbox,
      clock: instance.host.clock,
      host: instance.workflowHost(),
      records,
      settings: {
        ...(carried && {
          declaresRemoved: lateRemovals(carried.manifest),
          placeOf: entryPlaces(carried.places),
        }),
        ...(instance.host.guard && { guard: instance.host.guard }),
      },
    });
    if (carried !== undefined) {
      const stored = records.find(({ key }) => key === ACCEPTED_KEY)?.value;
      await checkAcceptance({ run: instance.run, journal, manifest: carried.manifest, stored });
    }
  } else if (definition.run !== null) {
    instance.hook("run", []).catch((error: unknown) => {
      instance.log.error({ err: error }, "`run` failed.");
    });
  }
  instance.wake();
}

function copyOf(value: unknown, what: string): unknown {
  return decodeValue(encodeValue(value, what));
}

function cloneVars(vars: unknown): unknown {
  try {
    return structuredClone(vars);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DefinitionError(`\`vars\` can't be copied for each instance (${reason}). Use createVars.`);
  }
}

function readTables(instance: string, records: readonly StoredRecord[]): InstanceTables {
  const kv = new Map<string, string>();
  const jobs = new Map<string, Job>();
  const fires = new Map<string, CronFire>();
  for (const { key, value } of records) {
    if (key.startsWith(KV_PREFIX)) {
      kv.set(key.slice(KV_PREFIX.length), decodeRecord("host", value, instance, key)[0] as string);
    } else if (JOB_PREFIXES.some((prefix) => key.startsWith(prefix))) {
      jobs.set(key, decodeJob<Job>(value, instance, key));
    } else if (key.startsWith(FIRE_PREFIX)) {
      fires.set(key, decodeJob<CronFire>(value, instance, key));
    }
  }
  return { kv, jobs, fires };
}
