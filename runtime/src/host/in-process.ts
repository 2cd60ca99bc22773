import { decodeValue, encodeValue } from "../engine/codec.js";
import type { ConnectionWatch, Target, Transport, TransportConnection } from "../client/transport.js";
import type { CallChain } from "./call-chain.js";
import type { LiveConnection } from "./connections.js";
import type { Host } from "./host.js";
import type { Instance } from "./instance.js";

/** Values are copied, so that caller and instance never share an object. */
function copy(args: readonly unknown[], what: string): unknown[] {
  return decodeValue(encodeValue(args, what)) as unknown[];
}

/** Calls instances of the same process directly. */
export function inProcess(host: Host, chain: CallChain): Transport {
  return {
    action: async (target, name, args) => {
      const instance = await host.instanceFor(target, chain);
      return await instance.callAction(name, copy(args, `The arguments of action "${name}"`), { chain });
    },
    send: (target, queue, body, request) => host.send(target, { queue, body }, request, chain),
    create: async (name, key, input) => (await host.create(name, key, input, chain)).actorId,
    resolve: async (target) => (await host.instanceFor(target, chain)).actorId,
    connect: (target, params, watch) => {
      watch.status("connecting");
      const opened = openConnection(host, chain, target, params, {
        event: (name, args) => {
          watch.event(name, copy(args, `The arguments of event "${name}"`));
        },
        close: () => {
          watch.status("closed");
        },
      });
      opened.then(
        () => {
          watch.status("connected");
        },
        (error: unknown) => {
          watch.error(error instanceof Error ? error : new Error(String(error)));
          watch.status("closed");
        },
      );
      return connectionOver(opened, chain, watch);
    },
  };
}

interface Opened {
  readonly instance: Instance;
  readonly connection: LiveConnection;
}

async function openConnection(
  host: Host,
  chain: CallChain,
  target: Target,
  params: unknown,
  sink: { event(name: string, args: readonly unknown[]): void; close(): void },
): Promise<Opened> {
  const instance = await host.instanceFor(target, chain);
  return { instance, connection: await instance.connect(params, sink) };
}

function connectionOver(
  opened: Promise<Opened>,
  chain: CallChain,
  watch: ConnectionWatch,
): TransportConnection {
  return {
    ready: async () => {
      await opened;
    },
    action: async (name, args) => {
      const { instance, connection } = await opened;
      const copied = copy(args, `The arguments of action "${name}"`);
      return await instance.callAction(name, copied, { chain, connection });
    },
    send: async (queue, body, request) => {
      const { instance } = await opened;
      return await instance.receive(queue, body, request, chain);
    },
    close: async () => {
      const { instance, connection } = await opened;
      await instance.disconnect(connection.id);
      watch.status("closed");
    },
  };
}
