import type { ArgPath, EntryMethod as EntryRow, EntryWord, FunctionFacts } from "../../types.js";
import type { NameHole, NamePattern } from "../../../../runtime/src/manifest/format.js";
import type { Act, Phase } from "../act.js";
import { callUnknown, infosOf, runCallbacks, type CallSite } from "../evaluate/calls.js";
import { circumstancesKey } from "../evaluate/circumstances.js";
import { memberAt, recordAccess } from "./contexts.js";
import { emitEffect } from "../evaluate/effects.js";
import { elementOf } from "../values/elements.js";
import { infoOf } from "../values/infos.js";
import { differsIn } from "../values/loops.js";
import { printNormal, printStable } from "../values/print.js";
import type { Run } from "../evaluate/run.js";
import { turnVariable } from "../values/turn-values.js";
import { openScope, type ScopeNode } from "./scope.js";
import type { EntryCallback, EntryMethod, EntryOperation, ValueInfo } from "../types.js";
import {
  BOTTOM,
  constantsOf,
  DATA,
  derived,
  join,
  promise,
  recorded,
  sourceOf,
  UNDEFINED,
  UNKNOWN,
  valueOf,
  withGate,
  type Atom,
  type PatternPart,
  type RecordedSite,
  type Value,
} from "../values/value.js";

type ContextAtom = Extract<Atom, { a: "context" }>;

/** Calls a member of a context: an entry, an actor API, or a thing without weight. */
export function callContext(run: Run, atom: ContextAtom, site: CallSite): Value {
  const found = memberAt(atom, []);
  if (!found) return callUnknown(run, site, "dynamic");
  const { member, at, rest } = found;
  run.act.handles ||= atom.scope.kind !== "actor";
  switch (member.is) {
    case "entry":
      return callEntry(run, atom, member.method, at, site);
    case "actor": {
      const origin = run.origin("access", site.span);
      runCallbacks(run, site, "all");
      recordAccess(
        run,
        atom,
        at,
        rest,
        { span: site.place, text: atom.text, args: infosOf(run, site) },
        "call",
        origin.key,
      );
      if (at[0] === "client")
        return valueOf({ a: "instance", key: "I:engine:client", of: "engine:client", from: run.file });
      const sync = at[0] === "state" || at[0] === "vars" || at[0] === "broadcast" || at[0] === "conns";
      return sync ? derived(site.self) : promise(origin, DATA);
    }
    case "varies":
      emitEffect(run, { effect: "host", what: `${site.text}()`, why: member.why }, site.place, {
        use: { how: "none" },
      });
      return DATA;
    case "stable":
      return DATA;
    case "group":
      return UNKNOWN;
  }
}

/** Parts of the call by the roles that the engine's table gives them. */
interface EntryParts {
  readonly name: Value;
  readonly nameExpr: CallSite["args"][number]["expr"];
  readonly options: Readonly<Record<string, ValueInfo>>;
  readonly known: boolean;
}

const POSITIONAL: Readonly<Record<string, string>> = {
  step: "run",
  tryStep: "run",
  try: "run",
  loop: "run",
  sleep: "duration",
  sleepUntil: "until",
  join: "branches",
  race: "branches",
  removed: "was",
  getVersion: "latest",
};

function callEntry(run: Run, atom: ContextAtom, row: EntryRow, at: readonly string[], site: CallSite): Value {
  const method = at[at.length - 1] as EntryMethod;
  const place = run.place(site.place);
  const origin = run.origin("entry", site.span);
  const parts = partsOf(run, row, method, site);
  const ephemeral = parts.options["ephemeral"]?.constants?.includes(true) ?? false;
  const recordedSite: RecordedSite = {
    key: `${place.file}:${place.span[0]}:${run.act.n}`,
    place,
    method,
    path: [],
    ephemeral,
  };
  const { names, variesIn, holes, turnExprs } = namesOf(run, parts);
  const callbacks = enterCallbacks(
    run,
    atom,
    row,
    method,
    site,
    recordedSite,
    names[0] ?? null,
    parts.options,
  );
  const { solver } = run;
  const set = site.args[1];
  const branches =
    parts.options["branches"] && set
      ? infoOf(run, set.expr, join(set.value, sourceOfItems(run, set.value)))
      : null;
  const queues = parts.options["names"];
  const op = run.record<EntryOperation>({
    kind: "entry",
    call: site.expr,
    ...run.base(place),
    method,
    entry: entryKind(row.entry),
    context: { scope: atom.scope, text: atom.text === "" ? contextText(site) : atom.text },
    names,
    variesIn,
    holes,
    turnExprs,
    name: infoOf(run, parts.nameExpr, parts.name),
    options: parts.options,
    optionsKnown: parts.known,
    rest: parts.known ? null : lastArgument(run, site),
    callbacks,
    branchesFixed: branches === null || isFixedSet(site.args[1]?.value ?? BOTTOM),
    branches,
    get use() {
      return solver.useOf(origin.key);
    },
    queues: queues ? namesIn(site.args[1]?.value) : null,
  });
  for (const callback of callbacks)
    for (const to of callback.activations)
      run.calls.push({
        to: to as Act,
        place,
        within: place,
        label: callback.scope.label,
        op: null,
        kind: "entry",
      });
  void op;
  const result = resultOf(method, recordedSite);
  return promise(origin, result);
}

