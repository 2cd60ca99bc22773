import { connect as openTcp } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { actor, event, queue, setup, UserError, workflow } from "@stepproof/runtime";
import { createClient, fromErrorData, UnauthorizedError } from "@stepproof/runtime/client";
import { silentLog } from "../../runtime/src/host/log.js";
import { startRegistry, type Running, type StartOptions } from "../../runtime/src/server/start.js";
import { MemoryStore } from "../../runtime/src/store/memory.js";

const room = actor({
  state: { messages: [] as string[] },
  events: { said: event<[who: string, what: string]>() },
  createConnState: (_c, params: { who: string }) => ({ who: params.who }),
  onConnect: (_c, conn) => {
    if ((conn.params as { who: string }).who === "late") throw new UserError("Too late.", { code: "late" });
  },
  onBeforeConnect: (_c, params: { who: string }) => {
    if (params.who === "mallory") throw new UserError("Mallory may not enter.", { code: "banned" });
  },
  actions: {
    say: (c, what: string) => {
      c.state.messages.push(what);
      c.broadcast("said", c.conn?.state.who ?? "nobody", what);
      return c.state.messages.length;
    },
    list: (c) => c.state.messages,
    echo: (_c, value: unknown) => value,
    flood: (c) => {
      for (let i = 0; i < 100; i++) c.broadcast("said", "flood", "x".repeat(50_000));
    },
    refuse: () => {
      throw new UserError("No.", { code: "refused", metadata: { why: new Date(0), rows: 5n } });
    },
    refuseOddly: () => {
      throw new UserError("No.", { code: "refused", metadata: { retry: () => undefined } });
    },
    kick: (c, reason: string) => c.conn?.disconnect(reason),
    end: (c) => {
      c.destroy();
    },
    crash: () => {
      throw new TypeError("the password is hunter2");
    },
  },
});
const orders = workflow({
  queues: { order: queue<{ id: number }, { ok: boolean }>({ message: z.object({ id: z.number() }) }) },
  run: async (ctx) => {
    await ctx.loop("main", async (loop) => {
      const message = await loop.queue.next("order", { completable: true });
      await message.complete({ ok: message.body.id > 0 });
    });
  },
});
const slow = workflow({
  options: { maxQueueSize: 20 },
  run: async (ctx) => {
    await ctx.step({
      name: "hang",
      timeout: 0,
      run: (step) =>
        new Promise((resolve) => {
          step.abortSignal.addEventListener("abort", resolve);
        }),
    });
  },
});
const registry = setup({ use: { room, orders, slow } });
type R = typeof registry;

let running: Running<R>;
const started: Running<R>[] = [];

async function start(options: StartOptions = {}): Promise<Running<R>> {
  const made = await startRegistry(registry, {
    store: new MemoryStore(),
    port: 0,
    log: silentLog,
    signals: false,
    ...options,
  });
  started.push(made);
  return made;
}

beforeEach(async () => {
  running = await start();
});
afterEach(async () => {
  for (const made of started.splice(0)) await made.stop();
});

