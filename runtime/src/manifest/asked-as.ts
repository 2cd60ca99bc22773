import type { GateRange, Reads } from "./format.js";
import { gateKey, instanceName } from "./names.js";
import type { Gates } from "./old-run.js";

/** What a condition (or whatever else decides) asks: equal ones have equal answers on equal recorded data. */
interface Asking {
  readonly text: string;
  readonly reads?: Reads;
}

/**
 * What it asks when the gates have these versions; `null` when that is not known, so that nothing is known to ask
 * the same.
 */
export function askedAs({ text, reads }: Asking, gates: Gates): string | null {
  // Written by hand: the text says it all.
  if (reads === undefined) return text;
  const [first] = reads.ways;
  if (first === undefined) return null;
  const way = reads.ways.find(({ when }) => when === undefined || when.every((range) => isIn(range, gates)));
  // A gate whose version is not known: the same for what asks the same under every version of it.
  return asNative(way?.native ?? JSON.stringify(reads.ways));
}

/** All that it can ask, whatever the versions. */
export function askable({ text, reads }: Asking): readonly string[] {
  if (reads === undefined) return [text];
  const natives = reads.ways.map(({ native }) => native);
  return [...new Set(natives.length > 1 ? [...natives, JSON.stringify(reads.ways)] : natives)].map(asNative);
}

const asNative = (native: string): string => `computed ${native}`;

function isIn({ name, from, to }: GateRange, gates: Gates): boolean {
  const version = gates.get(gateKey(instanceName(name, [])));
  return version !== undefined && version >= from && (to === null || version <= to);
}
