import { noteEscape, noteMutation, outlives } from "./assign.js";
import { callCallback, dispatch, type Argument, type CallSite } from "./calls.js";
import { elementAt, elementOf } from "../values/elements.js";
import { MUTATORS } from "./mutators.js";
import { printExpr } from "../values/print.js";
import { arrayOf, inLoop, pairOf } from "./platform.js";
import type { Run } from "./run.js";
import {
  BOTTOM,
  DATA,
  derived,
  join,
  joinAll,
  only,
  promise,
  settled,
  UNDEFINED,
  UNKNOWN,
  valueOf,
  withSourceOf,
  withVaries,
  constant,
  constantsOf,
  type Atom,
  type Value,
} from "../values/value.js";

type MethodAtom = Extract<Atom, { a: "method" }>;

/** Methods of arrays, texts, collections, promises and functions. */
export function callBuiltin(run: Run, atom: MethodAtom, site: CallSite, _target: Value): Value {
  const { name } = atom;
  const self = withSourceOf(atom.self, site.self);
  if (name === "#resolve") return resolvePromise(run, self, site);
  if (name === "complete") return complete(run, self, site);
  if (self.atoms.some((each) => each.a === "promise")) {
    if (CHAIN.has(name)) return chain(run, self, name, site);
    if (!self.open && !self.data) return buildOn(run, self, name, site);
  }
  if (name === "call" || name === "apply" || name === "bind")
    return callFunctionMethod(run, self, name, site);
  if (MUTATORS.has(name) && site.callee?.k === "member") {
    noteMutation(run, self, site.callee.object, site.span, "method");
    // The keeper of a context or of a function that uses one.
    const longer = self.atoms.some((each) => each.a === "object" && outlives(run, each.obj));
    for (const arg of site.args)
      noteEscape(run, arg.value, printExpr(run, site.callee.object), arg.expr?.span ?? site.span, longer);
  }
  const first = site.args[0];
  const items = (): Value => elementOf(run, self);
  const loop = `${run.act.n}:${site.span[0]}c`;
  const each = (given: readonly Value[], arg: Argument | undefined = first): Value =>
    arg
      ? inLoop(run, site, loop, null, () =>
          callCallback(
            run,
            arg,
            given.map((value) => withVaries(value, [loop])),
            site,
            name,
          ),
        )
      : BOTTOM;
  switch (name) {
    case "map":
      return withSourceOf(arrayOf(run, site, each([items(), DATA, self])), self);
    case "flatMap":
      return withSourceOf(arrayOf(run, site, elementOf(run, each([items(), DATA, self]))), self);
    case "filter":
      each([items(), DATA, self]);
      return arrayOf(run, site, items());
    case "forEach": {
      const value = each([items(), DATA, self]);
      run.sink(value, "float", site.place);
      return UNDEFINED;
    }
    case "find":
    case "findLast":
      each([items(), DATA, self]);
      return items();
    case "some":
    case "every":
    case "findIndex":
    case "findLastIndex":
      return derived(self, each([items(), DATA, self]));
    case "reduce":
    case "reduceRight": {
      const start = site.args[1]?.value ?? items();
      const value = each([start, items(), DATA, self]);
      return withSourceOf(join(start, value), self);
    }
    case "sort":
    case "toSorted": {
      const order = each([items(), items()]);
      return withSourceOf(name === "sort" ? self : arrayOf(run, site, items()), derived(order));
    }
    case "push":
    case "unshift":
      addTo(run, self, site.args);
      return derived(self);
    case "add":
      addTo(run, self, site.args);
      return self;
    case "fill":
      addTo(run, self, site.args.slice(0, 1));
      return self;
    case "splice":
      addTo(run, self, site.args.slice(2));
      return arrayOf(run, site, items());
    case "set": {
      const [key, value] = site.args;
      for (const each of self.atoms)
        if (each.a === "object")
          run.write(each.obj.rest, pairOf(run, site, derived(key?.value ?? DATA), value?.value ?? UNDEFINED));
      return self;
    }
    case "get":
      return withSourceOf(valuesOf(run, self), derived(first?.value ?? DATA));
    case "pop":
    case "shift":
      // Another item at each call, so in each turn of the loops around it.
      return withVaries(items(), run.loops);
    case "at":
      return items();
    case "slice":
    case "toSpliced":
    case "reverse":
    case "toReversed":
    case "with":
    case "toArray":
    case "take":
    case "drop":
      return isText(self) ? derived(self, ...site.args.map((arg) => arg.value)) : arrayOf(run, site, items());
    case "concat":
      return isText(self)
        ? derived(self, ...site.args.map((arg) => arg.value))
        : arrayOf(
            run,
            site,
            joinAll([items(), ...site.args.map((arg) => join(elementOf(run, arg.value), arg.value))]),
          );
    case "flat":
      return arrayOf(run, site, join(items(), elementOf(run, items())));
    case "values":
      return isMap(self) ? arrayOf(run, site, valuesOf(run, self)) : arrayOf(run, site, items());
    case "keys":
      return arrayOf(run, site, derived(self));
    case "entries":
      return isMap(self)
        ? arrayOf(run, site, items())
        : withSourceOf(arrayOf(run, site, pairOf(run, site, derived(self), items())), self);
    case "next":
      return withVaries(items(), run.loops);
    case "toString":
    case "valueOf": {
      const constants = constantsOf(self);
      return constants?.length === 1 && self.varies.length === 0
        ? constant(name === "toString" ? String(constants[0]) : constants[0])
        : derived(self);
    }
    default:
      // `replace(/x/, () => …)` and the like call functions in place.
      for (const arg of site.args) callCallback(run, arg, [derived(self)], site, name);
      return derived(self, ...contents(run, self), ...site.args.map((arg) => arg.value));
  }
}

