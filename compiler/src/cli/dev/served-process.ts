import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { packageFolder } from "../../package.js";
import type { ServeMessage, ServeOrder } from "./messages.js";

/** How long a process may take to put its instances to sleep, in ms; then it is killed. Nothing is lost by that. */
const GRACE_MS = 20_000;

/** What became of a process that was started. */
export type Started =
  | ServeMessage
  /** It ended before it served: its own output says why. */
  | { readonly say: "ended"; readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** One process that runs the registry, on its own output streams. */
export class ServedProcess {
  private constructor(private readonly child: ChildProcess) {}

  /**
   * Starts a process; resolves as soon as it serves, or can't.
   * @param cwd where it runs.
   */
  static async start(order: ServeOrder, cwd: string): Promise<{ process: ServedProcess; started: Started }> {
    const dist = join(packageFolder(), "dist");
    const child = fork(join(dist, "cli/dev/serve.js"), [JSON.stringify(order)], {
      cwd,
      // In this order: the plugin must see the source as written, before it is turned into JavaScript.
      execArgv: [join(dist, "register.js"), import.meta.resolve("tsx")].flatMap((hooks) => [
        "--import",
        hooks,
      ]),
      env: { NODE_ENV: "development", ...process.env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const started = await Promise.race([
      once(child, "message").then(([message]) => message as ServeMessage),
      once(child, "exit").then(([code, signal]) => ({
        say: "ended" as const,
        code: code as number | null,
        signal: signal as NodeJS.Signals | null,
      })),
    ]);
    return { process: new ServedProcess(child), started };
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Calls back when it ends by itself. */
  onEnd(listener: (code: number | null, signal: NodeJS.Signals | null) => void): void {
    this.child.on("exit", listener);
  }

  /** Puts its instances to sleep and ends it; resolves when it is gone. */
  async stop(): Promise<void> {
    this.child.removeAllListeners("exit");
    if (!this.isRunning) return;
    const gone = once(this.child, "exit");
    this.child.kill("SIGTERM");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), GRACE_MS);
    await gone;
    clearTimeout(timer);
  }
}
