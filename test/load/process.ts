import { fork, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const SERVE = fileURLToPath(new URL("./serve.ts", import.meta.url));

/** A server process that can be killed and started again on the same file and port. */
export class ServedProcess {
  private child: ChildProcess | null = null;

  constructor(
    private readonly file: string,
    readonly port: number,
    private readonly maxConnections = 10_000,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  async start(): Promise<void> {
    const child = fork(SERVE, [this.file, String(this.port), String(this.maxConnections)], {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => {
        resolve();
      });
      child.once("exit", (code) => {
        reject(new Error(`The server ended with ${String(code)} before it was ready.`));
      });
    });
  }

  /** SIGKILL: nothing is finished, nothing is said. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    this.child = null;
  }

  /** As `kill`, without waiting: for the end of the process. */
  killNow(): void {
    this.child?.kill("SIGKILL");
  }

  /** Resident memory of the process, in bytes. */
  memory(): Promise<number> {
    return new Promise((resolve) => {
      this.child?.once("message", (rss) => {
        resolve(Number(rss));
      });
      this.child?.send("memory");
    });
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