function lastArgument(run: Run, site: CallSite): ValueInfo | null {
  const last = site.args.at(-1);
  return last === undefined ? null : infoOf(run, last.expr, last.value);
}

const contextText = (site: CallSite): string => site.text.replace(/(\.queue)?\.\w+$/, "");

const entryKind = (word: EntryWord): EntryOperation["entry"] => word;

function resultOf(method: EntryMethod, site: RecordedSite): Value {
  switch (method) {
    case "sleep":
    case "sleepUntil":
    case "rollbackCheckpoint":
    case "removed":
      return UNDEFINED;
    case "getVersion":
      return withGate(recorded(site));
    default:
      return recorded(site);
  }
}

function partsOf(run: Run, row: EntryRow, method: EntryMethod, site: CallSite): EntryParts {
  const first = site.args[0];
  const config = first?.value.atoms.some((atom) => atom.a === "object") ?? false;
  const options: Record<string, ValueInfo> = {};
  let known = !site.args.some((arg) => arg.spread);
  const take = (arg: CallSite["args"][number] | undefined): void => {
    if (!arg) return;
    const fields = infoOf(run, arg.expr, arg.value).fields;
    if (fields) Object.assign(options, fields);
    if (!fields || arg.value.open) known = known && constantsOf(arg.value) !== null;
    for (const each of arg.value.atoms)
      if (each.a === "object" && !each.obj.rest.value.isBottom) known = false;
  };
  let name: Value = first?.value ?? BOTTOM;
  let nameExpr = first?.expr ?? null;
  if (config && row.name.length > 1) {
    take(first);
    name = pathValue(run, site, [0, "name"]);
    nameExpr = fieldExpr(run, first, "name");
  } else {
    if (row.options.some((path) => path[0] === 1)) take(site.args[1]);
    const positional = POSITIONAL[method];
    const second = site.args[1];
    if (positional && second) options[positional] = infoOf(run, second.expr, second.value);
    if (site.args[2] && method !== "join" && method !== "race") take(site.args[2]);
  }
  return { name, nameExpr, options, known };
}

/** The expression that a property of an object literal has, wherever the literal stands. */
function fieldExpr(
  run: Run,
  arg: CallSite["args"][number] | undefined,
  name: string,
): CallSite["args"][number]["expr"] {
  for (const atom of arg?.value.atoms ?? [])
    if (atom.a === "object") {
      const prop = run.solver.literalOf(atom.obj)?.props.find((each) => each.key === name);
      if (prop) return prop.value;
    }
  return arg?.expr ?? null;
}

/** All values at a path of the arguments. */
export function pathValue(run: Run, site: CallSite, path: ArgPath): Value {
  const [index, ...names] = path;
  let value: Value = site.args[index]?.value ?? BOTTOM;
  for (const name of names) {
    let next: Value = BOTTOM;
    if (name === "*") next = elementOf(run, value);
    else
      for (const atom of value.atoms)
        if (atom.a === "object") {
          const cell = atom.obj.fields.get(name);
          if (cell) next = join(next, run.read(cell));
          else next = join(next, run.read(atom.obj.field(name)));
          const found = atom.obj.cls?.members.find(
            (each) => each.name === name && !each.static && each.functionId !== null,
          );
          const fn = found?.functionId ? run.solver.program.fn(found.functionId) : null;
          if (fn && atom.obj.clsEnv)
            next = join(
              next,
              valueOf({
                a: "closure",
                key: `f:${fn.id}:${atom.obj.clsEnv.n}:${atom.key}`,
                fn,
                env: atom.obj.clsEnv,
                self: valueOf(atom),
                bound: [],
              }),
            );
        }
    value = next;
  }
  return value;
}

