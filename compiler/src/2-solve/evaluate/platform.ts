import { callCallback, dispatch, type Argument, type CallSite } from "./calls.js";
import { elementAt, elementOf } from "../values/elements.js";
import { spreadInto } from "./expressions.js";
import { guardOf } from "./guards.js";
import { noteMutation } from "./assign.js";
import { callMethod } from "./methods.js";
import type { Run } from "./run.js";
import {
  BOTTOM,
  constant,
  constantsOf,
  DATA,
  derived,
  join,
  joinAll,
  promise,
  settled,
  UNDEFINED,
  UNKNOWN,
  valueOf,
  withSourceOf,
  withVaries,
  type PromiseOrigin,
  type Value,
} from "../values/value.js";

const COMBINATORS = {
  "Promise.all": "all",
  "Promise.race": "race",
  "Promise.any": "any",
  "Promise.allSettled": "allSettled",
} as const;

/** The array of all items that a value gives, made at a call. */
export function arrayOf(run: Run, site: CallSite, items: Value, what = "array"): Value {
  const array = run.solver.object(run.act, run.place(site.span), "array", null, what);
  run.write(array.rest, items);
  return valueOf({ a: "object", key: `o:${array.id}`, obj: array });
}

/** A `[key, value]` pair made at a call. */
export function pairOf(run: Run, site: CallSite, key: Value, value: Value): Value {
  const pair = run.solver.object(run.act, run.place(site.span), "array", null, "pair");
  run.write(pair.field("0"), key);
  run.write(pair.field("1"), value);
  return valueOf({ a: "object", key: `o:${pair.id}`, obj: pair });
}

/**
 * Functions of the platform through which contexts, functions and promises flow. `null` = nothing special:
 * the catalogue says what it does.
 */
export function callPlatform(run: Run, path: string, site: CallSite): Value | null {
  const first = site.args[0]?.value ?? UNDEFINED;
  const second = site.args[1];
  switch (path) {
    case "Promise.all":
    case "Promise.race":
    case "Promise.any":
    case "Promise.allSettled":
      return combine(run, site, first, COMBINATORS[path]);
    case "Promise.resolve":
      return promise(run.origin("settled", site.span), settled(first));
    case "Promise.reject":
      return promise(run.origin("settled", site.span), UNKNOWN);
    case "Promise.try":
      return site.args[0]
        ? promise(
            run.origin("call", site.span),
            settled(callCallback(run, site.args[0], [], site, "Promise.try")),
          )
        : UNKNOWN;
    case "Promise":
      return site.form === "new" ? newPromise(run, site) : null;
    case "JSON.stringify":
      return stringified(run, first, site);
    case "util#promisify":
    case "util#deprecate":
    case "lodash#memoize":
    case "lodash#once":
    case "lodash/memoize#default":
    case "lodash/once#default":
    case "memoize#default":
    case "mem#default":
    case "memoizee#default":
    case "p-memoize#default":
    case "fast-memoize#default":
    case "micro-memoize#default":
    case "nano-memoize#default":
      // What comes back does what the function that was given does.
      return first;
    case "nanoid#customAlphabet":
    case "nanoid#customRandom":
      return valueOf({
        a: "known",
        key: "k:nanoid#nanoid",
        path: "nanoid#nanoid",
        from: run.act.function.file,
      });
    case "@paralleldrive/cuid2#init":
      return valueOf({
        a: "known",
        key: "k:@paralleldrive/cuid2#createId",
        path: "@paralleldrive/cuid2#createId",
        from: run.act.function.file,
      });
    case "Array.from": {
      const items = elementOf(run, first);
      if (!second) return arrayOf(run, site, items);
      const loop = `${run.act.n}:${site.span[0]}c`;
      return arrayOf(
        run,
        site,
        inLoop(run, site, loop, null, () =>
          callCallback(
            run,
            second,
            [withVaries(items, [loop]), withVaries(DATA, [loop])],
            site,
            "Array.from",
          ),
        ),
      );
    }
    case "Array.fromAsync":
      return fromAsync(run, first, second, site);
    case "Array":
    case "Array.of":
      return arrayOf(
        run,
        site,
        path === "Array" && site.args.length === 1 ? DATA : joinAll(site.args.map((arg) => arg.value)),
      );
    case "Object.keys":
    case "Object.getOwnPropertyNames":
      return arrayOf(run, site, derived(first));
    case "Object.values":
      return arrayOf(run, site, elementOf(run, first));
    case "Object.entries":
      return arrayOf(run, site, pairOf(run, site, derived(first), elementOf(run, first)));
    case "Object.fromEntries": {
      const object = run.solver.object(run.act, run.place(site.span), "object", null, "entries");
      run.write(object.rest, elementAt(run, elementOf(run, first), 1));
      return withSourceOf(valueOf({ a: "object", key: `o:${object.id}`, obj: object }), first);
    }
    case "Object.assign":
      for (const atom of first.atoms)
        if (atom.a === "object") for (const arg of site.args.slice(1)) spreadInto(run, atom.obj, arg.value);
      if (site.args[0]?.expr) noteMutation(run, first, site.args[0].expr, site.span, "property");
      return first;
    case "Object.freeze":
    case "Object.seal":
    case "Object.preventExtensions":
      return first;
    case "Map":
    case "WeakMap":
    case "Set":
    case "WeakSet": {
      if (site.form !== "new") return null;
      const collection = run.solver.object(run.act, run.place(site.span), "map", null, path);
      if (site.args.length > 0) run.write(collection.rest, elementOf(run, first));
      return valueOf({ a: "object", key: `o:${collection.id}`, obj: collection });
    }
    case "String":
      return site.form === "call" && constantsOf(first)?.length === 1
        ? constant(String(constantsOf(first)?.[0]))
        : null;
    case "Reflect.apply":
      return dispatch(run, first, {
        ...site,
        args: [{ value: elementOf(run, site.args[2]?.value ?? BOTTOM), expr: null, spread: true }],
        self: second?.value ?? BOTTOM,
        expr: null,
      });
    case "structuredClone":
      return derived(first);
    default:
      return null;
  }
}

