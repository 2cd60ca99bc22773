import type { ArgShape, CatalogueRow, CatalogueUse } from "../../types.js";
import { callPlatform } from "../evaluate/platform.js";
import { callDefinition } from "../entries/definitions.js";
import {
  callUnknown,
  dispatch,
  infosOf,
  laterCallbacks,
  runCallbacks,
  sinkPassed,
  withStarted,
  type CallSite,
} from "../evaluate/calls.js";
import { emitEffect } from "../evaluate/effects.js";
import { fromPackage } from "../evaluate/exported.js";
import { noteMutation } from "../evaluate/assign.js";
import type { Run } from "../evaluate/run.js";
import {
  constantsOf,
  DATA,
  derived,
  join,
  promise,
  UNKNOWN,
  valueOf,
  withEffect,
  withSourceOf,
  type Atom,
  type Value,
} from "./value.js";

/** The row of the catalogue for a known thing used in some way. */
export function lookupKnown(
  run: Run,
  thing: { readonly path: string; readonly instance?: boolean },
  use: CatalogueUse,
): CatalogueRow | null {
  const { catalogue } = run.solver.options;
  const at = thing.path.indexOf("#");
  if (thing.instance) {
    const [module, rest] = at < 0 ? ["", thing.path] : [thing.path.slice(0, at), thing.path.slice(at + 1)];
    const dot = rest.indexOf(".");
    return catalogue.lookupMember(module, rest.slice(0, dot), rest.slice(dot + 1), use);
  }
  if (at < 0) return catalogue.lookupGlobal(thing.path, use);
  return catalogue.lookupExternal(thing.path.slice(0, at), thing.path.slice(at + 1), use);
}

/** The shapes of arguments, as far as rows ask for them. */
export function useOfCall(site: CallSite): CatalogueUse {
  const form = site.form === "new" ? "new" : site.form === "tag" ? "tag" : "call";
  const args = site.args.some((arg) => arg.spread) ? null : site.args.map((arg) => shapeOf(arg.value));
  return { form, args };
}

function shapeOf(value: Value): ArgShape {
  const [atom, ...more] = value.atoms;
  if (!atom || more.length > 0 || value.open || value.data) return { is: "other" };
  if (atom.a === "const" && atom.value === undefined) return { is: "undefined" };
  if (atom.a !== "object" || atom.obj.kind !== "object") return { is: "other" };
  const props: Record<string, string | null> = {};
  for (const [name, cell] of atom.obj.fields) {
    const constants = constantsOf(cell.value);
    props[name] = constants?.length === 1 ? String(constants[0]) : null;
  }
  return { is: "object", props, open: !atom.obj.rest.value.isBottom };
}

/** Calls a global, or what a package exports. */
export function callKnown(run: Run, atom: Extract<Atom, { a: "known" }>, site: CallSite): Value {
  const defined = callDefinition(run, atom, site);
  if (defined) return defined;
  const special = callPlatform(run, atom.path, site);
  if (special) return special;
  const row = lookupKnown(run, atom, useOfCall(site));
  if (row) return applyRow(run, row, site, atom);
  const at = atom.path.indexOf("#");
  if (at < 0) return site.form === "new" ? constructed(run, atom, site) : callUnknown(run, site, "dynamic");
  const module = atom.path.slice(0, at);
  const { catalogue, engineOfModule } = run.solver.options;
  if (engineOfModule(module))
    return site.form === "new" ? constructed(run, atom, site) : derived(...site.args.map((arg) => arg.value));
  const own = catalogue.covers(module) ? null : fromPackage(run, module, atom.path.slice(at + 1), atom.from);
  if (own && !own.atoms.some((each) => each.key === atom.key)) return dispatch(run, own, site);
  if (site.form === "new") return join(constructed(run, atom, site), callUnknown(run, site, "package"));
  return callUnknown(run, site, "package");
}

/** `new X(…)` of a class that no row speaks of: an object of it. */
function constructed(run: Run, atom: Extract<Atom, { a: "known" }>, site: CallSite): Value {
  runCallbacks(run, site, "all");
  return valueOf({ a: "instance", key: `I:${atom.path}`, of: atom.path, from: atom.from });
}

/** A thing of the platform by its own name, whatever it is called here: `clock.now` is `Date.now`. */
export const knownText = (path: string, written: string): string => (path.includes("#") ? written : path);

