import type { FactsSource, FunctionFacts } from "../types.js";
import type { Act } from "./act.js";
import { contextKindOf } from "./evaluate/annotations.js";
import { activationsWithEntries } from "./entries/entries-made.js";
import { infoOf } from "./values/infos.js";
import { onlyLists } from "./only-lists.js";
import { Routes } from "./routes.js";
import { Run } from "./evaluate/run.js";
import { skeletonOf } from "./skeleton/skeleton.js";
import { Solver, type Definition, type SolveOptions } from "./solver.js";
import type {
  Analysis,
  EffectOperation,
  Operation,
  QueueAnalysis,
  UnknownCallee,
  WorkflowAnalysis,
} from "./types.js";
import { UNKNOWN } from "./values/value.js";
import { visitStmts } from "./visit.js";

export type { SolveOptions } from "./solver.js";

/**
 * Facts → analysis: follows every workflow of the program through the functions that it calls.
 *
 * @param source facts by file; only files that are reached are asked for.
 * @param options what is known of engines and packages.
 */
export function solve(source: FactsSource, options: SolveOptions): Analysis {
  const solver = new Solver(source, options);
  const roots = inOrder(solver);
  for (const path of roots) {
    solver.effort.nextFile();
    solver.module(path);
  }
  solver.settle();
  const free = enterUncalled(solver, roots);
  solver.settle();
  return finish(solver, free);
}

/** Files that only list workflows come last, so that what is found in the others is the same without them. */
function inOrder({ program, options }: Solver): readonly string[] {
  const isList = (path: string): boolean => {
    const facts = program.source.file(path);
    return facts !== null && onlyLists(facts, options.engineOfModule);
  };
  const roots = [...program.source.roots].sort();
  const lists = new Set(roots.filter(isList));
  return [...roots.filter((path) => !lists.has(path)), ...lists];
}

/**
 * The names that `setup({ use })` gives, by the id of the definition's scope: what files that only list workflows say
 * of them. No workflow is entered.
 */
export function registeredNames(source: FactsSource, options: SolveOptions): ReadonlyMap<string, string> {
  const solver = new Solver(source, { ...options, entersWorkflows: false });
  for (const path of [...source.roots].sort()) solver.module(path);
  solver.settle();
  return solver.registered;
}

/**
 * Functions that nobody calls and that take a context by annotation: helpers of other packages, exported
 * wrappers. They are entered with the context that the annotation names. Functions that make definitions
 * and are not called are entered as well.
 */
function enterUncalled(solver: Solver, roots: readonly string[]): Act[] {
  const called = new Set(solver.acts.map((act) => act.function.id));
  const free: Act[] = [];
  for (const path of roots) {
    const file = solver.program.file(path);
    const module = file && solver.module(path);
    if (!file || !module) continue;
    const probe = new Run(solver, module);
    const functions = [...file.outermost].sort((a, b) => a.span[0] - b.span[0]);
    for (const fn of functions) {
      if (fn.owner !== file.module || called.has(fn.id) || fn.classId !== null) continue;
      const kind = kindOfParams(probe, fn);
      const isFactory = kind === null && makesDefinitions(solver, fn);
      if (kind === null && !isFactory) continue;
      const phase =
        kind === null || kind === "actor"
          ? "outside"
          : kind === "step"
            ? "step"
            : kind === "rollback"
              ? "rollback"
              : "workflow";
      const act = solver.activation({ fn, env: module, phase, scope: null }, "free");
      solver.enter(
        act,
        null,
        UNKNOWN,
        fn.params.map(() => UNKNOWN),
        null,
      );
      free.push(act);
    }
  }
  return free;
}

function kindOfParams(run: Run, fn: FunctionFacts): ReturnType<typeof contextKindOf> {
  for (const param of fn.params) {
    if (!param.annotation) continue;
    const kind = contextKindOf(run, param.annotation);
    if (kind) return kind;
    for (const member of Object.values(param.annotation.members ?? {})) {
      const inner = contextKindOf(run, member);
      if (inner) return inner;
    }
  }
  return null;
}

/** True when the text of a function calls something of an engine's exports that makes a definition. */
function makesDefinitions(solver: Solver, fn: FunctionFacts): boolean {
  let found = false;
  visitStmts(fn.body, (expr) => {
    if (expr.k !== "call" || expr.callee.k !== "name" || expr.callee.ref.to !== "external") return;
    const { module, name } = expr.callee.ref;
    const stand = solver.options.factories?.[`${module}#${name}`];
    const profile =
      solver.options.engineOfModule(module) ?? (stand === undefined ? null : solver.options.defaultEngine);
    if (profile?.exports[stand ?? name]?.is === "definition") found = true;
  });
  return found;
}