function namesOf(
  run: Run,
  parts: EntryParts,
): Pick<EntryOperation, "names" | "variesIn" | "holes" | "turnExprs"> {
  const variants: PatternPart[][] = [];
  const { name, nameExpr } = parts;
  const hole = (): PatternPart => ({
    text: nameExpr ? printNormal(run, nameExpr) : "",
    normal: nameExpr ? printStable(run, nameExpr) : "",
    varies: name.varies,
    turnExpr: turnVariable(nameExpr) === null ? null : nameExpr,
  });
  if (name.isBottom) return { names: [], variesIn: [], holes: [], turnExprs: [] };
  const constants = constantsOf(name);
  // One of several constants, another one in each turn: not an alternative but a hole.
  if (constants && constants.length > 1 && name.varies.length > 0) variants.push([hole()]);
  else
    for (const atom of name.atoms) {
      if (atom.a === "const") variants.push([String(atom.value)]);
      else if (atom.a === "pattern") variants.push([...atom.parts]);
    }
  if (
    variants.length === 0 ||
    name.open ||
    name.data ||
    name.atoms.some((atom) => atom.a !== "const" && atom.a !== "pattern")
  )
    if (!(constants && variants.length > 0)) variants.push([hole()]);
  const inner = run.loops[run.loops.length - 1];
  const names = variants.map((variant): NamePattern =>
    variant.map((part) =>
      typeof part === "string"
        ? part
        : ({
            hole: part.text,
            perIteration:
              inner !== undefined && (differsIn(part.varies, inner) || differsIn(name.varies, inner)),
          } satisfies NameHole),
    ),
  );
  const variesIn = variants.map((variant) =>
    variant.flatMap((part) => (typeof part === "string" ? [] : [allLoops(part.varies, name.varies)])),
  );
  const holes = variants.map((variant) =>
    variant.flatMap((part) => (typeof part === "string" ? [] : [part.normal])),
  );
  const turnExprs = variants.map((variant) =>
    variant.flatMap((part) => (typeof part === "string" ? [] : [part.turnExpr])),
  );
  return { names, variesIn, holes, turnExprs };
}

const allLoops = (a: readonly string[], b: readonly string[]): readonly string[] => [
  ...new Set([...a, ...b]),
];

function enterCallbacks(
  run: Run,
  atom: ContextAtom,
  row: EntryRow,
  method: EntryMethod,
  site: CallSite,
  entry: RecordedSite,
  name: NamePattern | null,
  options: EntryParts["options"],
): EntryCallback[] {
  const out: EntryCallback[] = [];
  for (const callback of row.callbacks) {
    const kind = callback.context ?? "step";
    const branches = callback.at.includes("*");
    const values: { readonly name: NamePattern | null; readonly value: Value; readonly detail: string }[] =
      branches
        ? branchesOf(run, site.args[1]?.value ?? BOTTOM)
        : [{ name: null, value: pathValue(run, site, callback.at), detail: "" }];
    for (const each of values) {
      const closures = closuresOf(each.value);
      if (closures.length === 0) continue;
      const label = `${branches ? "branch" : kind === "rollback" ? "rollback of" : method} ${quoted(each.name ?? name)}`;
      const [only] = closures;
      const scope = openScope(atom.scope, kind, entry.place, each.detail, only?.fn.id ?? null, label);
      const context = valueOf({ a: "context", key: `x:${scope.id}`, scope, api: [], text: "" });
      const args =
        kind === "rollback"
          ? [context, recorded(entry)]
          : method === "loop"
            ? [context, loopState(run, entry, options, closures)]
            : [context];
      const phase: Phase = callback.zone === "hook" ? "outside" : callback.zone;
      out.push({
        role: branches ? "branch" : kind === "rollback" ? "rollback" : "body",
        name: each.name,
        scope,
        activations: closures.map((closure) => enter(run, closure, scope, phase, args)),
      });
    }
  }
  return out;
}

type Closure = Extract<Atom, { a: "closure" }>;

