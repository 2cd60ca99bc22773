import { pino } from "pino";
import type { HostLog } from "../host/log.js";

/** The log of a started registry: JSON lines on stderr, warnings and worse, with what workflows log. */
export function serverLog(): HostLog {
  return pino({ level: "info", base: null }, pino.destination({ dest: 2, sync: false }));
}
