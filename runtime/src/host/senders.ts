import type { Message } from "../engine/mailbox.js";
import type { Clock } from "../engine/ports.js";
import type { SendRequest } from "../client/transport.js";
import type { SendResult } from "../types/index.js";

interface Waiter {
  resolve(result: SendResult<unknown>): void;
  reject(error: unknown): void;
}

/** Senders who wait for the completion of their message. They wait in memory: a restart ends it. */
export class Senders {
  private readonly waiters = new Map<string, Waiter>();

  constructor(
    private readonly clock: Clock,
    /** Called each time one has been answered or has given up. */
    private readonly left: () => void,
  ) {}

  get size(): number {
    return this.waiters.size;
  }

  /** Resolves when the message is completed, or as `timedOut`; rejects when the sender gives up. */
  wait(message: Message, { timeout, signal }: SendRequest): Promise<SendResult<unknown>> {
    const { clock } = this;
    let release = (): void => undefined;
    const completed = new Promise<SendResult<unknown>>((resolve, reject) => {
      const late = (): void => {
        resolve({ status: "timedOut" });
      };
      const aborted = (): void => {
        reject(signal?.reason instanceof Error ? signal.reason : new Error("The send was aborted."));
      };
      this.waiters.set(message.id, { resolve, reject });
      const cancel = timeout === undefined ? null : clock.timer(clock.now() + timeout, late);
      if (signal?.aborted === true) aborted();
      signal?.addEventListener("abort", aborted, { once: true });
      release = () => {
        cancel?.();
        signal?.removeEventListener("abort", aborted);
        this.waiters.delete(message.id);
        this.left();
      };
    });
    return completed.finally(() => {
      release();
    });
  }

  /** The completion is durable: the sender is answered. */
  completed(message: Message, response: unknown): void {
    const result = response === undefined ? {} : { response };
    this.waiters.get(message.id)?.resolve({ status: "completed", ...result });
  }

  /** Tells all that no answer will come from here. */
  refuse(error: unknown): void {
    for (const { reject } of this.waiters.values()) reject(error);
  }
}
