import type { EngineDriver, KVEntry, WorkflowMessageDriver } from "@rivetkit/workflow-engine";
import { InMemoryDriver } from "@rivetkit/workflow-engine/testing";

/** The queue of the published engine's own test store, which waits for messages too. */
type Queue = WorkflowMessageDriver & {
  waitForMessages(names: string[], signal: AbortSignal): Promise<void>;
};

/** A store in memory that answers at once: the published engine alone, without what its own test store waits. */
export class InstantDriver implements EngineDriver {
  readonly messageDriver = new InMemoryDriver().messageDriver as Queue;
  /** By the hexadecimal text of the key, whose order is that of the bytes. */
  private readonly kept = new Map<string, KVEntry>();

  /** @param workerPollInterval a sleep that is shorter is waited for in memory, ms. */
  constructor(readonly workerPollInterval = 0) {}

  get(key: Uint8Array): Promise<Uint8Array | null> {
    return Promise.resolve(this.kept.get(hex(key))?.value ?? null);
  }

  set(key: Uint8Array, value: Uint8Array): Promise<void> {
    this.kept.set(hex(key), { key, value });
    return Promise.resolve();
  }

  delete(key: Uint8Array): Promise<void> {
    this.kept.delete(hex(key));
    return Promise.resolve();
  }

  batchDelete(keys: Uint8Array[]): Promise<void> {
    for (const key of keys) this.kept.delete(hex(key));
    return Promise.resolve();
  }

  deletePrefix(prefix: Uint8Array): Promise<void> {
    const start = hex(prefix);
    for (const key of this.kept.keys()) if (key.startsWith(start)) this.kept.delete(key);
    return Promise.resolve();
  }

  deleteRange(from: Uint8Array, to: Uint8Array): Promise<void> {
    const [start, end] = [hex(from), hex(to)];
    for (const key of this.kept.keys()) if (key >= start && key < end) this.kept.delete(key);
    return Promise.resolve();
  }

  list(prefix: Uint8Array): Promise<KVEntry[]> {
    const start = hex(prefix);
    const found = [...this.kept].filter(([key]) => key.startsWith(start));
    return Promise.resolve(found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry));
  }

  batch(writes: { key: Uint8Array; value: Uint8Array }[]): Promise<void> {
    for (const { key, value } of writes) this.kept.set(hex(key), { key, value });
    return Promise.resolve();
  }

  setAlarm(): Promise<void> {
    return Promise.resolve();
  }

  clearAlarm(): Promise<void> {
    return Promise.resolve();
  }

  waitForMessages(names: string[], signal: AbortSignal): Promise<void> {
    return this.messageDriver.waitForMessages(names, signal);
  }
}

const hex = (key: Uint8Array): string => Buffer.from(key).toString("hex");
