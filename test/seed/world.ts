import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@stepproof/runtime/client";
import type { AnyRegistry, ClientOf } from "@stepproof/runtime";
import { startRegistry, type Running } from "../../runtime/src/server/start.js";
import { silentLog } from "../../runtime/src/host/log.js";
import { ManualClock } from "../../runtime/src/testing/manual-clock.js";

/** One example on a real server, client and SQLite file, with a clock that the test moves. */
export class World<R extends AnyRegistry> {
  readonly clock = new ManualClock();
  client!: ClientOf<R>;
  private running!: Running<R>;
  private generation = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), "stepproof-seed-"));

  private constructor(private readonly registry: R) {}

  static async start<R extends AnyRegistry>(registry: R): Promise<World<R>> {
    const world = new World(registry);
    await world.boot();
    return world;
  }

  get url(): string {
    return this.running.url;
  }

  private get file(): string {
    return join(this.folder, String(this.generation), "data.sqlite");
  }

  private async boot(): Promise<void> {
    const options = { file: this.file, port: 0, log: silentLog, clock: this.clock, signals: false };
    this.running = await startRegistry(this.registry, options);
    this.client = createClient<R>(this.running.url);
  }

  /** Stops gracefully and starts again on the same file. */
  async restart(): Promise<void> {
    await this.running.stop();
    await this.boot();
  }

  /**
   * As if the process had been killed now: goes on from a copy of the database file as it lies on disk at
   * this moment. What the old process does from here on is lost.
   */
  async crash(): Promise<void> {
    const before = join(this.folder, String(this.generation));
    this.generation++;
    cpSync(before, join(this.folder, String(this.generation)), { recursive: true });
    await this.running.stop();
    await this.boot();
  }

  async close(): Promise<void> {
    await this.running.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The instance's workflow, as the inspector shows it. */
  async inspect(actor: string, key = "main"): Promise<WorkflowView> {
    const response = await fetch(`${this.url}/inspector/workflow-history?actor=${actor}&key=${key}`);
    return (await response.json()) as WorkflowView;
  }

  /** Waits for `probe` to give what is wanted; time itself stands still. */
  async until<T>(probe: () => Promise<T> | T, wanted: (value: T) => boolean): Promise<T> {
    const deadline = performance.now() + 10_000;
    for (;;) {
      const value = await probe();
      if (wanted(value)) return value;
      if (performance.now() > deadline)
        throw new Error(`It did not come to be; last seen: ${JSON.stringify(value)}`);
      await this.clock.advance(0);
    }
  }
}

export interface WorkflowView {
  readonly isWorkflowEnabled: boolean;
  readonly history: {
    readonly status: string;
    readonly error?: { readonly name: string; readonly message: string };
    readonly entries: readonly {
      readonly path: string;
      readonly kind: string;
      readonly status: string;
      readonly attempts?: number;
    }[];
  } | null;
}
