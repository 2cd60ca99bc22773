import { exportsOf } from "../evaluate/exported.js";
import { callMethod } from "../evaluate/methods.js";
import type { Run } from "../evaluate/run.js";
import {
  BOTTOM,
  DATA,
  derived,
  join,
  recorded,
  UNKNOWN,
  valueOf,
  withVaries,
  type Atom,
  type RecordedSite,
  type Value,
} from "./value.js";

/** Any item of an iterable. */
export function elementOf(run: Run, value: Value): Value {
  let out: Value = BOTTOM;
  for (const atom of value.atoms) {
    switch (atom.a) {
      case "object":
        if (atom.obj.cls) {
          out = join(out, itemsOfOwn(run, atom));
          break;
        }
        for (const cell of atom.obj.fields.values()) out = join(out, run.read(cell));
        out = join(out, run.read(atom.obj.rest));
        break;
      case "recorded":
        out = join(out, recorded(part(atom.site, "[]")));
        break;
      case "namespace":
        for (const [, exported] of exportsOf(run, atom.file)) out = join(out, exported);
        break;
      default:
        out = join(out, DATA);
    }
  }
  if (value.data) out = join(out, derived(value));
  if (value.open) out = join(out, UNKNOWN);
  return withVaries(join(out, value.atoms.length > 0 ? withoutWhat(value) : BOTTOM), value.varies);
}

/** What an object's own iterator gives. */
function itemsOfOwn(run: Run, atom: Extract<Atom, { a: "object" }>): Value {
  let out: Value = BOTTOM;
  const span = run.at;
  for (const name of ["[Symbol.iterator]", "[Symbol.asyncIterator]"]) {
    const items = callMethod(run, valueOf(atom), name, [], span, "iterator");
    if (items) out = join(out, elementOf(run, items));
  }
  return out.isBottom ? DATA : out;
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
