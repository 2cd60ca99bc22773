import fc from "fast-check";
import { test } from "vitest";
import { decodeValue, encodeValue, encodeRecord, decodeRecord } from "../../../runtime/src/engine/codec.js";
import { SerializationError } from "../../../runtime/src/engine/errors.js";
import { createEngine } from "../../../runtime/src/engine/index.js";
import { readHistory } from "../../../runtime/src/engine/operate/index.js";
import { readManifest, writeManifest, ManifestError } from "../../../runtime/src/manifest/index.js";
import { MemoryStore } from "../../../runtime/src/store/memory.js";
import { difference } from "../../../runtime/src/testing/difference.js";
import { ManualClock } from "../../../runtime/src/testing/manual-clock.js";
import { each, hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { closureOf } from "../program/closure.js";
import { manifestOfProgram } from "../program/manifest.js";
import type { Context } from "../program/running.js";
import type { Block } from "../program/tree.js";
import { showProgram } from "../show.js";
import type { Tally } from "../tally.js";
import { NotingWorld } from "../world.js";

/*
 * Law 7. Any history, manifest and value survives encode and decode; any change of a byte of a stored record is
 * detected or harmless.
 */

interface Case {
  readonly program: Block;
  readonly value: unknown;
  /** Which record, at which place, and what is put there. */
  readonly damage: { readonly record: number; readonly at: number; readonly to: string };
}

/** What a recorder must bring back (design §4.14). Made from JSON, so that a kept case can be read. */
const value = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: false,
  maxDepth: 3,
});

test(
  "histories, manifests and values come back; a damaged record is detected or does no harm",
  { timeout: 0 },
  async () => {
    await hold<Case>({
      name: "codec",
      cases: fc.record({
        program: program({ size: { root: 4, block: 2, depth: 2 } }),
        value,
        damage: fc.record({
          record: fc.nat(50),
          at: fc.nat(400),
          to: fc.string({ minLength: 1, maxLength: 1 }),
        }),
      }),
      runs: 150,
      show: (one) => `${showProgram(one.program)}\n${fc.stringify(one.value)}\n${JSON.stringify(one.damage)}`,
      demands: { values: 120, manifests: 150, histories: 120, "damage detected": 60 },
      holds: each(async (one, tally) => {
        comesBack(one.value, tally);
        manifestComesBack(one.program, one.damage, tally);
        await historyComesBack(one, tally);
      }),
    });
  },
);

function comesBack(original: unknown, tally: Tally): void {
  let encoded: unknown;
  try {
    encoded = encodeValue(original, "The value");
  } catch (error) {
    if (!(error instanceof SerializationError)) throw error;
    tally.count("values refused");
    return;
  }
  tally.count("values");
  const [back] = decodeRecord("host", encodeRecord("host", [encoded]), "i", "k").map(decodeValue);
  if (fc.stringify(back) !== fc.stringify(original))
    throw new Error(`${fc.stringify(original)} comes back as ${fc.stringify(back)}.`);
}

function manifestComesBack(block: Block, { at, to }: Case["damage"], tally: Tally): void {
  const manifest = manifestOfProgram(block);
  const text = writeManifest(manifest);
  const back = readManifest(text);
  const differs = difference(back, manifest) ?? (writeManifest(back) === text ? null : "its text");
  if (differs !== null) throw new Error(`A manifest does not come back: ${differs}`);
  tally.count("manifests");
  const damaged = replaced(text, at * 7, to);
  try {
    readManifest(damaged);
    tally.count("manifests damaged and read");
  } catch (error) {
    // Anything else would be a fault of the reader on bad input.
    if (!(error instanceof ManifestError)) throw error;
    tally.count("manifest damage detected");
  }
}

async function historyComesBack({ program: block, damage }: Case, tally: Tally): Promise<void> {
  const store = new MemoryStore();
  const before = await settle(block, store, false);
  const { records } = await store.read("program/1");
  const again = await settle(block, await copyOf(store), false);
  const differs = difference(again, before);
  if (differs !== null) throw new Error(`A history does not come back: ${differs}`);
  tally.count("histories");
  const victim = records[damage.record % Math.max(1, records.length)];
  if (victim === undefined) return;
  const text = replaced(victim.value, damage.at, damage.to);
  if (text === victim.value) return;
  const hurt = await copyOf(store);
  await hurt.commit({
    instance: "program/1",
    puts: new Map([[victim.key, text]]),
    deletes: new Set(),
    deleteRanges: [],
    due: undefined,
    removeInstance: false,
  });
  const after = await settle(block, hurt, true);
  if (isDetected(after)) {
    tally.count("damage detected");
    return;
  }
  const harm = difference(after, before);
  if (harm !== null)
    throw new Error(
      `Record ${victim.key} was changed from\n${victim.value}\nto\n${text}\nand nobody noticed: ${harm}`,
    );
  tally.count("damage that did no harm");
}

interface Settled {
  readonly status: string;
  readonly error: string | undefined;
  readonly entries: readonly unknown[];
}

/** Parked with an error that says so, or refused when it is opened. */
const isDetected = ({ status, error }: Settled): boolean =>
  (status === "parked" || status === "refused") && error !== undefined;

/** Runs the program on what is stored until it waits or ends. */
async function settle(block: Block, store: MemoryStore, damaged: boolean): Promise<Settled> {
  const run = closureOf(block, new NotingWorld());
  const clock = new ManualClock();
  const engine = createEngine({
    store,
    clock,
    workflows: { program: (context) => run(context as unknown as Context) },
    onInternalError: () => undefined,
  });
  await engine.start();
  try {
    const handle = damaged ? engine.handle("program", "1") : await engine.create("program", "1");
    await clock.advance(0);
    const { status, error, entries } = await handle.use(readHistory);
    await engine.stop();
    return {
      status: status === "running" ? "sleeping" : status,
      error: error?.message,
      entries: entries.map(({ messageId: _, error: __, ...entry }) => entry),
    };
  } catch (error) {
    return { status: "refused", error: error instanceof Error ? error.message : String(error), entries: [] };
  }
}

async function copyOf(store: MemoryStore): Promise<MemoryStore> {
  const { records, due } = await store.read("program/1");
  const copy = new MemoryStore();
  await copy.commit({
    instance: "program/1",
    puts: new Map(records.map(({ key, value: text }) => [key, text])),
    deletes: new Set(),
    deleteRanges: [],
    due,
    removeInstance: false,
  });
  return copy;
}

function replaced(text: string, at: number, to: string): string {
  const place = at % Math.max(1, text.length);
  return text.slice(0, place) + to + text.slice(place + 1);
}