/** Functions that a callback can be; methods that were bound included. */
function closuresOf(value: Value): readonly Closure[] {
  return value.atoms.filter((atom): atom is Closure => atom.a === "closure");
}

/** Runs a function of the program as a callback of the engine. */
export function enter(
  run: Run,
  closure: Closure,
  scope: ScopeNode,
  phase: Phase,
  args: readonly Value[],
): Act {
  const fn: FunctionFacts = closure.fn;
  const self = closure.self ?? BOTTOM;
  const all = [...closure.bound, ...args];
  const act = run.solver.activation(
    { fn, env: closure.env, phase, scope },
    circumstancesKey(run, fn, phase, self, all, null, true),
  );
  act.entered = true;
  run.solver.enter(act, run.act, self, all, null);
  return act;
}

/** A loop's state: recorded, the first one as given. */
function loopState(
  run: Run,
  entry: RecordedSite,
  options: EntryParts["options"],
  closures: readonly Closure[],
): Value {
  void run;
  void closures;
  if (!options["state"]) return UNDEFINED;
  return recorded({ ...entry, path: ["state"], key: `${entry.key}.state` });
}

interface Branch {
  readonly name: NamePattern | null;
  readonly value: Value;
  readonly detail: string;
}

/** Branches of a join or race: `{ a: { run }, b: fn }` or `[{ name, run }]`. */
function branchesOf(run: Run, value: Value): Branch[] {
  const out: Branch[] = [];
  for (const atom of value.atoms) {
    if (atom.a !== "object") continue;
    for (const [key, cell] of atom.obj.fields) {
      const branch = run.read(cell);
      const named = atom.obj.kind === "array" ? nameOfBranch(run, branch) : [key];
      out.push({
        name: named,
        value: runOf(run, branch),
        detail: named?.length === 1 ? String(named[0]) : key,
      });
    }
    const rest = run.read(atom.obj.rest);
    if (!rest.isBottom) {
      const named = atom.obj.kind === "array" ? nameOfBranch(run, rest) : null;
      out.push({ name: named ?? [{ hole: "", perIteration: true }], value: runOf(run, rest), detail: "*" });
    }
  }
  return out;
}

function nameOfBranch(run: Run, branch: Value): NamePattern | null {
  for (const atom of branch.atoms)
    if (atom.a === "object") {
      const name = run.read(atom.obj.field("name"));
      const constants = constantsOf(name);
      if (constants?.length === 1 && name.varies.length === 0) return [String(constants[0])];
      for (const each of name.atoms)
        if (each.a === "pattern")
          return each.parts.map((part) =>
            typeof part === "string" ? part : { hole: part.text, perIteration: true },
          );
      if (!name.isBottom) return [{ hole: "", perIteration: true }];
    }
  return null;
}

function runOf(run: Run, branch: Value): Value {
  let out: Value = BOTTOM;
  for (const atom of branch.atoms) {
    if (atom.a === "closure") out = join(out, valueOf(atom));
    if (atom.a === "object") out = join(out, run.read(atom.obj.field("run")));
  }
  return out;
}

/** Where the items of a collection come from that is not written out. */
function sourceOfItems(run: Run, value: Value): Value {
  let out: Value = BOTTOM;
  for (const atom of value.atoms) if (atom.a === "object") out = join(out, sourceOf(run.read(atom.obj.rest)));
  return out;
}

/** True when the set of branches is written in the code. */
function isFixedSet(value: Value): boolean {
  return (
    !value.open &&
    !value.data &&
    value.atoms.length === 1 &&
    value.atoms.every((atom) => atom.a === "object" && atom.obj.rest.value.isBottom)
  );
}

function namesIn(options: Value | undefined): readonly string[] | null {
  for (const atom of options?.atoms ?? [])
    if (atom.a === "object")
      for (const list of atom.obj.fields.get("names")?.value.atoms ?? [])
        if (list.a === "object") {
          const names = [...list.obj.fields.values()].map((cell) => constantsOf(cell.value));
          if (names.every((each) => each?.length === 1) && list.obj.rest.value.isBottom)
            return names.map((each) => String(each?.[0]));
        }
  return null;
}

/** A name for people: `"poll"`, `"item-…"`. */
export const quoted = (name: NamePattern | null): string =>
  name ? `"${name.map((part) => (typeof part === "string" ? part : "…")).join("")}"` : "(no readable name)";
