import type { Span } from "../types.js";
import { callMethod } from "./methods.js";
import type { Run } from "./run.js";
import {
  BOTTOM,
  DATA,
  derived,
  join,
  recorded,
  UNKNOWN,
  withVaries,
  type RecordedSite,
  type Value,
} from "./value.js";

/** Any item of an iterable. */
export function elementOf(run: Run, value: Value): Value {
  let out: Value = BOTTOM;
  for (const atom of value.atoms) {
    switch (atom.a) {
      case "object":
        for (const cell of atom.obj.fields.values()) out = join(out, run.read(cell));
        out = join(out, run.read(atom.obj.rest));
        break;
      case "recorded":
        out = join(out, recorded(part(atom.site, "[]")));
        break;
      default:
        out = join(out, DATA);
    }
  }
  if (value.data) out = join(out, derived(value));
  if (value.open) out = join(out, UNKNOWN);
  return withVaries(join(out, value.atoms.length > 0 ? withoutWhat(value) : BOTTOM), value.varies);
}

const withoutWhat = (value: Value): Value => {
  const source = derived(value);
  return source.effects.length + source.from.length === 0 ? BOTTOM : source;
};

/** A part of an entry's result; deep paths are cut. */
export function part(site: RecordedSite, name: string): RecordedSite {
  if (site.path.length >= 5) return site;
  return { ...site, path: [...site.path, name], key: `${site.key}.${name}` };
}

/** The item at an index. */
export function elementAt(run: Run, value: Value, index: number): Value {
  let out: Value = BOTTOM;
  for (const atom of value.atoms) {
    if (atom.a === "object") {
      const cell = atom.obj.fields.get(String(index));
      if (cell) out = join(out, run.read(cell));
      out = join(out, run.read(atom.obj.rest));
    } else if (atom.a === "recorded") out = join(out, recorded(part(atom.site, String(index))));
    else out = join(out, DATA);
  }
  if (value.data) out = join(out, derived(value));
  if (value.open) out = join(out, UNKNOWN);
  return withVaries(out, value.varies);
}

/** Reads all items with the run as reader, so that it runs again when they grow; calls own iterators. */
export function callIterator(run: Run, value: Value, span: Span): Value {
  let out: Value = BOTTOM;
  for (const atom of value.atoms)
    if (atom.a === "object") {
      for (const cell of atom.obj.fields.values()) run.read(cell);
      run.read(atom.obj.rest);
      if (atom.obj.cls) {
        for (const name of ["[Symbol.iterator]", "[Symbol.asyncIterator]"]) {
          const items = callMethod(
            run,
            { ...BOTTOM, atoms: [atom], key: `|${atom.key}` },
            name,
            [],
            span,
            "iterator",
          );
          if (items) out = join(out, elementOf(run, items));
        }
      }
    }
  return out.key === "" ? elementOf(run, value) : out;
}