const CHAIN = new Set(["then", "catch", "finally"]);
const isText = (value: Value): boolean =>
  value.atoms.every((atom) => atom.a === "pattern" || (atom.a === "const" && typeof atom.value === "string"));
const isMap = (value: Value): boolean =>
  value.atoms.some((atom) => atom.a === "object" && atom.obj.id.endsWith("Map"));

/** What a list holds, for what is computed from all of it: `join`, `includes`. */
function contents(run: Run, self: Value): Value[] {
  return self.atoms.some((atom) => atom.a === "object" && !atom.obj.cls) ? [elementOf(run, self)] : [];
}

/** Values of a map: of `[key, value]` pairs; of anything else its items. */
function valuesOf(run: Run, self: Value): Value {
  return isMap(self) ? elementAt(run, elementOf(run, self), 1) : elementOf(run, self);
}

function addTo(run: Run, self: Value, args: readonly Argument[]): void {
  for (const atom of self.atoms)
    if (atom.a === "object")
      for (const arg of args)
        run.write(
          atom.obj.rest,
          withSourceOf(
            withVaries(arg.spread ? elementOf(run, arg.value) : arg.value, run.loops),
            run.control,
          ),
        );
}

/**
 * `db.select().from(users)`, `ky.get(url).json()`: a promise has no such method, so this is a query or request
 * that is still being put together. It stays the same piece of work until it is awaited.
 */
function buildOn(run: Run, self: Value, name: string, site: CallSite): Value {
  for (const arg of site.args) callCallback(run, arg, [UNKNOWN], site, name);
  const work = only(self, (atom) => atom.a === "promise");
  return withSourceOf(work, derived(...site.args.map((arg) => arg.value)));
}

/** `.then`, `.catch`, `.finally`: callbacks run in place, the promise goes on. */
function chain(run: Run, self: Value, name: string, site: CallSite): Value {
  const method = name as "then" | "catch" | "finally";
  const handled = method === "catch" || (method === "then" && site.args.length > 1);
  const origin = run.origin("settled", site.span, "then");
  run.sink(self, "chain", site.place, { chain: { method, handled, next: origin.key } });
  let out: Value = method === "then" ? BOTTOM : settled(self);
  site.args.forEach((arg, index) => {
    const given = method === "then" && index === 0 ? settled(self) : UNKNOWN;
    const result = settled(callCallback(run, arg, [given], site, name));
    if (method !== "finally") out = join(out, result);
  });
  let kind = origin.kind;
  for (const atom of self.atoms)
    if (
      atom.a === "promise" &&
      ["foreign", "effect", "unknown", "entry", "access"].includes(atom.origin.kind)
    )
      kind = atom.origin.kind;
  return promise({ ...origin, kind }, out.isBottom ? UNDEFINED : out);
}

/** `f.call(self, …)`, `f.apply(self, list)`, `f.bind(self, …)` */
function callFunctionMethod(run: Run, self: Value, name: string, site: CallSite): Value {
  const [receiver, ...rest] = site.args;
  const given = receiver?.value ?? UNDEFINED;
  if (name === "bind") {
    const bound = rest.map((arg) => arg.value);
    const atoms = self.atoms.map((atom): Atom => {
      if (atom.a !== "closure") return atom;
      const all = [...atom.bound, ...bound];
      return {
        ...atom,
        self: atom.fn.arrow ? atom.self : (atom.self ?? given),
        bound: all,
        key: `${atom.key}.bind(${given.key},${all.map((value) => value.key).join()})`,
      };
    });
    return joinAll(atoms.map(valueOf));
  }
  const args: Argument[] = name === "call" ? rest : rest.slice(0, 1).flatMap((arg) => listOf(run, arg));
  const target = joinAll(
    self.atoms.map((atom) =>
      valueOf(
        atom.a === "closure" && !atom.fn.arrow
          ? { ...atom, self: given, key: `${atom.key}<${given.key}` }
          : atom,
      ),
    ),
  );
  return dispatch(run, target, {
    ...site,
    args,
    self: given,
    text: site.text.replace(/\.(?:call|apply)$/, ""),
  });
}

/** The items of the list given to `apply`. */
function listOf(run: Run, arg: Argument): Argument[] {
  const [atom, ...more] = arg.value.atoms;
  if (atom?.a === "object" && more.length === 0 && atom.obj.rest.value.isBottom)
    return [...atom.obj.fields.values()].map((cell) => ({
      value: run.read(cell),
      expr: arg.expr,
      spread: false,
    }));
  return [{ value: arg.value, expr: arg.expr, spread: true }];
}

function resolvePromise(run: Run, self: Value, site: CallSite): Value {
  for (const atom of self.atoms)
    if (atom.a === "object") {
      run.write(atom.obj.rest, site.args[0]?.value ?? UNDEFINED);
      run.solver.noteResolved(atom.obj, run.act);
    }
  return UNDEFINED;
}

/** `message.complete(…)` */
function complete(run: Run, self: Value, site: CallSite): Value {
  const origin = run.origin("access", site.span);
  const sites = self.atoms.flatMap((atom) => {
    if (atom.a === "recorded") return [atom.site];
    if (atom.a === "object")
      return elementOf(run, self).atoms.flatMap((each) => (each.a === "recorded" ? [each.site] : []));
    return [];
  });
  for (const each of sites)
    if (each.method !== "input" && each.method !== "shared")
      run.record({
        kind: "complete",
        ...run.base(run.place(site.place)),
        entry: { place: each.place, method: each.method, path: each.path },
      });
  return promise(origin, UNDEFINED);
}
