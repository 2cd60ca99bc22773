import { Hono, type Context } from "hono";
import { targetOf, toWire } from "../client/wire.js";
import { UsageError } from "../engine/errors.js";
import { readHistory, recover, replayFrom } from "../engine/operate/index.js";
import { BadRequestError, RuntimeError } from "../host/errors.js";
import type { Host } from "../host/host.js";
import type { Instance } from "../host/instance.js";
import { instanceAddress } from "../host/names.js";

/**
 * Looks into instances. `?actor=NAME&key=PART…` or `?actor=NAME&id=ID` says which; nothing is created.
 */
export function inspectorRoutes(host: Host): Hono {
  const app = new Hono();
  app.get("/instances", async (c) => {
    const limit = Math.min(Number(c.req.query("limit") ?? "100") || 100, 1_000);
    const after = c.req.query("after");
    const found = await host.store.instances({ limit, ...(after === undefined ? {} : { after }) });
    return c.json({
      instances: found.map(({ instance, due }) => ({
        ...instanceAddress(instance),
        instance,
        due,
        warm: host.pool.warm(instance) !== undefined,
      })),
    });
  });
  app.get("/summary", async (c) => c.json(summary(await instanceOf(host, c))));
  app.get("/workflow-history", async (c) => {
    const { run } = await instanceOf(host, c);
    return c.json({
      isWorkflowEnabled: run !== null,
      history: run === null ? null : toWire(readHistory(run), "The history"),
    });
  });
  app.get("/state", async (c) =>
    c.json({ state: toWire((await instanceOf(host, c)).state.value, "The state") }),
  );
  app.get("/queue", async (c) => {
    const { mailbox } = await instanceOf(host, c);
    return c.json({ size: mailbox.size(), messages: toWire(mailbox.list().slice(0, 100), "The messages") });
  });
  app.get("/connections", async (c) =>
    c.json({ connections: (await instanceOf(host, c)).connections.list() }),
  );
  app.post("/workflow/replay", async (c) => {
    const instance = await instanceOf(host, c);
    const { run } = instance;
    if (run === null) throw new BadRequestError(`"${instance.address.name}" has no workflow to replay.`);
    const path = c.req.query("from");
    try {
      await replayFrom(run, path);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new RuntimeError(error.code, error.code === "workflow_in_flight" ? 409 : 400, error.message);
    }
    return c.json({ status: run.status });
  });
  app.post("/workflow/recover", async (c) => {
    const { run } = await instanceOf(host, c);
    if (run !== null) await recover(run);
    return c.json({ status: run?.status ?? null });
  });
  return app;
}

function instanceOf(host: Host, c: Context): Promise<Instance> {
  const query = new URL(c.req.url).searchParams;
  const name = query.get("actor");
  if (name === null)
    throw new BadRequestError("Say which instance: `?actor=NAME&key=PART` or `?actor=NAME&id=ID`.");
  const target = targetOf(name, query, undefined);
  return host.instanceFor(target.how === "id" ? target : { ...target, how: "get" }, []);
}

function summary(instance: Instance): object {
  const { run } = instance;
  return {
    actorId: instance.actorId,
    name: instance.address.name,
    key: instance.address.key,
    isWorkflowEnabled: run !== null,
    workflowStatus: run?.status ?? null,
    workflowError: run?.error ?? null,
    queueSize: instance.mailbox.size(),
    connections: instance.connections.size,
    schedules: instance.tables.jobs.size,
  };
}
