import type { CallbackRow, EngineProfile, FunctionFacts } from "../../types.js";
import type { CallSite } from "../evaluate/calls.js";
import { runCallbacks } from "../evaluate/calls.js";
import { enter, pathValue } from "./entries.js";
import { referenceTo } from "../program.js";
import type { Run } from "../evaluate/run.js";
import { rootScope, type ScopeNode } from "./scope.js";
import type { Definition } from "../solver.js";
import { BOTTOM, DATA, joinAll, recorded, UNKNOWN, valueOf, type Atom, type Value } from "../values/value.js";

/** Calls of what an engine exports: definitions, `setup`, `queue`, `Loop`. `null` = it is something else. */
export function callDefinition(run: Run, atom: Extract<Atom, { a: "known" }>, site: CallSite): Value | null {
  const found = engineExport(run, atom.path);
  if (!found) return null;
  const { profile, name, member } = found;
  const row = profile.exports[name];
  if (!row) return null;
  switch (row.is) {
    case "definition":
      return define(run, profile, row.callbacks, site);
    case "setup": {
      const use = pathValue(run, site, row.use);
      for (const each of use.atoms)
        if (each.a === "object")
          for (const [key, cell] of each.obj.fields)
            for (const defined of run.read(cell).atoms)
              if (defined.a === "instance" && defined.of.startsWith("definition:"))
                run.solver.registered.set(defined.of, key);
      return valueOf({ a: "instance", key: "I:engine:registry", of: "engine:registry", from: run.file });
    }
    case "queue":
    case "event": {
      const key = `I:engine:${row.is}@${run.file}:${site.span[0]}`;
      if (site.expr) run.solver.queueCalls.set(key, site.expr);
      return valueOf({ a: "instance", key, of: `engine:${row.is}`, from: run.file });
    }
    case "loop":
      if (member !== row.continue && member !== row.break) return UNKNOWN;
      return outcome(member === row.break ? "break" : "continue", site.args[0]?.value ?? BOTTOM);
    case "client":
      return valueOf({ a: "instance", key: "I:engine:client", of: "engine:client", from: run.file });
    case "error":
      return site.form === "new"
        ? valueOf({ a: "instance", key: `I:${atom.path}`, of: atom.path, from: atom.from })
        : UNKNOWN;
  }
}

const outcome = (how: string, value: Value): Value =>
  valueOf({ a: "outcome", key: `l:${how}(${value.key})`, how, value });

/** Calls a function of the program that the config calls a factory: `./src/flows.ts#durable`. */
export function callOwnFactory(run: Run, fn: FunctionFacts, site: CallSite): Value | null {
  const { factories, defaultEngine, engine } = run.solver.options;
  const stand = factories?.[referenceTo(fn.file, fn.name)];
  const profile = engine ?? defaultEngine;
  const row = stand === undefined ? undefined : profile.exports[stand];
  return row?.is === "definition" ? define(run, profile, row.callbacks, site) : null;
}

/** `module#name.member` of an engine, own factories of the config included. */
function engineExport(
  run: Run,
  path: string,
): { readonly profile: EngineProfile; readonly name: string; readonly member: string } | null {
  const { options } = run.solver;
  const at = path.indexOf("#");
  if (at < 0) return null;
  const [name = "", member = ""] = path
    .slice(at + 1)
    .replace(/^(?:default|\*)\./, "")
    .split(".");
  const stand = options.factories?.[path] ?? options.factories?.[`${path.slice(0, at)}#${name}`];
  if (stand !== undefined) return { profile: options.defaultEngine, name: stand, member: "" };
  const profile = options.engineOfModule(path.slice(0, at));
  return profile && { profile: options.engine ?? profile, name, member };
}

/** `workflow({ … })`, `workflow(fn)`, `actor({ … })`: enters what the engine will call. */
export function define(
  run: Run,
  profile: EngineProfile,
  rows: readonly CallbackRow[],
  site: CallSite,
): Value {
  const id = `definition:${run.file}:${site.span[0]}${run.act.phase === "load" && run.act.function.owner === null ? "" : `@${run.act.n}`}`;
  const place = run.place(site.place);
  const inner = pathValue(run, site, [0, "run"]).atoms.filter(
    (each) => each.a === "instance" && each.of.startsWith("definition:"),
  );
  const scope: ScopeNode = rootScope({
    id,
    kind: "workflow",
    opener: place,
    callback: null,
    label: "the workflow",
    profile,
    workflow: id,
  });
  let definition: Definition | null = null;
  const context = (root: ScopeNode): Value =>
    valueOf({ a: "context", key: `x:${root.id}`, scope: root, api: [], text: "" });
  for (const row of rows) {
    const value = pathValue(run, site, row.at);
    for (const closure of value.atoms) {
      if (closure.a !== "closure") continue;
      if (row.zone === "workflow") {
        definition ??= definitionFor(run, id, place, profile, scope, site);
        if (run.solver.options.entersWorkflows === false) continue;
        const input = recorded({ key: `${id}:input`, place, method: "input", path: [], ephemeral: false });
        const act = enter(run, closure, scope, "workflow", [context(scope), input, input]);
        definition.run.add(act);
        run.calls.push({
          to: act,
          place,
          within: place,
          label: "runs the workflow",
          op: null,
          kind: "later",
        });
      } else if (run.solver.options.entersWorkflows !== false) {
        const actor = rootScope({
          id: `${id}:actor`,
          kind: "actor",
          opener: place,
          callback: closure.fn.id,
          label: "actor",
          profile,
          workflow: null,
        });
        const act = enter(run, closure, actor, "outside", [context(actor), DATA, DATA, DATA]);
        run.calls.push({
          to: act,
          place,
          within: place,
          label: "is a hook of the actor",
          op: null,
          kind: "later",
        });
      }
    }
  }
  if (definition) return valueOf({ a: "instance", key: `I:${id}`, of: id, from: run.file });
  if (inner.length > 0) {
    for (const each of inner)
      if (each.a === "instance") {
        const held = run.solver.definitions.get(each.of);
        if (held) {
          held.name ??= run.naming;
          held.config = site.args[0]?.value ?? held.config;
        }
      }
    return joinAll(inner.map(valueOf));
  }
  runCallbacks(run, { ...site, args: [] }, "all");
  return valueOf({ a: "instance", key: `I:${id}`, of: `engine:actor`, from: run.file });
}

function definitionFor(
  run: Run,
  id: string,
  place: Definition["place"],
  profile: EngineProfile,
  scope: ScopeNode,
  site: CallSite,
): Definition {
  let definition = run.solver.definitions.get(id);
  if (!definition) {
    const call = run.place(site.span);
    definition = { id, place, call, profile, name: run.naming, scope, run: new Set(), config: BOTTOM };
    run.solver.definitions.set(id, definition);
  }
  definition.config = site.args[0]?.value ?? BOTTOM;
  return definition;
}