/** `Array.fromAsync(list, map)`: waits for each item, and for what `map` gives, before it takes the next. */
function fromAsync(run: Run, list: Value, map: Argument | undefined, site: CallSite): Value {
  const loop = `${run.act.n}:${site.span[0]}c`;
  const items = settled(elementOf(run, list));
  run.sink(elementOf(run, list), "await", site.span, { direct: true });
  const mapped = map
    ? inLoop(run, site, loop, null, () => {
        const value = callCallback(
          run,
          map,
          [withVaries(items, [loop]), withVaries(DATA, [loop])],
          site,
          "Array.fromAsync",
        );
        run.sink(value, "await", site.span, { direct: true });
        return settled(value);
      })
    : items;
  return promise(run.origin("call", site.span), arrayOf(run, site, mapped));
}

/** Runs callbacks in place, as turns of a loop. */
export function inLoop(
  run: Run,
  site: CallSite,
  loop: string,
  times: number | null,
  body: () => Value,
): Value {
  const outer = run.loops;
  run.loops = [...outer, loop];
  run.jumps.push({ label: null, kind: "repeat" });
  let value: Value = BOTTOM;
  const trace = run.nested(() => void (value = body()));
  run.jumps.pop();
  run.loops = outer;
  if (trace.length > 0)
    run.push({
      t: "repeat",
      place: run.place(site.span),
      loop,
      form: "callback",
      guard: guardOfSelf(run, site),
      times,
      turnValues: null,
      endless: false,
      body: trace,
    });
  return value;
}

function guardOfSelf(run: Run, site: CallSite): ReturnType<typeof guardOf> {
  const object = site.callee?.k === "member" ? site.callee.object : null;
  return guardOf(run, object, site.self, null);
}

function combine(
  run: Run,
  site: CallSite,
  list: Value,
  combinator: "all" | "race" | "any" | "allSettled",
): Value {
  let kind: PromiseOrigin["kind"] = "settled";
  const items: Value[] = [];
  const use = (value: Value): Value => {
    run.sink(value, "combine", site.span, { combinator, by: `Promise.${combinator}` });
    for (const atom of value.atoms)
      if (atom.a === "promise" && RANK.indexOf(atom.origin.kind) > RANK.indexOf(kind))
        kind = atom.origin.kind;
    return settled(value);
  };
  let result: Value;
  const array = run.solver.object(run.act, run.place(site.span), "array", null, "all");
  for (const atom of list.atoms) {
    if (atom.a !== "object") continue;
    for (const [name, cell] of atom.obj.fields) {
      const item = use(run.read(cell));
      items.push(item);
      run.write(array.field(name), item);
    }
    const rest = use(run.read(atom.obj.rest));
    items.push(rest);
    run.write(array.rest, rest);
  }
  if (list.open) kind = "unknown";
  if (list.atoms.every((atom) => atom.a !== "object")) result = list.open ? UNKNOWN : derived(list);
  else
    result =
      combinator === "all" || combinator === "allSettled"
        ? valueOf({ a: "object", key: `o:${array.id}`, obj: array })
        : joinAll(items);
  return promise(run.origin(kind, site.span), result);
}

const RANK: readonly PromiseOrigin["kind"][] = [
  "settled",
  "call",
  "entry",
  "unknown",
  "access",
  "effect",
  "foreign",
];

/** `new Promise(executor)`: pure only when the executor resolves it by itself, at once. */
function newPromise(run: Run, site: CallSite): Value {
  const executor = site.args[0];
  const resolved = run.solver.object(run.act, run.place(site.span), "object", null, "resolved");
  const resolve = valueOf({
    a: "method",
    key: `m:#resolve:${resolved.id}`,
    name: "#resolve",
    self: valueOf({ a: "object", key: `o:${resolved.id}`, obj: resolved }),
  });
  if (executor) callCallback(run, executor, [resolve, resolve], site, "new Promise");
  const inPlace = run.solver.resolvedInPlace(resolved);
  return promise(run.origin(inPlace ? "call" : "foreign", site.span), join(DATA, run.read(resolved.rest)));
}

/** `toJSON` of what is written, or of what it holds directly; `null` when there is none. */
function stringified(run: Run, value: Value, site: CallSite): Value | null {
  let text: Value | null = null;
  for (const atom of join(value, elementOf(run, value)).atoms) {
    if (atom.a !== "object") continue;
    const result = callMethod(run, valueOf(atom), "toJSON", [], site.span, "coercion");
    if (result) text = text ? join(text, derived(result)) : derived(value, result);
  }
  return text;
}
