import type {
  BindingId,
  CallExpr,
  ClassFacts,
  Expr,
  FileFacts,
  FunctionFacts,
  FunctionId,
  Glance,
  Pattern,
  Place,
  Span,
} from "../types.js";
import { MUTATORS } from "./evaluate/mutators.js";
import type { Program } from "./program.js";
import { visitExprs, visitStmts } from "./visit.js";

/** How a variable is changed after it was made. */
export interface Mutation {
  /** `method`: `x.add(…)`; `inner method`: `x.list.push(…)`. */
  readonly how: "assign" | "property" | "method" | "inner method";
  readonly place: Place;
  /** The function in which it happens. */
  readonly within: FunctionId;
}

const NONE: ReadonlySet<never> = new Set();
const INNER = {
  assign: "property",
  property: "property",
  method: "inner method",
  "inner method": "inner method",
} as const;

/**
 * Which variables change after they were made, by reading the files' text once. Functions that change nothing outside of
 * themselves are read only when a variable of their own is asked for.
 */
export class Mutations {
  private readonly members = new Map<string, Mutation[]>();
  /** Of each function that changes it, the first change of each sort. */
  private readonly variables = new Map<BindingId, Mutation[]>();
  private readonly scanned = new Set<FunctionFacts>();
  private files = 0;

  constructor(private readonly program: Program) {}

  /**
   * The first change of a variable outside of the statements of its own module (that is, after load),
   * in the files that were read so far.
   * @param methods the calls of methods which sound like changes that are none, by what the variable holds.
   * @param isOver true for a function whose changes are over when the process has started.
   */
  of(
    id: BindingId,
    methods: ReadonlySet<Mutation["how"]> = NONE,
    isOver: (fn: FunctionId) => boolean = () => false,
  ): Mutation | null {
    this.scanNew();
    const binding = this.program.binding(id);
    if (binding) this.scanAround(binding.file, binding.span);
    const all = this.variables.get(id) ?? [];
    return all.find(({ how, within }) => !methods.has(how) && !isOver(within)) ?? null;
  }

  /** The first change of a class's field outside of its constructor, in the files that were read so far. */
  ofMember(
    cls: ClassFacts,
    name: string,
    isStatic: boolean,
    isOver: (fn: FunctionId) => boolean,
  ): Mutation | null {
    this.scanNew();
    this.scanAround(cls.file, cls.span);
    const all = this.members.get(`${cls.id}.${isStatic ? "static " : ""}${name}`) ?? [];
    return all.find(({ within }) => !isOver(within)) ?? null;
  }

  /** Scans the files that were read since the last question, in the order in which they were. */
  private scanNew(): void {
    const { files } = this.program;
    // What a scan looks up can be in a file that is read for it.
    while (files.size > this.files) {
      const fresh = [...files.values()].slice(this.files);
      this.files = files.size;
      for (const file of fresh)
        for (const fn of file.outermost) if (mayChange(fn.glance)) this.scan(file, fn);
    }
  }

  /** Scans the function in which something is declared. */
  private scanAround(path: string, [start, end]: Span): void {
    const file = this.program.file(path);
    for (const fn of file?.outermost ?? [])
      if (file && fn.span[0] <= start && end <= fn.span[1]) this.scan(file, fn);
  }

  /** Scans a function and those in it. */
  private scan(file: FileFacts, outermost: FunctionFacts): void {
    if (outermost.owner === null || this.scanned.has(outermost)) return;
    this.scanned.add(outermost);
    for (const fn of outermost.withInner) {
      const note = (target: Expr | Pattern, how: Mutation["how"]): void => {
        const member = memberOf(target, how);
        if (member) this.noteMember(file, fn, member.root, member.name, target.span, how);
        for (const { id, deep } of targets(target)) {
          if (!this.program.binding(id)) continue;
          const place = { file: file.path, span: target.span };
          const known = this.variables.get(id) ?? [];
          if (known.length === 0) this.variables.set(id, known);
          const mutation = { how: deep ? INNER[how] : how, place, within: fn.id };
          if (!known.some((each) => each.how === mutation.how && each.within === fn.id)) known.push(mutation);
        }
      };
      const look = (expr: Expr): void => {
        if (expr.k === "assign") note(expr.target, "assign");
        if (expr.k === "unary" && expr.op === "delete") note(expr.operand, "property");
        if (expr.k === "call" && expr.callee.k === "member" && MUTATORS.has(expr.callee.property ?? ""))
          note(expr.callee.object, "method");
        const target = expr.k === "call" ? changedArgument(expr) : null;
        if (target) note(target, "property");
      };
      visitStmts(fn.body, look);
      for (const param of fn.params) visitExprs(param.pattern, look);
    }
  }