/** Calls a method of an object of a known class. */
export function callMember(run: Run, atom: Extract<Atom, { a: "member" }>, site: CallSite): Value {
  const row = lookupKnown(run, { path: `${atom.of}.${atom.name}`, instance: true }, useOfCall(site));
  if (row) return applyRow(run, row, site, { path: atom.of, from: atom.from, self: atom.self });
  const bare = atom.of.startsWith("#") || !atom.of.includes("#");
  if (bare) {
    runCallbacks(run, site, "all");
    const given = derived(site.self, ...site.args.map((arg) => arg.value));
    // A handle of another actor: what its actions do is not known.
    return atom.of === "engine:client" ? join(given, UNKNOWN) : given;
  }
  if (run.solver.options.engineOfModule(atom.of.split("#")[0] ?? "")) return derived(site.self);
  return callUnknown(run, site, "package");
}

/** What a row says: in-place callbacks, mutation, effect, result. */
export function applyRow(
  run: Run,
  row: CatalogueRow,
  site: CallSite,
  thing: { readonly path: string; readonly from: string; readonly self?: Value },
): Value {
  const results = row.calls ? runCallbacks(run, site, row.calls) : [];
  if (row.together)
    for (const result of results)
      run.sink(result, "combine", site.span, { combinator: "all", by: site.text });
  if (row.mutates === "this" && site.callee?.k === "member")
    noteMutation(run, site.self, site.callee.object, site.span, "method");
  else if (typeof row.mutates === "number") {
    const arg = site.args[row.mutates];
    if (arg?.expr) noteMutation(run, arg.value, arg.expr, site.span, "property");
  }
  let value = resultOf(row, site, thing, results);
  // `pSettle(jobs)` in a step; in workflow code whoever gets a list of entries is told.
  if (row.effect === "pure" && thing.path.includes("#") && run.act.zone !== "workflow")
    for (const arg of site.args) sinkPassed(run, arg.value, site.span);
  if (row.effect === "pure")
    return withStarted(row.async ? promise(run.origin("settled", site.span), value) : value, results);
  const origin = run.origin("effect", site.span, row.async ? "" : "e");
  const later = row.calls ? [] : laterCallbacks(run, site);
  const source = emitEffect(
    run,
    {
      effect: row.effect,
      what: `${site.form === "new" ? "new " : ""}${thing.self ? site.text : knownText(thing.path, site.text)}${site.form === "tag" ? "`…`" : "()"}`,
      why: row.why,
    },
    site.place,
    {
      use: row.async ? { origin: origin.key } : { how: "none" },
      args: infosOf(run, site),
      writes: row.writes ?? false,
      later,
    },
  );
  value =
    row.effect === "emitter" || row.effect === "metrics" || row.effect === "console"
      ? value
      : withEffect(value, source);
  for (const arg of site.args) sinkPassed(run, arg.value, site.span);
  return withStarted(row.async ? promise(origin, value) : value, results);
}

/** Classes of the platform whose objects are data as a whole: a date, a formatter, an address. */
export const isDataClass = (path: string): boolean =>
  /^(?:Date|URL|URLSearchParams|Intl\.\w+|Temporal\.\w+)$/.test(path);

function resultOf(
  row: CatalogueRow,
  site: CallSite,
  thing: { readonly path: string; readonly from: string; readonly self?: Value },
  results: readonly Value[],
): Value {
  if (row.returns === "this")
    return withSourceOf(thing.self ?? site.self, derived(...site.args.map((arg) => arg.value)));
  if (row.returns !== undefined)
    return valueOf({ a: "instance", key: `I:${row.returns}`, of: row.returns, from: thing.from });
  if (site.form === "new") {
    const made = valueOf({ a: "instance", key: `I:${thing.path}`, of: thing.path, from: thing.from });
    return isDataClass(thing.path) ? withSourceOf(made, derived(...site.args.map((arg) => arg.value))) : made;
  }
  if (row.async && row.effect !== "pure") return DATA;
  const given = derived(
    ...site.args.map((arg) => arg.value),
    // The receiver as a whole knows more than the one atom: where it comes from.
    ...(thing.self ? [thing.self, site.self] : []),
    ...results,
  );
  return row.effect === "pure" ? given : join(DATA, given);
}
