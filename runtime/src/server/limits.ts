/** What a server takes before it refuses. Sizes in bytes, times in ms. */
export interface Limits {
  /** Largest request body and WebSocket frame. */
  readonly maxBodySize: number;
  /** Open WebSocket connections. */
  readonly maxConnections: number;
  /** Requests and frames of one remote address per second. `Infinity` for no limit. */
  readonly requestsPerSecond: number;
  /** Bytes that may wait for a slow client before its connection is ended. */
  readonly maxBacklog: number;
  /** Pause between two heartbeats; a connection that misses one is ended. */
  readonly heartbeat: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxBodySize: 1_048_576,
  maxConnections: 10_000,
  requestsPerSecond: Infinity,
  maxBacklog: 4_194_304,
  heartbeat: 30_000,
};

/** Counts requests per remote address in windows of one second. */
export class RateLimit {
  private counts = new Map<string, number>();
  private window = 0;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number,
  ) {}

  /** False when `address` has used up this second. */
  admit(address: string): boolean {
    if (this.perSecond === Infinity) return true;
    const window = Math.floor(this.now() / 1000);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    const count = (this.counts.get(address) ?? 0) + 1;
    this.counts.set(address, count);
    return count <= this.perSecond;
  }
}