  private noteMember(
    file: FileFacts,
    fn: FunctionFacts,
    root: Expr,
    name: string,
    span: Span,
    how: Mutation["how"],
  ): void {
    let key: string | null = null;
    if (root.k === "this" && fn.classId !== null) {
      const cls = this.program.cls(fn.classId);
      if (!cls || cls.constructorId === fn.id) return;
      const isStatic = cls.members.some((member) => member.functionId === fn.id && member.static);
      key = `${cls.id}.${isStatic ? "static " : ""}${name}`;
    }
    if (root.k === "name" && root.ref.to === "binding") {
      const binding = this.program.binding(root.ref.id);
      const owner = binding?.kind === "class" ? this.program.file(binding.file) : null;
      const cls = owner?.classes.find(
        (each) =>
          binding &&
          each.span[0] <= binding.span[0] &&
          binding.span[1] <= each.span[1] &&
          each.name === binding.name,
      );
      if (cls) key = `${cls.id}.static ${name}`;
    }
    if (key === null) return;
    const known = this.members.get(key) ?? [];
    if (known.length === 0) this.members.set(key, known);
    if (!known.some(({ within }) => within === fn.id))
      known.push({ how, place: { file: file.path, span }, within: fn.id });
  }
}

/** Functions of the platform that change their first argument. */
const CHANGERS: ReadonlySet<string> = new Set([
  "Object.assign",
  "Object.defineProperty",
  "Object.defineProperties",
  "Object.setPrototypeOf",
  "Reflect.set",
  "Reflect.deleteProperty",
  "Reflect.defineProperty",
]);

/** Whether a function can change what is declared outside of it. */
function mayChange({ assigns, methods }: Glance): boolean {
  if (assigns) return true;
  for (const name of methods) if (MUTATORS.has(name) || CHANGERS.has(name)) return true;
  return false;
}

/** `flags` in `Object.assign(flags, …)`. */
export function changedArgument(call: CallExpr): Expr | null {
  const { callee } = call;
  if (callee.k !== "member" || callee.object.k !== "name" || callee.object.ref.to !== "global") return null;
  if (!CHANGERS.has(`${callee.object.name}.${callee.property ?? ""}`)) return null;
  return call.args[0]?.value ?? null;
}

/** The member directly below the root of what is changed: `X.on.add()` and `this.on = …` → `on`. */
function memberOf(
  target: Expr | Pattern,
  how: Mutation["how"],
): { readonly root: Expr; readonly name: string } | null {
  if ("p" in target) return target.p === "target" ? memberOf(target.expr, how) : null;
  if (target.k !== "member") return null;
  if (target.object.k === "member") return memberOf(target.object, how);
  return target.property === null ? null : { root: target.object, name: target.property };
}

/** Variables at the root of an assignment's target. */
function targets(target: Expr | Pattern): readonly { readonly id: BindingId; readonly deep: boolean }[] {
  if ("p" in target) {
    switch (target.p) {
      case "binding":
        return [{ id: target.id, deep: false }];
      case "target":
        return targets(target.expr);
      case "object":
        return [...target.props.map((prop) => prop.value), ...(target.rest ? [target.rest] : [])].flatMap(
          targets,
        );
      case "array":
        return [...target.items, target.rest].flatMap((item) => (item ? targets(item) : []));
      case "default":
        return targets(target.pattern);
    }
  }
  if (target.k === "name") return target.ref.to === "binding" ? [{ id: target.ref.id, deep: false }] : [];
  if (target.k === "member") return targets(target.object).map(({ id }) => ({ id, deep: true }));
  if (target.k === "cast") return targets(target.operand);
  return [];
}