async function request(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(running.url + path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  request(path, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
const code = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  (body["error"] as { code: string } | undefined)?.code,
];

async function until<T>(probe: () => Promise<T> | T, wanted: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const value = await probe();
    if (wanted(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`It did not come to be; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("bad input gets its error, and the server stays up", () => {
  test.each<[string, string, [number, string]]>([
    ["/actors/nope/actions/x", "{}", [404, "unknown_actor"]],
    ["/actors/room/actions/nope", "{}", [404, "action_not_found"]],
    ["/actors/room/actions/constructor", "{}", [404, "action_not_found"]],
    ["/actors/room/actions/list?how=get&key=nowhere", "{}", [404, "actor_not_found"]],
    ["/actors/room/actions/list?id=bm9wZQ.00000000", "{}", [404, "actor_not_found"]],
    ["/actors/room/actions/list?id=garbage", "{}", [404, "actor_not_found"]],
    ["/actors/room/actions/list?how=maybe", "{}", [400, "bad_request"]],
    ["/actors/room/actions/list", "{", [400, "bad_request"]],
    ["/actors/room/actions/list", "[]", [400, "bad_request"]],
    ["/actors/room/actions/list", '{"args":1}', [400, "bad_request"]],
    ["/actors/room/actions/echo", '{"args":[{"$":["Nope",1]}]}', [400, "bad_request"]],
    ["/actors/room/actions/echo", '{"args":[{"$":["BigInt","x"]}]}', [400, "bad_request"]],
    [
      "/actors/room/actions/echo",
      `{"args":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
      [400, "bad_request"],
    ],
    ["/actors/orders/queues/nope", '{"body":1}', [404, "queue_not_found"]],
    ["/actors/orders/queues/order", '{"body":{"id":"one"}}', [400, "validation_failed"]],
    ["/actors/orders/queues/order", '{"body":{"id":1},"wait":"yes"}', [400, "bad_request"]],
    ["/actors/orders/queues/order", '{"body":{"id":1},"wait":true,"timeout":-1}', [400, "bad_request"]],
    ["/nowhere", "{}", [404, "not_found"]],
  ])("POST %s", async (path, body, expected) => {
    expect(code(await post(path, body))).toEqual(expected);
    expect((await request("/health")).body).toEqual({ status: "ok" });
  });

  test("a body that is too large", async () => {
    expect(
      code(await post("/actors/room/actions/echo", JSON.stringify({ args: ["x".repeat(1_100_000)] }))),
    ).toEqual([413, "body_too_large"]);
  });

  test("a message that is too large for its queue", async () => {
    const handle = createClient<R>(running.url).room.getOrCreate();
    await expect(handle.send("any", "x".repeat(70_000))).rejects.toMatchObject({ code: "message_too_large" });
  });

  test("a validator's own message is told", async () => {
    const answer = await post("/actors/orders/queues/order", '{"body":{"id":"one"}}');
    expect((answer.body["error"] as { message: string }).message).toMatch(/id: .*expected number/i);
  });

  test("a key with slashes, percents and emptiness is a key like any other", async () => {
    const client = createClient<R>(running.url);
    const keys = [["a/b"], ["a", "b"], [""], [], ["%2F"], ["ü", "  "]];
    for (const [index, key] of keys.entries()) {
      for (let i = 0; i <= index; i++) await client.room.getOrCreate(key).say("hello");
    }
    for (const [index, key] of keys.entries())
      expect(await client.room.get(key).list()).toHaveLength(index + 1);
  });

  test("frames that make no sense are refused one by one", async () => {
    const socket = new WebSocket(`${running.url.replace("http", "ws")}/actors/room/connect?key=main`, [
      "stepproof.1",
    ]);
    const frames: { t: string; id: number | null; error?: { code: string } }[] = [];
    socket.on("message", (data: Buffer) =>
      frames.push(JSON.parse(data.toString()) as (typeof frames)[number]),
    );
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ t: "open", params: { who: "ann" } }));
    await until(
      () => frames.length,
      (count) => count === 1,
    );
    for (const text of [
      "{",
      "null",
      '{"t":"dance"}',
      '{"t":"action","name":"list"}',
      '{"t":"action","id":1,"name":"nope","args":[]}',
    ])
      socket.send(text);
    await until(
      () => frames.length,
      (count) => count === 6,
    );
    expect(frames.slice(1).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, "bad_request"],
      [null, "bad_request"],
      [null, "bad_request"],
      [null, "bad_request"],
      [1, "action_not_found"],
    ]);
    socket.close();
  });

  test("a connection that never opens, a socket cut in half, a frame that is too large", async () => {
    const raw = openTcp(Number(new URL(running.url).port), "127.0.0.1");
    raw.write("GET /actors/room/connect HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n");
    const big = new WebSocket(`${running.url.replace("http", "ws")}/actors/room/connect`, ["stepproof.1"]);
    await new Promise((resolve) => big.once("open", resolve));
    const closed = new Promise<number>((resolve) => big.once("close", resolve));
    big.on("error", () => undefined);
    big.send("x".repeat(2_000_000));
    expect(await closed).toBe(1009);
    raw.destroy();
    expect((await request("/health")).status).toBe(200);
  });
});

