import { decodeValue, encodeValue } from "../engine/codec.js";
import type { ConnectionWatch, Target, Transport, TransportConnection } from "../client/transport.js";
import type { CallChain } from "./call-chain.js";
import type { ConnectionSink, LiveConnection } from "./connections.js";
import { ConnectionError } from "./errors.js";
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
      const ending: Ending = { error: null };
      const opened = openConnection(host, chain, target, params, {
        event: (name, args) => {
          watch.event(name, copy(args, `The arguments of event "${name}"`));
        },
        close: (reason) => {
          if (ending.error !== null) return;
          ending.error = new ConnectionError(`The actor ended the connection: ${reason}`);
          watch.status("closed");
          opened
            .then(({ instance, connection }) => instance.disconnect(connection.id))
            .catch((error: unknown) => {
              host.log.error({ err: error }, "What follows the end of a connection failed.");
            });
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
      return connectionOver(opened, chain, watch, ending);
    },
  };
}

/** Why a connection takes no more calls; `null` while it does. */
interface Ending {
  error: Error | null;
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
  sink: ConnectionSink,
): Promise<Opened> {
  const instance = await host.instanceFor(target, chain);
  return { instance, connection: await instance.connect(params, sink) };
}

function connectionOver(
  opened: Promise<Opened>,
  chain: CallChain,
  watch: ConnectionWatch,
  ending: Ending,
): TransportConnection {
  const living = async (): Promise<Opened> => {
    const found = await opened;
    if (ending.error !== null) throw ending.error;
    return found;
  };
  return {
    ready: async () => {
      await opened;
    },
    action: async (name, args) => {
      const { instance, connection } = await living();
      const copied = copy(args, `The arguments of action "${name}"`);
      return await instance.callAction(name, copied, { chain, connection });
    },
    send: async (queue, body, request) => {
      const { instance } = await living();
      return await instance.receive(queue, body, request, chain);
    },
    close: async () => {
      const { instance, connection } = await opened;
      if (ending.error !== null) return;
      ending.error = new ConnectionError("The connection was closed.");
      await instance.disconnect(connection.id);
      watch.status("closed");
    },
  };
}
