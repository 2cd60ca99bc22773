import type { CronFire } from "../types/index.js";
import type { Job } from "./jobs.js";
import { Overlay } from "./overlay.js";

/** A broadcast (`conn: null`) or an event to one connection. */
export interface PendingEvent {
  readonly conn: string | null;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A message to the instance's own queue. */
export interface PendingMessage {
  readonly queue: string;
  readonly body: unknown;
}

/**
 * What a step, action or hook did besides changing the state: kept apart until it ends, then made durable
 * in its commit, and seen by others only after that.
 */
export interface Effects {
  readonly messages: PendingMessage[];
  readonly events: PendingEvent[];
  readonly kv: Overlay<string>;
  readonly jobs: Overlay<Job>;
  destroy: boolean;
}

/** What an instance keeps in memory besides its state. */
export interface InstanceTables {
  readonly kv: Map<string, string>;
  /** By record key. */
  readonly jobs: Map<string, Job>;
  /** Runs of cron jobs by record key, oldest first. */
  readonly fires: Map<string, CronFire>;
}

/** Nothing done yet. */
export function noEffects(tables: InstanceTables): Effects {
  return {
    messages: [],
    events: [],
    kv: new Overlay(tables.kv),
    jobs: new Overlay(tables.jobs),
    destroy: false,
  };
}