describe("upgrades that can't be served", () => {
  /** Asks for an upgrade, and gives the first line of the answer. */
  const upgrade = async (path: string, headers = ""): Promise<string> => {
    const raw = openTcp(Number(new URL(running.url).port), "127.0.0.1");
    const answer = new Promise<string>((resolve, reject) => {
      raw.once("data", (data) => {
        resolve(data.toString().split("\r\n")[0] ?? "");
      });
      raw.once("error", reject);
    });
    raw.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${headers}\r\n`,
    );
    const line = await answer;
    raw.destroy();
    return line;
  };

  test.each(["//", "/actors/%zz/connect", "http://[/connect", "/actors/room"])("%s", async (path) => {
    expect(await upgrade(path)).toBe("HTTP/1.1 404 Not Found");
    expect((await request("/health")).status).toBe(200);
  });

  test("no WebSocket key, and a peer that resets its refused connection at once", async () => {
    expect(await upgrade("/actors/room/connect")).toBe("HTTP/1.1 400 Bad Request");
    for (let i = 0; i < 20; i++) {
      const raw = openTcp(Number(new URL(running.url).port), "127.0.0.1");
      raw.on("error", () => undefined);
      raw.write("GET /nope HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
      raw.resetAndDestroy();
    }
    expect((await request("/health")).status).toBe(200);
  });
});

describe("values and errors cross the wire", () => {
  test("what JSON lacks comes through", async () => {
    const value = {
      at: new Date(5),
      map: new Map([["a", new Set([1n])]]),
      nothing: undefined,
      bytes: new Uint8Array([1, 2]),
      $odd: 1,
    };
    const handle = createClient<R>(running.url).room.getOrCreate();
    expect(await handle.echo(value)).toEqual(value);
    const connection = handle.connect({ params: { who: "ann" } });
    expect(await connection.echo(value)).toEqual(value);
    await connection.dispose();
  });

  test("errors come back as their class with code and metadata, over HTTP and connections", async () => {
    const handle = createClient<R>(running.url).room.getOrCreate();
    const connection = handle.connect({ params: { who: "ann" } });
    for (const refuse of [() => handle.refuse(), () => connection.refuse()]) {
      const error: unknown = await refuse().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({
        code: "refused",
        message: "No.",
        metadata: { why: new Date(0), rows: 5n },
      });
    }
    // Metadata that can't cross is left out; the error comes through.
    for (const refuse of [() => handle.refuseOddly(), () => connection.refuseOddly()]) {
      await expect(refuse()).rejects.toMatchObject({ code: "refused", metadata: undefined });
    }
    await connection.dispose();
  });

  test("with a token, errors of code stay inside; in development they are told", async () => {
    expect(
      ((await post("/actors/room/actions/crash", "{}")).body["error"] as { message: string }).message,
    ).toContain("hunter2");
    running = await start({ token: "secret" });
    const answer = await post("/actors/room/actions/crash", "{}", { authorization: "Bearer secret" });
    expect(code(answer)).toEqual([500, "internal_error"]);
    expect(JSON.stringify(answer.body)).not.toContain("hunter2");
    expect(fromErrorData(answer.body["error"] as never).name).toBe("InternalError");
  });
});

describe("who may call", () => {
  test("other hosts than loopback need a token", async () => {
    await expect(
      startRegistry(registry, { hostname: "0.0.0.0", port: 0, store: new MemoryStore(), log: silentLog }),
    ).rejects.toMatchObject({ code: "token_required" });
  });

  test("with a token nothing but health is open, the inspector neither", async () => {
    running = await start({ token: "secret" });
    expect((await request("/health")).status).toBe(200);
    for (const path of ["/metadata", "/inspector/workflow-history?actor=orders", "/manifest"]) {
      expect(code(await request(path))).toEqual([401, "unauthorized"]);
      expect(code(await request(path, { headers: { authorization: "Bearer wrong" } }))).toEqual([
        401,
        "unauthorized",
      ]);
    }
    await expect(createClient<R>(running.url).room.getOrCreate().list()).rejects.toMatchObject({
      code: "unauthorized",
    });
    const client = createClient<R>({ endpoint: running.url, token: "secret" });
    expect(await client.room.getOrCreate().list()).toEqual([]);
    const connection = client.room.getOrCreate().connect({ params: { who: "ann" } });
    await connection.ready();
    await connection.dispose();
    const uninvited = createClient<R>(running.url)
      .room.getOrCreate()
      .connect({ params: { who: "eve" } });
    await expect(uninvited.ready()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(uninvited.status).toBe("closed");
  });

  test("pages of other origins and names of other hosts are refused unless allowed", async () => {
    expect(code(await request("/metadata", { headers: { origin: "https://evil.example" } }))).toEqual([
      403,
      "origin_refused",
    ]);
    running = await start({ cors: ["https://app.example"] });
    const allowed = await fetch(`${running.url}/metadata`, { headers: { origin: "https://app.example" } });
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "https://app.example",
    ]);
    const socket = new WebSocket(
      `${running.url.replace("http", "ws")}/actors/room/connect`,
      ["stepproof.1"],
      { origin: "https://evil.example" },
    );
    const refused = await new Promise<string>((resolve) =>
      socket.once("error", (error) => {
        resolve(error.message);
      }),
    );
    expect(refused).toContain("403");
  });

  test("a rate limit holds per second", async () => {
    running = await start({ limits: { requestsPerSecond: 5 } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => request("/health")));
    const refusedCount = answers.filter(({ status }) => status === 429).length;
    expect(refusedCount).toBeGreaterThanOrEqual(10);
  });
});

describe("connections", () => {
  test("events reach all, once listeners once, and hooks may refuse", async () => {
    const client = createClient<R>(running.url);
    const ann = client.room.getOrCreate("a").connect({ params: { who: "ann" } });
    const bob = client.room.getOrCreate("a").connect({ params: { who: "bob" } });
    const heard: string[] = [];
    ann.on("said", (who, what) => heard.push(`ann:${who}:${what}`));
    bob.once("said", (who, what) => heard.push(`bob:${who}:${what}`));
    await Promise.all([ann.ready(), bob.ready()]);
    await ann.say("one");
    await bob.say("two");
    await until(
      () => heard.length,
      (count) => count === 3,
    );
    expect(heard.sort()).toEqual(["ann:ann:one", "ann:bob:two", "bob:ann:one"]);
    const mallory = client.room.getOrCreate("a").connect({ params: { who: "mallory" } });
    const errors: Error[] = [];
    mallory.onError((error) => errors.push(error));
    await expect(mallory.ready()).rejects.toMatchObject({ code: "banned" });
    expect(mallory.status).toBe("closed");
    expect(errors).toHaveLength(1);
    await Promise.all([ann.dispose(), bob.dispose()]);
  });

  test("one that the actor ends stays ended, whatever the reason's length; a destroyed instance is not made anew", async () => {
    const handle = createClient<R>(running.url).room.getOrCreate("e");
    const kicked = handle.connect({ params: { who: "ann" } });
    await kicked.ready();
    await kicked.kick("né".repeat(200)).catch(() => undefined); // the answer may come after the end
    await until(
      () => kicked.status,
      (status) => status === "closed",
    );
    await expect(kicked.list()).rejects.toMatchObject({ code: "connection_failed" });
    const watching = handle.connect({ params: { who: "bob" } });
    await watching.ready();
    // So does one that was disposed of.
    const left = handle.connect({ params: { who: "cid" } });
    await left.ready();
    await left.dispose();
    await expect(left.list()).rejects.toMatchObject({ code: "connection_failed" });
    await handle.end();
    await until(
      () => watching.status,
      (status) => status === "closed",
    );
    await expect(createClient<R>(running.url).room.get("e").list()).rejects.toMatchObject({
      code: "actor_not_found",
    });
  });

  test("one that onConnect refuses is not counted as open", async () => {
    const late = createClient<R>(running.url)
      .room.getOrCreate("l")
      .connect({ params: { who: "late" } });
    await expect(late.ready()).rejects.toMatchObject({ code: "late" });
    const { body } = await request("/inspector/connections?actor=room&key=l");
    expect(body).toEqual({ connections: [] });
  });

  test("they reconnect after a restart and go on hearing", async () => {
    const store = new (class extends MemoryStore {
      override close(): Promise<void> {
        return Promise.resolve();
      }
    })();
    running = await start({ store });
    const port = Number(new URL(running.url).port);
    const connection = createClient<R>(running.url)
      .room.getOrCreate()
      .connect({ params: { who: "ann" } });
    const heard: string[] = [];
    const statuses: string[] = [];
    connection.on("said", (_who, what) => heard.push(what));
    connection.onStatus((status) => statuses.push(status));
    expect(await connection.say("before")).toBe(1);
    await running.stop();
    await until(
      () => connection.status,
      (status) => status !== "connected",
    );
    running = await start({ store, port });
    expect(await connection.say("after")).toBe(2);
    await until(
      () => heard.length,
      (count) => count === 2,
    );
    expect(statuses).toContain("disconnected");
    await connection.dispose();
  });

  test("a client that reads too slowly is dropped, others go on", async () => {
    running = await start({ limits: { maxBacklog: 500_000 } });
    const slowReader = new WebSocket(`${running.url.replace("http", "ws")}/actors/room/connect`, [
      "stepproof.1",
    ]);
    await new Promise((resolve) => slowReader.once("open", resolve));
    slowReader.send(JSON.stringify({ t: "open", params: { who: "slow" } }));
    await new Promise((resolve) => slowReader.once("message", resolve));
    (slowReader as unknown as { _socket: { pause(): void } })._socket.pause();
    const handle = createClient<R>(running.url).room.getOrCreate();
    const connectionsLeft = async () =>
      ((await request("/inspector/connections?actor=room")).body["connections"] as unknown[]).length;
    expect(await connectionsLeft()).toBe(1);
    for (let i = 0; i < 5; i++) await handle.flood();
    (slowReader as unknown as { _socket: { resume(): void } })._socket.resume();
    await until(connectionsLeft, (count) => count === 0);
    expect(await handle.list()).toEqual([]);
    slowReader.terminate();
  });

  test("more connections than the limit are refused", async () => {
    running = await start({ limits: { maxConnections: 3 } });
    const sockets = Array.from(
      { length: 5 },
      () => new WebSocket(`${running.url.replace("http", "ws")}/actors/room/connect`, ["stepproof.1"]),
    );
    const results = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<string>((resolve) => {
            socket.once("open", () => {
              resolve("open");
            });
            socket.once("error", (error) => {
              resolve(error.message);
            });
          }),
      ),
    );
    expect(results.filter((result) => result === "open")).toHaveLength(3);
    expect(results.filter((result) => result.includes("503"))).toHaveLength(2);
    for (const socket of sockets) socket.terminate();
  });
});

describe("a client that can't connect is told, not ended", () => {
  test("no address", async () => {
    const connection = createClient<R>("nowhere")
      .room.getOrCreate()
      .connect({ params: { who: "ann" } });
    const told: Error[] = [];
    connection.onError((error) => told.push(error));
    await expect(connection.ready()).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining('"nowhere" is no address to connect to') as string,
    });
    expect(told).toHaveLength(1);
  });

  test("params that can't be sent are refused where they are given", () => {
    const params = { who: (() => "ann") as unknown as string };
    expect(() => createClient<R>(running.url).room.getOrCreate().connect({ params })).toThrow(/params/);
  });
});

describe("queues", () => {
  test("send with wait gives the response or timedOut", async () => {
    const client = createClient<R>(running.url);
    expect(await client.orders.getOrCreate().send("order", { id: 5 }, { wait: true })).toEqual({
      status: "completed",
      response: { ok: true },
    });
    await client.slow.getOrCreate().resolve();
    expect(await client.slow.getOrCreate().send("x", 1, { wait: true, timeout: 10 })).toEqual({
      status: "timedOut",
    });
    expect(await client.orders.getOrCreate().send("order", { id: 5 })).toBeUndefined();
  });

  test("a negative timeout is refused, over HTTP and over connections", async () => {
    const handle = createClient<R>(running.url).orders.getOrCreate();
    const connection = handle.connect();
    for (const sender of [handle, connection]) {
      await expect(sender.send("order", { id: 5 }, { wait: true, timeout: -1 })).rejects.toMatchObject({
        code: "bad_request",
      });
    }
    await connection.dispose();
  });

  test("a full queue refuses", async () => {
    const client = createClient<R>(running.url);
    const handle = client.slow.getOrCreate();
    for (let i = 0; i < 20; i++) await handle.send("x", 1);
    await expect(handle.send("x", 1)).rejects.toMatchObject({ code: "queue_full" });
  });
});

describe("the inspector", () => {
  test("shows history, summary, state, queue and connections, and replays", async () => {
    const client = createClient<R>(running.url);
    await client.orders.getOrCreate("main").send("order", { id: 1 }, { wait: true });
    await client.room.getOrCreate("main").say("hi");
    const get = async (path: string) => (await request(`/inspector/${path}`)).body;
    expect(await get("workflow-history?actor=orders&key=main")).toMatchObject({
      isWorkflowEnabled: true,
      history: { status: "sleeping" },
    });
    expect(await get("workflow-history?actor=room&key=main")).toEqual({
      isWorkflowEnabled: false,
      history: null,
    });
    expect(await get("summary?actor=orders&key=main")).toMatchObject({
      name: "orders",
      key: ["main"],
      isWorkflowEnabled: true,
      workflowStatus: "sleeping",
      queueSize: 0,
    });
    expect(await get("state?actor=room&key=main")).toEqual({ state: { messages: ["hi"] } });
    expect(await get("queue?actor=orders&key=main")).toEqual({ size: 0, messages: [] });
    expect(await get("connections?actor=room&key=main")).toEqual({ connections: [] });
    expect(
      ((await get("instances"))["instances"] as { instance: string }[]).map(({ instance }) => instance),
    ).toEqual(["orders/main", "room/main"]);
    expect(code(await request("/inspector/summary?actor=room&key=other"))).toEqual([404, "actor_not_found"]);
    await client.slow.getOrCreate("main").resolve();
    await until(
      async () => (await get("summary?actor=slow&key=main"))["workflowStatus"],
      (status) => status === "running",
    );
    expect(code(await post("/inspector/workflow/replay?actor=slow&key=main", ""))).toEqual([
      409,
      "workflow_in_flight",
    ]);
    expect(code(await post("/inspector/workflow/replay?actor=orders&key=main&from=nope", ""))).toEqual([
      400,
      "entry_not_found",
    ]);
    expect((await post("/inspector/workflow/replay?actor=orders&key=main", "")).status).toBe(200);
  });
});
