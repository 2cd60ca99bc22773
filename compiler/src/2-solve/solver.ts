/**
 * The fix-point over activations.
 *
 * Invariants
 * 1. Cells only grow; whoever read a cell runs again when it has grown. So the result is the least
 *    fix-point, whatever the order of the work list.
 * 2. Circumstances (the key of an activation) are finite: contexts by opener, functions by closure,
 *    constants only while a function has few activations (`MANY`), then merged; and the more activations
 *    there are in all, the sooner (`Effort`).
 * 3. Work starts from sorted roots, so ties are always broken the same way.
 */
import type { Catalogue } from "../catalogue/index.js";
import type {
  BindingId,
  CallExpr,
  ClassFacts,
  ContextKind,
  EngineProfile,
  FactsSource,
  FunctionFacts,
  FunctionId,
  ObjectExpr,
  Place,
  Span,
} from "../types.js";
import { Act, type Circumstances, type Phase } from "./act.js";
import { Cell, HeapObject, type Accessor } from "./values/heap.js";
import { callClosures } from "./evaluate/calls.js";
import { Uses } from "./evaluate/uses.js";
import type { EntryOperation, PromiseUse } from "./types.js";
import { Effort } from "./effort.js";
import { Mutations } from "./mutations.js";
import { fileOf, Program, referenceTo } from "./program.js";
import { rankByCalls } from "./ranks.js";
import { Run } from "./evaluate/run.js";
import { Shared } from "./evaluate/shared.js";
import { runBody } from "./evaluate/body.js";
import { WorkList } from "./work-list.js";
import type { ScopeNode } from "./entries/scope.js";
import { joinAll, UNDEFINED, UNKNOWN, type Value } from "./values/value.js";

export interface SolveOptions {
  readonly catalogue: Catalogue;
  /** The engine that an import chooses. */
  readonly engineOfModule: (module: string) => EngineProfile | null;
  /** Judge by this engine, whatever is imported. */
  readonly engine?: EngineProfile | null;
  /** Own factories: `@acme/flows#durable` or `/abs/file#durable` (no extension) → the engine's export. */
  readonly factories?: Readonly<Record<string, string>>;
  /** Own context types, named like the factories. */
  readonly contextTypes?: Readonly<Record<string, ContextKind>>;
  /** Engine whose rules hold where no import tells. */
  readonly defaultEngine: EngineProfile;
  /** Names given by a `setup` that is not looked at, by the id of the definition's scope. */
  readonly registered?: ReadonlyMap<string, string>;
  /** `false`: definitions are found, but what the engine would call is left alone. */
  readonly entersWorkflows?: boolean;
}

/** A definition found: `workflow({ … })`. */
export interface Definition {
  readonly id: string;
  readonly place: Place;
  /** The whole call, arguments included. */
  readonly call: Place;
  readonly profile: EngineProfile;
  name: string | null;
  readonly scope: ScopeNode;
  readonly run: Set<Act>;
  config: Value;
}

const referenceParts = (fn: FunctionFacts): [file: string, name: string] => {
  const reference = referenceTo(fn.file, fn.name);
  return [reference.slice(0, reference.indexOf("#")), fn.name];
};

const MANY = 48;
const DEEP = 90;

