import type {
  BindingId,
  CallExpr,
  ClassFacts,
  Expr,
  FileFacts,
  FunctionFacts,
  Pattern,
  Place,
  Span,
} from "../types.js";
import { MUTATORS } from "./mutators.js";
import type { Program } from "./program.js";
import { visitExprs, visitStmts } from "./visit.js";

/** How a variable is changed after it was made. */
export interface Mutation {
  readonly how: "assign" | "property" | "method";
  readonly place: Place;
  /** The function in which it happens. */
  readonly within: string;
}

/** Which module variables change after they were made, by reading the files' text once. */
export class Mutations {
  private readonly members = new Map<string, Mutation>();
  /** Of each file that changes it, the first change. */
  private readonly variables = new Map<BindingId, Mutation[]>();
  private scanned = 0;

  constructor(private readonly program: Program) {}

  /**
   * The first change of a variable outside of the statements of its own module (that is, after load),
   * in the files that were read so far.
   * @param onlyAssigned leaves out calls of methods that sound like changes.
   */
  of(id: BindingId, onlyAssigned = false): Mutation | null {
    this.scanNew();
    const found = this.variables.get(id)?.find(({ how }) => !(onlyAssigned && how === "method"));
    return found ?? null;
  }

  /** The first change of a class's field outside of its constructor, in the files that were read so far. */
  ofMember(cls: ClassFacts, name: string, isStatic: boolean): Mutation | null {
    this.scanNew();
    return this.members.get(`${cls.id}.${isStatic ? "static " : ""}${name}`) ?? null;
  }

  /** Scans the files that were read since the last question, in the order in which they were. */
  private scanNew(): void {
    const { files } = this.program;
    // What a scan looks up can be in a file that is read for it.
    while (files.size > this.scanned) {
      const fresh = [...files.values()].slice(this.scanned);
      this.scanned = files.size;
      for (const file of fresh)
        for (const [id, mutation] of this.scan(file)) {
          const known = this.variables.get(id);
          if (known === undefined) this.variables.set(id, [mutation]);
          else known.push(mutation);
        }
    }
  }

  private scan(file: FileFacts): ReadonlyMap<BindingId, Mutation> {
    const found = new Map<BindingId, Mutation>();
    for (const fn of file.functions) {
      if (fn.owner === null) continue;
      const note = (target: Expr | Pattern, how: Mutation["how"]): void => {
        const member = memberOf(target, how);
        if (member) this.noteMember(file, fn, member.root, member.name, target.span, how);
        for (const { id, deep } of targets(target)) {
          const binding = this.program.binding(id);
          if (!binding || found.has(id)) continue;
          const place = { file: file.path, span: target.span };
          found.set(id, { how: deep ? (how === "assign" ? "property" : how) : how, place, within: fn.id });
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
    return found;
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
    if (key !== null && !this.members.has(key))
      this.members.set(key, { how, place: { file: file.path, span }, within: fn.id });
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
