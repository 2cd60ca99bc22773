import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that an example made to the outside. */
export interface OutsideCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Stands in for the outside hosts of the examples. */
export interface Stub {
  readonly calls: readonly OutsideCall[];
  /** What a path answers: JSON, or `status` ≥ 400 to fail. The longest matching prefix counts. */
  answer(
    prefix: string,
    reply: (call: OutsideCall) => { readonly status?: number; readonly json?: unknown },
  ): void;
  count(path: string): number;
  close(): Promise<void>;
}

const OUTSIDE = ["api.example.com", "api.stripe.com"];

/**
 * Starts a server and sends `fetch` calls to the examples' hosts there. The product is not touched: only
 * the test's own global `fetch` is wrapped.
 */
export async function startStub(): Promise<Stub> {
  const calls: OutsideCall[] = [];
  const replies = new Map<string, (call: OutsideCall) => { status?: number; json?: unknown }>();
  const server = createServer((request, response) => {
    void (async () => {
      const call: OutsideCall = {
        method: request.method ?? "",
        path: request.url ?? "",
        body: await bodyOf(request),
      };
      calls.push(call);
      const prefix = [...replies.keys()]
        .filter((key) => call.path.startsWith(key))
        .sort((a, b) => b.length - a.length)[0];
      const { status = 200, json = {} } = prefix === undefined ? {} : (replies.get(prefix)?.(call) ?? {});
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const realFetch = globalThis.fetch;
  globalThis.fetch = ((input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isOutside = OUTSIDE.includes(url.hostname);
    return realFetch(isOutside ? base + url.pathname + url.search : input, init);
  }) as typeof fetch;
  return {
    calls,
    answer: (prefix, reply) => replies.set(prefix, reply),
    count: (path) => calls.filter((call) => call.path === path).length,
    close: async () => {
      globalThis.fetch = realFetch;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