export class Solver {
  readonly program: Program;
  readonly mutations: Mutations;
  readonly acts: Act[] = [];
  readonly definitions = new Map<string, Definition>();
  /** Names given by `setup({ use })`, by definition id. */
  readonly registered = new Map<string, string>();
  /** Native loops around each variable's declaration. */
  readonly declaredIn = new Map<BindingId, readonly string[]>();
  /** Objects of load time that are changed later, with one place. */
  readonly changed = new Map<string, Place>();
  /** `queue<T>()` calls by the key of their value: their types are read when asked for. */
  readonly queueCalls = new Map<string, CallExpr>();
  private readonly literals = new Map<string, ObjectExpr>();
  private readonly bases = new Map<string, Cell>();
  private readonly resolved = new Map<string, Set<Act>>();
  /** Activations of each function, by phase and circumstances. */
  private readonly families = new Map<FunctionFacts, Partial<Record<Phase, Map<string, Act>>>>();
  private readonly objects = new Map<string, HeapObject>();
  private readonly statics = new Map<string, HeapObject>();
  /** Activations that were given more: callers first, so that each runs once with what all of them give. */
  private readonly called = new WorkList("callers first");
  /** Activations that read what has grown: callees first, so that results flow up in few rounds. */
  private readonly answered = new WorkList("callees first");
  readonly effort = new Effort();
  private depth = 0;

  constructor(
    source: FactsSource,
    readonly options: SolveOptions,
  ) {
    this.program = new Program(source);
    this.mutations = new Mutations(this.program);
  }

  /** Runs until nothing changes any more. */
  settle(): void {
    rankByCalls(this.acts);
    this.called.sort();
    this.answered.sort();
    const next = (): Act | undefined => this.called.next() ?? this.answered.next();
    // What has run since it was queued is not queued any more.
    for (let act = next(); act; act = next()) if (act.queued) this.run(act);
  }

  /** Has an activation run again that read what `by` let grow: by what it was handed, or by what it asked for. */
  wake(reader: Act, by: Act): void {
    this.enqueue(reader, reader.rank > by.rank ? this.called : this.answered);
  }

  private enqueue(act: Act, list = this.answered): void {
    if (act.queued) return;
    act.queued = true;
    list.add(act);
  }

  private run(act: Act): void {
    if (act.running) {
      this.enqueue(act);
      return;
    }
    act.queued = false;
    if (!this.effort.allows(act)) {
      if (!act.ran) act.result.add(UNKNOWN, (reader) => this.enqueue(reader));
      return;
    }
    act.running = true;
    act.runs += 1;
    this.depth += 1;
    try {
      const run = new Run(this, act);
      runBody(run);
      act.trace = run.trace;
      act.operations = run.operations;
      act.sinks = run.sinks;
      act.calls = run.calls;
      act.ran = true;
    } finally {
      this.depth -= 1;
      act.running = false;
    }
  }

  /** The module's own statements, run at load. `null` when the file can't be read. */
  module(path: string): Act | null {
    const file = this.program.file(path);
    const fn = file && this.program.fn(file.module);
    if (!fn) return null;
    const act = this.activation({ fn, env: null, phase: "load", scope: null }, "");
    if (!act.ran && !act.running) this.start(act);
    return act;
  }

  /** Runs an activation that is new; a deep one waits for its turn. */
  start(act: Act): void {
    if (act.ran || act.running || act.queued) return;
    if (this.depth > DEEP) this.enqueue(act);
    else this.run(act);
  }

  /** The activation of a function under circumstances; `key` tells apart what the arguments are. */
  activation(circumstances: Circumstances, key: string): Act {
    const { fn, env, phase, scope } = circumstances;
    const family = this.familyOf(fn, phase);
    const where = `${env ? env.n : ""}|${scope ? scope.id : ""}|`;
    let full = where + key;
    let act = family.get(full);
    const granted = act ? "own" : this.effort.grants(phase, family.size);
    if (granted !== "own") {
      full = granted === "merged" ? granted : where + granted;
      act = family.get(full);
    }
    if (!act) {
      act = new Act(this.acts.length, `${fn.id}|${phase}|${family.size}`, circumstances);
      this.acts.push(act);
      this.effort.noteMade(phase);
      family.set(full, act);
    }
    return act;
  }

  /** True while constants may tell activations of this function apart. */
  tellsConstants(fn: FunctionFacts, phase: Phase): boolean {
    return this.familyOf(fn, phase).size <= MANY;
  }