/** What is left when the fix-point is reached: live activations, workflows, routes. */
function finish(solver: Solver, free: readonly Act[]): Analysis {
  const live = liveActs(solver, free);
  live.sort(byPlace);
  const withEntries = activationsWithEntries(live);
  for (const act of live) {
    act.own = isOwn(act, withEntries) || free.includes(act);
    act.operations = act.operations.filter((op) => op.kind !== "shared" || op.changedAt !== null);
    act.returns = infoOf(new Run(solver, act), null, act.result.value);
  }
  const workflows = [...solver.definitions.values()]
    .map((definition) => workflowOf(solver, definition, withEntries))
    .sort(
      (a, b) =>
        compare(a.place.file, b.place.file) || a.place.span[0] - b.place.span[0] || compare(a.name, b.name),
    );
  const routes = new Routes(workflows, free, live);
  const operations = live.flatMap((act) => act.operations);
  return {
    workflows,
    activations: live,
    operations,
    unknownCallees: unknownCallees(operations, routes),
    files: solver.program.files,
    functionOf: (id) => solver.program.fn(id),
    routesTo: (op, isOwn) => routes.to(op, isOwn),
    makesEntries: (activation) => withEntries.has(activation as Act),
    unfinished: [...solver.effort.unfinished].sort(),
    effort: solver.effort.share,
  };
}

function liveActs(solver: Solver, free: readonly Act[]): Act[] {
  const live = new Set<Act>();
  const work = solver.acts.filter((act) => act.phase === "load" && act.function.owner === null);
  work.push(...free);
  for (let act = work.pop(); act; act = work.pop()) {
    if (live.has(act)) continue;
    live.add(act);
    for (const edge of act.calls) work.push(edge.to);
  }
  return solver.acts.filter((act) => live.has(act));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPlace = (a: Act, b: Act): number =>
  compare(a.function.file, b.function.file) || a.function.span[0] - b.function.span[0] || a.n - b.n;

/**
 * The author's own workflow code: runs, callbacks of entries, and functions that are handed a context to
 * record entries with. A helper that gets a context but records nothing is a helper like any other: the
 * author's line is the call.
 */
function isOwn(act: Act, withEntries: ReadonlySet<Act>): boolean {
  if (act.scope?.callback === act.function.id) return true;
  if (isRun(act)) return true;
  return act.handles && (act.zone !== "workflow" || withEntries.has(act));
}
/** The body of `run` itself: the root scope is made where the definition is. */
const isRun = (act: Act): boolean => act.entered;

function workflowOf(solver: Solver, definition: Definition, withEntries: ReadonlySet<Act>): WorkflowAnalysis {
  const run = [...definition.run].sort(byPlace);
  const name =
    solver.registered.get(definition.id) ??
    solver.options.registered?.get(definition.id) ??
    definition.name ??
    fallbackName(solver, definition);
  const root = { ...definition.scope, label: `workflow "${name}"` };
  let skeleton: WorkflowAnalysis["skeleton"] | null = null;
  return {
    name,
    place: definition.place,
    call: definition.call,
    engine: definition.profile.name,
    root,
    run,
    get skeleton() {
      return (skeleton ??= skeletonOf(solver, run, withEntries));
    },
    get stateType() {
      return stateTypeOf(solver, definition);
    },
    get queues() {
      return queuesOf(solver, definition);
    },
  };
}

function fallbackName(solver: Solver, definition: Definition): string {
  const file = solver.program.file(definition.place.file);
  const line = file ? file.lineStarts.filter((start) => start <= definition.place.span[0]).length : 1;
  return `${definition.place.file.slice(definition.place.file.lastIndexOf("/") + 1)}:${line}`;
}

function stateTypeOf(solver: Solver, definition: Definition): WorkflowAnalysis["stateType"] {
  for (const atom of definition.config.atoms)
    if (atom.a === "object") {
      const prop = solver.literalOf(atom.obj)?.props.find((each) => each.key === "state");
      if (prop) return prop.type;
    }
  return null;
}

function queuesOf(solver: Solver, definition: Definition): QueueAnalysis[] {
  const out: QueueAnalysis[] = [];
  for (const atom of definition.config.atoms) {
    if (atom.a !== "object") continue;
    for (const queues of atom.obj.fields.get("queues")?.value.atoms ?? []) {
      if (queues.a !== "object") continue;
      for (const [name, cell] of queues.obj.fields) {
        const key = cell.value.atoms.find((each) => each.a === "instance")?.key;
        const types = (key === undefined ? undefined : solver.queueCalls.get(key))?.typeArgs ?? [];
        out.push({ name, bodyType: types[0] ?? null, responseType: types[1] ?? null });
      }
    }
  }
  return out.sort((a, b) => compare(a.name, b.name));
}

function unknownCallees(operations: readonly Operation[], routes: Routes): UnknownCallee[] {
  return operations
    .filter(
      (op): op is EffectOperation =>
        op.kind === "effect" && op.effect === "unknown" && op.zone === "workflow",
    )
    .filter((op) => routes.reaches(op.activation as Act))
    .map((op) => ({
      text: op.what.replace(/\(\)$/, ""),
      why: op.why === "package" ? "package" : "dynamic",
      operation: op,
    }));
}
