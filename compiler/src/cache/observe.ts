import { createHash } from "node:crypto";
import type { Disk, Listing } from "../host/disk.js";

/**
 * Every answer that a disk gave during a run. A later run to which a disk gives the same answers can only come to
 * the same result: this is what the cache stands on, so nothing has to guess what a result depends on.
 */
export interface Observations {
  /** Hash of each file's text, `""` where there was none to read. */
  readonly texts: Readonly<Record<string, string>>;
  /** Hash of all these texts, in order: most often none has changed, and one hash is soon made. */
  readonly allTexts: string;
  readonly kinds: Readonly<Record<string, "file" | "folder" | "">>;
  readonly realpaths: Readonly<Record<string, string>>;
  /** Hash of the names in each folder, by the folder and the ends of names that were asked for (`FOLDER?.ts,.tsx`). */
  readonly listings: Readonly<Record<string, string>>;
}

/**
 * A disk that answers like another and notes what it said. Within one run each question has one answer, also when
 * the disk changes meanwhile.
 */
export function observe(disk: Disk): { readonly disk: Disk; readonly seen: () => Observations } {
  const texts = new Map<string, string | undefined>();
  const kinds = new Map<string, ReturnType<Disk["kind"]>>();
  const realpaths = new Map<string, string>();
  const listings = new Map<string, Listing>();
  return {
    disk: {
      read: (path) => once(texts, path, disk.read),
      kind: (path) => once(kinds, path, disk.kind),
      realpath: (path) => once(realpaths, path, disk.realpath),
      list: (folder, ends) => once(listings, `${folder}?${ends.join(",")}`, () => disk.list(folder, ends)),
    },
    seen: () => ({
      texts: record(texts, hashOfText),
      allTexts: hashOfAll(texts.values()),
      kinds: record(kinds, (kind) => kind ?? ""),
      realpaths: record(realpaths, (path) => path),
      listings: record(listings, hashOfListing),
    }),
  };
}

/**
 * The files that have another text now, by a disk that else gives every answer that was noted; `null` when another
 * answer differs too.
 */
export function changedTexts(seen: Observations, disk: Disk): ReadonlySet<string> | null {
  const isAsItWas =
    Object.entries(seen.kinds).every(([path, kind]) => (disk.kind(path) ?? "") === kind) &&
    Object.entries(seen.listings).every(([asked, hash]) => hashOfListing(listAgain(asked, disk)) === hash) &&
    Object.entries(seen.realpaths).every(([path, real]) => disk.realpath(path) === real);
  if (!isAsItWas) return null;
  if (hashOfAll(readEach(Object.keys(seen.texts), disk)) === seen.allTexts) return new Set();
  return new Set(
    Object.entries(seen.texts).flatMap(([path, hash]) =>
      hashOfText(disk.read(path)) === hash ? [] : [path],
    ),
  );
}

function* readEach(paths: readonly string[], disk: Disk): Generator<string | undefined> {
  for (const path of paths) yield disk.read(path);
}

function listAgain(asked: string, disk: Disk): Listing {
  const at = asked.lastIndexOf("?");
  return disk.list(
    asked.slice(0, at),
    asked
      .slice(at + 1)
      .split(",")
      .filter((end) => end !== ""),
  );
}

function once<T>(known: Map<string, T>, question: string, ask: (question: string) => T): T {
  const answer = known.get(question);
  if (answer !== undefined || known.has(question)) return answer as T;
  const asked = ask(question);
  known.set(question, asked);
  return asked;
}

function record<T, R>(known: ReadonlyMap<string, T>, of: (value: T) => R): Record<string, R> {
  return Object.fromEntries([...known].map(([path, value]) => [path, of(value)]));
}

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 27);
const hashOfText = (text: string | undefined): string => (text === undefined ? "" : hash(text));
function hashOfAll(texts: Iterable<string | undefined>): string {
  const all = createHash("sha256");
  // Two calls: one string of both would be a copy of each text.
  for (const text of texts) all.update(text === undefined ? "-" : `${text.length}:`).update(text ?? "");
  return all.digest("base64url");
}

const hashOfListing = ({ files, folders }: Listing): string => hash(JSON.stringify([files, folders]));