  /** True for a function that runs while the process starts, and never else: `register()` of a table of handlers. */
  readonly onlyAtLoad = (id: FunctionId): boolean => {
    const fn = this.program.fn(id);
    const phases = fn ? this.families.get(fn) : undefined;
    return (
      phases?.load !== undefined &&
      Object.entries(phases).every(([phase, acts]) => phase === "load" || acts.size === 0)
    );
  };

  private familyOf(fn: FunctionFacts, phase: Phase): Map<string, Act> {
    let phases = this.families.get(fn);
    if (!phases) this.families.set(fn, (phases = {}));
    return (phases[phase] ??= new Map());
  }

  /**
   * Hands over arguments. The activation is run when it is new, and when it was given more by the only caller that it
   * has, which then goes on with what it gives now; one of several callers waits until all have given theirs.
   */
  enter(act: Act, caller: Act | null, self: Value, args: readonly Value[], spread: Value | null): void {
    act.caller = act.caller === undefined || act.caller === caller ? caller : null;
    const isOwn = act.caller !== null;
    let hasMore = false;
    const wake = (reader: Act): void => {
      if (reader === act && isOwn) hasMore = true;
      else this.enqueue(reader, this.called);
    };
    const give = (cell: Cell, value: Value): void => {
      cell.add(value, wake);
    };
    give(act.self, self);
    if (args.length < act.argCount && !spread) {
      if (act.ran && args.length < act.function.params.length) this.enqueue(act);
      act.argCount = args.length;
    }
    const count = Math.max(args.length, act.function.params.length);
    for (let index = 0; index < count; index += 1) give(act.arg(index), args[index] ?? spread ?? UNDEFINED);
    if (spread) give(act.spread, spread);
    if (isOwn && (hasMore || act.queued) && this.depth <= DEEP) this.run(act);
    else if (hasMore) this.enqueue(act, this.called);
    else this.start(act);
  }

  /** The object made at a place of an activation. */
  object(
    act: Act,
    place: Place,
    kind: HeapObject["kind"],
    cls: ClassFacts | null = null,
    what = "",
  ): HeapObject {
    const id = `${act.n}:${place.file === act.function.file ? "" : place.file}${place.span[0]}:${place.span[1]}${what}`;
    let object = this.objects.get(id);
    if (!object) this.objects.set(id, (object = new HeapObject(id, kind, place, act, cls)));
    return object;
  }

  /** The object that holds a class's static members. */
  staticsOf(cls: ClassFacts, owner: Act): HeapObject {
    const id = `${cls.id}|${owner.n}`;
    let object = this.statics.get(id);
    if (!object)
      this.statics.set(
        id,
        (object = new HeapObject(`static:${id}`, "object", { file: cls.file, span: cls.span }, owner, cls)),
      );
    return object;
  }

  /** What a class extends. */
  baseOf(cls: ClassFacts, env: Act): Cell {
    const id = `${cls.id}|${env.n}`;
    let cell = this.bases.get(id);
    if (!cell) this.bases.set(id, (cell = new Cell()));
    return cell;
  }

  noteLiteral(object: HeapObject, expr: ObjectExpr): void {
    this.literals.set(object.id, expr);
  }
  literalOf(object: HeapObject): ObjectExpr | null {
    return this.literals.get(object.id) ?? null;
  }

  /** An object made at load is changed afterwards: its readers in workflow code read shared state. */
  noteChanged(object: HeapObject, place: Place): void {
    if (!this.changed.has(object.id)) this.changed.set(object.id, place);
  }

  /** Workflow code reads an object; whether that is shared state is decided when all is solved. */
  noteRead(
    run: Run,
    object: HeapObject,
    name: string,
    member: string,
    span: Span,
    what: "object" | "static",
  ): void {
    if (run.act.zone !== "workflow" || object.owner.zone !== "outside") return;
    const last = run.operations[run.operations.length - 1];
    if (last?.kind === "shared" && last.place.span[0] === span[0]) return;
    run.operations.push(
      new Shared(run, span, name, "read", what, object.place, ({ changed, mutations, onlyAtLoad }) => {
        const ofClass = object.cls
          ? mutations.ofMember(object.cls, member, what === "static", onlyAtLoad)
          : null;
        return ofClass?.place ?? changed.get(object.id) ?? null;
      }),
    );
  }

