/**
 * The process that `stepproof dev` starts anew after each change: loads the module with the registry, through the
 * hooks that check and transform it, and starts the registry if the module does not do so itself.
 */
import { pathToFileURL } from "node:url";
import type { ServeMessage, ServeOrder } from "./messages.js";

/** A registry of `@stepproof/runtime`, as far as it matters here. It is the user's own copy that runs. */
interface StartableRegistry {
  readonly kind: "registry";
  readonly definitions: Readonly<Record<string, unknown>>;
  /** Set once the module has started it by itself. */
  readonly running: Promise<{ readonly url: string }> | null;
  start(options: { readonly file: string; readonly port: number }): Promise<{ readonly url: string }>;
}

function isRegistry(value: unknown): value is StartableRegistry {
  return (
    typeof value === "object" &&
    value !== null &&
    (value as Partial<StartableRegistry>).kind === "registry" &&
    typeof (value as Partial<StartableRegistry>).start === "function"
  );
}

/** A database or port that can't be had: the runtime's text says what to do, its stack says nothing more. */
function isForPeople(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function tell(message: ServeMessage): void {
  process.send?.(message);
}

const order = JSON.parse(process.argv[2] ?? "{}") as ServeOrder;
const exported = (await import(pathToFileURL(order.entry).href)) as Record<string, unknown>;
const registry = Object.values(exported).find(isRegistry);
if (registry === undefined) {
  tell({ say: "no-registry", exports: Object.keys(exported) });
} else {
  try {
    const { url } = await (registry.running ?? registry.start({ file: order.file, port: order.port }));
    tell({ say: "serving", url, names: Object.keys(registry.definitions) });
  } catch (error) {
    if (!isForPeople(error)) throw error;
    tell({ say: "unstartable", reason: error.message });
    process.exitCode = 1;
  }
}
// An open channel alone must not keep a process without a registry alive; without its parent it ends as if told to.
process.channel?.unref();
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