  /** The promise that stands for this object was resolved while an activation ran. */
  noteResolved(object: HeapObject, by: Act): void {
    let acts = this.resolved.get(object.id);
    if (!acts) this.resolved.set(object.id, (acts = new Set()));
    acts.add(by);
  }
  /** True when the executor of `new Promise` itself resolves it. */
  resolvedInPlace(object: HeapObject): boolean {
    for (const act of this.resolved.get(object.id) ?? []) {
      const { span, file } = act.function;
      if (
        file === object.place.file &&
        span[0] >= object.place.span[0] &&
        span[1] <= object.place.span[1] &&
        act.env === object.owner
      )
        return true;
    }
    return false;
  }

  /** A setter runs when its property is assigned. */
  callSetter(run: Run, setter: Accessor, self: Value, value: Value, span: Span): void {
    const { fn, env } = setter;
    callClosures(run, [{ a: "closure", key: `f:${fn.id}:${env.n}`, fn, env, self, bound: [] }], {
      span,
      place: span,
      text: fn.name,
      form: "setter",
      args: [{ value, expr: null, spread: false }],
      self,
      by: null,
      callee: null,
      expr: null,
      varies: [],
    });
  }

  /** True for a promise that was made when the process started, or in a hook. */
  madeOutside(origin: string): boolean {
    return this.acts[Number(origin.slice(0, origin.indexOf("/")))]?.zone === "outside";
  }

  /** What the config says of a function of the program: `./file#export`. */
  declaredAs(fn: FunctionFacts): "pure" | "effectful" | null {
    let known = this.declared.get(fn.id);
    if (known === undefined) {
      const row =
        fn.owner !== null && this.program.fn(fn.owner)?.owner === null
          ? this.options.catalogue.lookupExternal(...referenceParts(fn), { form: "call", args: null })
          : null;
      known = row === null ? null : row.effect === "pure" ? "pure" : "effectful";
      this.declared.set(fn.id, known);
    }
    return known;
  }
  private readonly declared = new Map<string, "pure" | "effectful" | null>();

  private uses: Uses | null = null;
  /** How a promise is used, when all is solved. */
  useOf(origin: string): PromiseUse {
    this.uses ??= new Uses(this.acts);
    return this.uses.of(origin);
  }
  private entries: Map<string, EntryOperation> | null = null;
  /** The entry at a place, when all is solved. */
  entryAt(place: Place): EntryOperation | null {
    if (!this.entries) {
      this.entries = new Map();
      for (const act of this.acts)
        for (const op of act.operations)
          if (op.kind === "entry") this.entries.set(`${op.place.file}:${op.place.span[0]}`, op);
    }
    return this.entries.get(`${place.file}:${place.span[0]}`) ?? null;
  }

  /** The cell of a variable as seen from an activation; `null` when nothing can be known of it. */
  variable(from: Act, id: BindingId): { readonly cell: Cell; readonly owner: Act } | null {
    const binding = this.program.binding(id);
    if (!binding) return null;
    for (let act: Act | null = from; act; act = act.env)
      if (act.function.id === binding.owner) return { cell: act.variable(id), owner: act };
    const file = this.program.file(fileOf(id));
    if (!file || file.module !== binding.owner) return null;
    const module = this.module(file.path);
    return module && { cell: module.variable(id), owner: module };
  }

  /** All values an argument list can give for one parameter and those after it. */
  static rest(act: Act, from: number, read: (cell: Cell) => Value): Value {
    return joinAll([...act.args.slice(from).map(read), read(act.spread)]);
  }
}
