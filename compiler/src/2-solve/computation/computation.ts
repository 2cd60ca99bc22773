/**
 * What a value is computed from, as one text: recorded results at its ends, and all native code between them
 * and the value. Equal texts are equal computations, so on equal recorded data they give equal values.
 *
 * Invariants
 * 1. Names of locals, formatting and the place of the code do not get into the text. A variable with one value is what
 *    it holds; a helper of the program is what it returns for its arguments.
 * 2. What can't be followed (too deep, too large) stands in the text as a fingerprint of the function and all that it leads to.
 * 3. A variable that hangs on itself (a loop counts it up) is numbered by the order in which it was come to.
 */
import { createHash } from "node:crypto";
import type {
  BindingId,
  CallExpr,
  Expr,
  FileFacts,
  FunctionFacts,
  NameExpr,
  Ref,
  Span,
  Stmt,
} from "../../types.js";
import type { Act } from "../act.js";
import { fileOf } from "../program.js";
import type { Solver } from "../solver.js";
import type { CallOperation, EntryOperation, Scope } from "../types.js";
import { constantsOf, sitesOf, type Value } from "../values/value.js";
import { visitStmts } from "../visit.js";
import { callIndexOf, type CallIndex } from "./call-index.js";
import { calledFrame, depthOf, enclosing, isOnWay, type Frame } from "./frame.js";
import {
  bindingsOf,
  defaultsIn,
  expressionsOf,
  plainPath,
  testsOfExits,
  writtenIn,
  type Condition,
  type FunctionPlace,
  type Path,
  type Write,
  type Written,
} from "./written.js";
import { wholePrint } from "./whole-print.js";

/** Calls of helpers that are followed one into the other. */
const DEEPEST = 6;
/** Expressions that are looked at for one computation. */
const MOST_WORK = 20_000;
/** Longer texts stand for themselves by their hash. */
const LONG = 160;

/** Says which arm a test of a version gate takes; `null` when the test asks no gate. */
export type ArmOfGate = (
  test: { readonly expr: Expr; readonly cases: Cases | null },
  gate: EntryOperation,
) => number | null;
type Cases = Extract<Stmt, { s: "switch" }>["cases"];

export class Computation {
  private readonly calls: CallIndex;
  private readonly known = new Map<string, string>();
  /** Variables and calls whose text is being put together or hangs on such a one, with their numbers. */
  private readonly open = new Map<string, number>();
  /** The lowest number that was referred to. */
  private low = Number.POSITIVE_INFINITY;
  private work = 0;
  private readonly gates = new Map<string, EntryOperation>();

  constructor(
    private readonly solver: Solver,
    private readonly armOfGate: ArmOfGate,
  ) {
    this.calls = callIndexOf(solver);
  }

  /** The text of an expression as it is evaluated in a frame. */
  of(expr: Expr, frame: Frame): string {
    return this.part(expr, [], frame);
  }

  /** The arm that a test takes, when it asks nothing but the version of a gate. */
  arm(expr: Expr, cases: Cases | null, frame: Frame): number | null {
    const asked = cases === null ? versionIn(expr) : expr;
    if (asked === null) return null;
    const gate = this.gates.get(this.of(asked, frame));
    return gate === undefined ? null : this.armOfGate({ expr, cases }, gate);
  }

  // ----------------------------------------------------------------------- expressions

  /** The text of what an expression has at `path`. */
  private part(expr: Expr, path: Path, frame: Frame): string {
    this.work += 1;
    if (this.work > MOST_WORK) return `whole ${wholePrint(this.solver.program, frame.act.function)}`;
    const text = (each: Expr): string => this.part(each, [], frame);
    switch (expr.k) {
      case "literal":
        return at(`${expr.type === "string" ? JSON.stringify(expr.value) : String(expr.value)}`, path);
      case "name":
        return this.name(expr, path, frame);
      case "member": {
        if (expr.object.k === "this") return at(this.ofThis(expr.property, frame), path);
        if (expr.property !== null) return this.part(expr.object, [expr.property, ...path], frame);
        return at(`${text(expr.object)}[${expr.computed ? text(expr.computed) : ""}]`, path);
      }
      case "await":
      case "cast":
        return this.part(expr.operand, path, frame);
      case "conditional": {
        const arm = this.arm(expr.test, null, frame);
        if (arm !== null) return this.part(arm === 0 ? expr.then : expr.else, path, frame);
        return `(${text(expr.test)}?${this.part(expr.then, path, frame)}:${this.part(expr.else, path, frame)})`;
      }
      case "logical": {
        const arm = expr.op === "??" ? null : this.arm(expr.left, null, frame);
        if (arm !== null && (arm === 0) === (expr.op === "&&")) return this.part(expr.right, path, frame);
        return `(${this.part(expr.left, path, frame)}${expr.op}${this.part(expr.right, path, frame)})`;
      }
      case "sequence":
        return expr.items
          .map((item, index) => this.part(item, index === expr.items.length - 1 ? path : [], frame))
          .join();
      case "call":
        return this.call(expr, path, frame);
      case "object": {
        const [first, ...rest] = path;
        const plain = expr.props.every((prop) => prop.kind === "value" && prop.key !== null);
        const prop = plain ? expr.props.findLast((each) => each.key === first) : undefined;
        if (prop) return this.part(prop.value, rest, frame);
        const parts = expr.props.map(
          (each) =>
            `${each.kind}${each.key ?? ""}${each.computed ? `[${text(each.computed)}]` : ""}:${text(each.value)}`,
        );
        return at(`{${parts.join()}}`, path);
      }
      case "array":
        return at(
          `[${expr.items.map((item) => (item.spread ? "..." : "") + text(item.value)).join()}]`,
          path,
        );
      case "template":
        return at(
          `\`${expr.quasis.map((quasi, index) => quasi + (expr.parts[index] ? `\${${text(expr.parts[index])}}` : "")).join("")}\``,
          path,
        );
      case "unary":
        return at(`(${expr.op} ${text(expr.operand)})`, path);
      case "binary":
        return at(`(${text(expr.left)}${expr.op}${text(expr.right)})`, path);
      case "assign":
        return expr.op === "="
          ? this.part(expr.value, path, frame)
          : at(`(${expr.target.p}${expr.op}${text(expr.value)})`, path);
      case "function": {
        const fn = this.solver.program.fn(expr.id);
        return fn ? this.functionText(fn, frame.act, frame) : "function";
      }
      case "class":
        return this.classText(expr.id);
      case "this":
      case "super":
        return at(expr.k, path);
      case "yield":
        return expr.operand ? text(expr.operand) : "yield";
      case "import":
        return at(`import(${text(expr.module)})`, path);
      case "opaque":
        return at(`${expr.what}(${expr.parts.map(text).join()})`, path);
    }
  }

  private name(expr: NameExpr, path: Path, frame: Frame): string {
    return this.reference(expr.ref, expr.name, path, frame, expr.span);
  }

  private reference(ref: Ref, name: string, path: Path, frame: Frame, span: Span): string {
    switch (ref.to) {
      case "global":
        return at(name, path);
      case "external":
        return at(`${ref.module}#${ref.name}`, path);
      case "namespace": {
        const [member, ...rest] = path;
        const target = member === undefined ? undefined : this.solver.program.file(ref.file)?.exports[member];
        return target ? this.reference(target, member ?? "", rest, frame, span) : at("namespace", path);
      }
      case "binding":
        return this.variable(ref.id, path, frame, span);
    }
  }

  // ----------------------------------------------------------------------- variables

  private variable(id: BindingId, path: Path, frame: Frame, span: Span): string {
    const found = this.solver.variable(frame.act, id);
    const { program } = this.solver;
    const binding = program.binding(id);
    if (!found || !binding) return at(binding?.name ?? "?", path);
    const { value } = found.cell;
    const constant = constantAt(value, plainPath(path));
    if (constant !== null) return constant;
    if (value.atoms.length > 0 && value.atoms.every((atom) => atom.a === "context"))
      return at("context", path);
    const [only, ...more] = value.atoms;
    if (only?.a === "closure" && more.length === 0 && path.length === 0 && !value.open)
      return this.functionText(only.fn, only.env, frame);
    const owner = enclosing(frame, found.owner);
    const file = program.file(fileOf(id));
    if (!file) return at(binding.name, path);
    const written = writtenIn(file);
    const param = paramOf(owner.act.function, id);
    const place = owner.act === frame.act ? span : null;
    const writes = this.reaching(id, path, written, owner, place);
    const implied = ({ conditions }: Write): number =>
      place === null ? 0 : conditions.filter((one) => holds(one.region, place)).length;
    const places = writes
      .map(({ write, again }) => `${write.span[0]}${again ? "~" : ""}:${implied(write)}`)
      .join();
    return this.once(`${frameKey(owner)}/${id}/${path.join(".")}/${places}`, () => {
      let values = param === null ? [] : [this.param(owner, param, path)];
      for (const each of writes) {
        const conditions = this.conditions(each, owner, place);
        if (conditions === null) continue;
        const { write } = each;
        // What it held before is gone.
        if (each.surely && conditions.length === 0 && write.how.w === "value" && write.how.op === "=")
          values = [];
        values.push(this.writeText(each, conditions, path));
      }
      if (values.length === 0 && (binding.kind === "class" || binding.kind === "enum"))
        return at(`${binding.kind} ${binding.name}`, path);
      const [single] = values;
      return values.length === 1 && single !== undefined ? single : `{${values.join(";")}}`;
    });
  }

  /**
   * What can have given a variable the value that it has at a place, in the order of the text.
   * @param place where it is read, when that is in the function that declares it.
   */
  private reaching(
    id: BindingId,
    path: Path,
    written: Written,
    owner: Frame,
    place: Span | null,
  ): readonly Reaching[] {
    const all = [...(written.writes.get(id) ?? []), ...this.changesOfParts(id, path, written)].sort(
      (a, b) => a.span[0] - b.span[0],
    );
    return all.flatMap((write): Reaching[] => {
      if (write.how.w === "change" && !meets(write.how.path, path)) return [];
      const frame = write.in === owner.act.function ? owner : this.inner(write.in, owner);
      // Code that is never run writes nothing.
      if (frame === null) return [];
      const here = frame === owner && place !== null;
      const turns = here && write.conditions.some((one) => one.c === "loop" && holds(one.region, place));
      const behind = here && write.span[0] >= place[0];
      if (behind && !turns) return [];
      return [{ write, frame, surely: here && !turns, again: behind }];
    });
  }

  /** Changes of what other variables hold of the same value, and by functions that it is handed to. */
  private changesOfParts(id: BindingId, path: Path, written: Written): Write[] {
    const found: Write[] = [];
    const seen = new Set([id]);
    const visit = (of: BindingId, prefix: Path): void => {
      for (const { id: part, path: own } of written.parts.get(of) ?? []) {
        const whole = [...prefix, ...plainPath(own)];
        if (seen.has(part) || !meets(whole, path)) continue;
        seen.add(part);
        for (const write of written.writes.get(part) ?? [])
          if (write.how.w === "change")
            found.push({ ...write, how: { ...write.how, path: [...whole, ...write.how.path] } });
        visit(part, whole);
      }
    };
    visit(id, []);
    for (const use of written.passed.get(id) ?? []) {
      const { callee } = use.call;
      if (callee.k !== "name" || callee.ref.to !== "binding") continue;
      const fn = this.solver.program.functionOfBinding(callee.ref.id);
      if (!fn || !this.changesParam(fn, use.index, 0)) continue;
      found.push({
        in: use.in,
        span: use.call.span,
        conditions: use.conditions,
        how: { w: "change", by: use.call, path: ["*"] },
      });
    }
    return found;
  }

  /** True when a function changes what its parameter holds. */
  private changesParam(fn: FunctionFacts, index: number, depth: number): boolean {
    const param = fn.params[index] ?? fn.params.at(-1);
    const file = this.solver.program.file(fn.file);
    if (!param || !file || depth > DEEPEST) return false;
    const written = writtenIn(file);
    return bindingsOf(param.pattern, []).some(({ id }) => {
      if (written.writes.get(id)?.some((write) => write.how.w === "change")) return true;
      if (
        written.parts
          .get(id)
          ?.some((part) => written.writes.get(part.id)?.some((write) => write.how.w === "change"))
      )
        return true;
      return written.passed.get(id)?.some(({ call, index: at }) => {
        if (call.callee.k !== "name" || call.callee.ref.to !== "binding") return false;
        const next = this.solver.program.functionOfBinding(call.callee.ref.id);
        return next !== null && next !== fn && this.changesParam(next, at, depth + 1);
      });
    });
  }

  /** The frame of a function that is written inside of the function of `owner`; `null` when it is never run. */
  private inner(fn: FunctionFacts, owner: Frame): Frame | null {
    const act = this.calls.actsOf(fn.id).find((each) => {
      for (let env: Act | null = each; env; env = env.env) if (env === owner.act) return true;
      return false;
    });
    return act ? { act, caller: owner, params: { by: "any call" }, throwing: owner.throwing } : null;
  }

  private writeText({ write, frame, again }: Reaching, conditions: readonly string[], path: Path): string {
    const { how } = write;
    const text = (expr: Expr, wanted: Path = []): string => this.part(expr, wanted, frame);
    const when = conditions.length === 0 ? "" : `[${conditions.join("&")}]`;
    const head = `${again ? "later " : ""}${when}`;
    switch (how.w) {
      case "value": {
        const value = text(how.value, plainPath([...how.path, ...path]));
        const defaults = how.defaults.map((each) => `??${text(each)}`).join("");
        return `${head}${how.op === "=" ? "" : how.op}${value}${defaults}`;
      }
      case "item":
        return `${head}${how.form === "for-in" ? "key" : "item"} of ${text(how.of)}${at("", how.path)}${at("", path)}${how.defaults.map((each) => `??${text(each)}`).join("")}`;
      case "change":
        return `${head}change ${how.path.join(".")} ${this.changeText(how.by, frame)}`;
      case "caught":
        return `${head}error of ${this.errorText(how.block, frame)}`;
    }
  }

  /** What is done to a value, without the value itself. */
  private changeText(by: Expr, frame: Frame): string {
    if (by.k === "assign") return `${by.op}${this.of(by.value, frame)}`;
    if (by.k !== "call") return by.k;
    const args = by.args.map((arg) => (arg.spread ? "..." : "") + this.of(arg.value, frame)).join();
    if (by.callee.k === "member" && by.callee.object.k !== "this")
      return `${by.callee.property ?? ""}(${args})`;
    return `${this.changer(by.callee)}(${args})`;
  }

  /** A function that changes what it is given: all that it does. */
  private changer(callee: Expr): string {
    const fn =
      callee.k === "name" && callee.ref.to === "binding"
        ? this.solver.program.functionOfBinding(callee.ref.id)
        : null;
    return fn
      ? wholePrint(this.solver.program, fn)
      : callee.k === "member"
        ? (callee.property ?? "")
        : callee.k;
  }

  private param(frame: Frame, param: Param, path: Path): string {
    const { params, act } = frame;
    const wanted = plainPath([...param.path, ...path]);
    const defaults = param.defaults.map((each) => `??${this.of(each, frame)}`).join("");
    switch (params.by) {
      case "itself":
        return at(`p${depthOf(frame)}.${param.index}`, wanted) + defaults;
      case "call":
        return this.argument(params.call, param, wanted, frame.caller ?? frame) + defaults;
      case "callback":
        return `given ${param.index} by ${this.givenText(params.call, frame.caller ?? frame)}${at("", wanted)}${defaults}`;
      case "any call": {
        const callers = this.calls.callersOf(act);
        if (callers.length === 0) return this.handed(act, param, wanted) + defaults;
        const texts = callers.map(({ from, op }) => {
          if (isOnWay(frame, from) && from !== act && depthOf(frame) > DEEPEST) return "deep";
          const caller = enclosing(frame, from);
          return this.param({ ...calledFrame(act, op, caller), throwing: frame.throwing }, param, path);
        });
        return [...new Set(texts)].sort().join("|");
      }
    }
  }

  private argument(call: CallExpr, param: Param, path: Path, frame: Frame): string {
    const spread = call.args.findIndex((arg) => arg.spread);
    if (param.rest || (spread >= 0 && spread <= param.index)) {
      const from = spread >= 0 ? Math.min(spread, param.index) : param.index;
      return at(
        `[${call.args
          .slice(from)
          .map((arg) => (arg.spread ? "..." : "") + this.of(arg.value, frame))
          .join()}]`,
        path,
      );
    }
    const arg = call.args[param.index];
    return arg ? this.part(arg.value, path, frame) : "undefined";
  }

  /** What the engine hands over: a context, a loop's state, the result of the step that is rolled back. */
  private handed(act: Act, param: Param, path: Path): string {
    const value = act.arg(param.index).value;
    const sites = sitesOf(value).map(
      (site) => `${this.entryName(site.place.file, site.place.span) ?? site.method}.${site.path.join(".")}`,
    );
    return at(sites.length > 0 ? [...new Set(sites)].sort().join("|") : `argument ${param.index}`, path);
  }

  private entryName(file: string, span: Span): string | null {
    const op = this.solver.entryAt({ file, span });
    return op === null ? null : `${op.method} ${this.scopeText(op.context.scope)}${namesText(op)}`;
  }

  // ----------------------------------------------------------------------- calls

  private call(call: CallExpr, path: Path, frame: Frame): string {
    const op = this.calls.operationOf(frame.act, call);
    if (op?.kind === "entry") return at(this.entry(op, frame), path);
    if (op !== null && op.form === "new")
      return at(`new ${op.text}(${this.args(call, frame)})${this.constructed(op)}`, path);
    if (op !== null && op.targets.length > 0) {
      const texts = op.targets.map((target) => this.result(target as Act, op, path, frame));
      return [...new Set(texts)].sort().join("|");
    }
    const { callee } = call;
    const what =
      callee.k === "member" && callee.property !== null
        ? `${this.of(callee.object, frame)}.${callee.property}`
        : this.of(callee, frame);
    return at(`${call.form === "call" ? "" : call.form}${what}(${this.args(call, frame)})`, path);
  }

  private args(call: CallExpr, frame: Frame): string {
    return call.args.map((arg) => (arg.spread ? "..." : "") + this.of(arg.value, frame)).join();
  }

  /** A call without the functions in it: what tells what these are given. */
  private givenText(call: CallExpr, frame: Frame): string {
    const { callee } = call;
    const what =
      callee.k === "member"
        ? `${this.of(callee.object, frame)}.${callee.property ?? ""}`
        : this.of(callee, frame);
    return `${what}(${call.args.map((arg) => (arg.value.k === "function" ? "" : this.of(arg.value, frame))).join()})`;
  }

  /** The result of an entry is recorded: its name says it all. Only a try block puts it together again on every run. */
  private entry(op: EntryOperation, frame: Frame): string {
    const holes = (op.holes[0]?.length ?? 0) > 0 || op.names.length !== 1;
    const name = holes && op.name.expr ? this.of(op.name.expr, frame) : namesText(op);
    const text = `${op.method === "tryStep" ? "step" : op.method} ${this.scopeText(op.context.scope)}${name}`;
    if (op.method === "getVersion") this.gates.set(text, op);
    if (op.method !== "try") return text;
    const bodies = op.callbacks
      .filter((callback) => callback.role === "body")
      .flatMap((callback) => callback.activations)
      .map((act) => this.blockResult(act as Act, frame));
    const caught = op.options["catch"]?.text ?? "";
    return `${text}<${caught}>(${[...new Set(bodies)].sort().join("|")})`;
  }

  /** The way to a scope by names: entries of one name in two scopes are two. */
  private scopeText(scope: Scope): string {
    if (scope.parent === null) return "";
    const opener = this.solver.entryAt(scope.opener);
    return `${this.scopeText(scope.parent)}${opener === null ? "" : `${namesText(opener)}/`}${scope.kind === "branch" ? `${scope.label}/` : ""}`;
  }

  private blockResult(act: Act, frame: Frame): string {
    if (isOnWay(frame, act)) return `again ${act.function.name}`;
    return this.outcomes(
      act.function,
      { act, caller: frame, params: { by: "any call" }, throwing: true },
      [],
    );
  }

  private result(act: Act, op: CallOperation, path: Path, frame: Frame): string {
    const { program } = this.solver;
    if (isOnWay(frame, act) || depthOf(frame) >= DEEPEST)
      return at(`${wholePrint(program, act.function)}(${op.call ? this.args(op.call, frame) : ""})`, path);
    return this.outcomes(act.function, calledFrame(act, op, frame), path);
  }

  /** What a function gives: its returns in order, each with what leads to it. */
  private outcomes(fn: FunctionFacts, frame: Frame, path: Path): string {
    const file = this.solver.program.file(fn.file);
    const all = (file && writtenIn(file).outcomes.get(fn.id)) ?? [];
    const texts: string[] = [];
    for (const outcome of all) {
      if (outcome.how === "throw" && !frame.throwing) continue;
      const conditions = this.conditionTexts(
        outcome.conditions,
        frame,
        (one) => one.c === "past" && one.leavesFunction,
      );
      if (conditions === null) continue;
      const when = conditions.length === 0 ? "" : `[${conditions.join("&")}]`;
      const value = outcome.value ? this.part(outcome.value, path, frame) : "undefined";
      texts.push(`${when}${outcome.how === "return" ? "" : `${outcome.how} `}${value}`);
      // What follows a certain return is not come to.
      if (when === "" && outcome.how === "return") break;
    }
    const [single] = texts;
    if (texts.length === 1 && single !== undefined) return single;
    return texts.length === 0 ? "undefined" : `{${texts.join(";")}}`;
  }

  /** A function as a value: what it gives for its parameters. */
  private functionText(fn: FunctionFacts, env: Act | null, frame: Frame): string {
    const act = this.calls.actsOf(fn.id).find((each) => each.env === env);
    if (!act || isOnWay(frame, act) || depthOf(frame) >= DEEPEST)
      return `fn ${wholePrint(this.solver.program, fn)}`;
    return this.once(`${frameKey(frame)}/fn ${act.n}`, () => {
      const inside: Frame = { act, caller: frame, params: { by: "itself" }, throwing: frame.throwing };
      return `fn(${this.outcomes(fn, inside, [])})`;
    });
  }

  // ----------------------------------------------------------------------- classes

  /** A member of the object at hand: what its class's functions write into it. */
  private ofThis(property: string | null, frame: Frame): string {
    let act: Act | null = frame.act;
    while (act !== null && act.function.classId === null) act = act.env;
    const id = act?.function.classId ?? null;
    const cls = id === null ? null : this.solver.program.cls(id);
    if (!cls || property === null) return `this.${property ?? "*"}`;
    const { program } = this.solver;
    const prints = cls.members.flatMap((member) => {
      if (member.name === property && member.value) return [this.of(member.value, frame)];
      const fn = member.functionId === null ? null : program.fn(member.functionId);
      return fn && (member.name === property || writesThis(fn, property)) ? [wholePrint(program, fn)] : [];
    });
    const maker = cls.constructorId === null ? null : program.fn(cls.constructorId);
    if (maker && writesThis(maker, property)) prints.push(wholePrint(program, maker));
    return `this.${property}<${prints.join()}>`;
  }

  private constructed(op: CallOperation): string {
    const classes = op.targets.flatMap((target) => target.function.classId ?? []);
    return [...new Set(classes)]
      .map((id) => this.classText(id))
      .sort()
      .join("|");
  }

  private classText(id: string): string {
    const cls = this.solver.program.cls(id);
    if (!cls) return "class";
    const { program } = this.solver;
    const prints = [...cls.members.map((member) => member.functionId), cls.constructorId].flatMap((each) => {
      const fn = each === null ? null : program.fn(each);
      return fn ? [wholePrint(program, fn)] : [];
    });
    return `class<${prints.sort().join()}>`;
  }

  // ----------------------------------------------------------------------- conditions

  /** Texts of what a write hangs on, seen from where the variable is read; `null` = it does not happen. */
  private conditions({ write, frame }: Reaching, owner: Frame, place: Span | null): string[] | null {
    const own = this.conditionTexts(write.conditions, frame, (one) => {
      if (place !== null && frame === owner && holds(one.region, place)) return true;
      return one.c === "past" && one.leavesFunction && frame === owner;
    });
    if (own === null || frame === owner) return own;
    // Written in a function inside: what leads to that function counts too.
    const around: string[] = [];
    let fn: FunctionFacts = write.in;
    while (fn !== owner.act.function) {
      const file: FileFacts | null = this.solver.program.file(fn.file);
      const written: Written | null = file ? writtenIn(file) : null;
      const site: FunctionPlace | undefined = written?.functions.get(fn.id);
      if (!written || !site) break;
      const outer: Frame = site.in === owner.act.function ? owner : (this.inner(site.in, owner) ?? owner);
      const texts = this.conditionTexts(
        site.conditions,
        outer,
        (one) => place !== null && holds(one.region, place),
      );
      if (texts === null) return null;
      around.unshift(...texts);
      if (site.call) around.unshift(`in ${this.calledText(site.call, outer)}`);
      for (const use of site.binding === null ? [] : (written.called.get(site.binding) ?? [])) {
        const user: Frame = use.in === owner.act.function ? owner : (this.inner(use.in, owner) ?? owner);
        const when = this.conditionTexts(use.conditions, user, () => false);
        if (when !== null) around.unshift(`called${when.join("&")}(${this.args(use.call, user)})`);
      }
      fn = site.in;
    }
    return [...around, ...own];
  }

  /** The call that runs a function: an entry by its name, another by what it is given. */
  private calledText(call: CallExpr, frame: Frame): string {
    const op = this.calls.operationOf(frame.act, call);
    return op?.kind === "entry" ? `${op.method} ${namesText(op)}` : this.givenText(call, frame);
  }

  private conditionTexts(
    conditions: readonly Condition[],
    frame: Frame,
    goesWithoutSaying: (one: Condition) => boolean,
  ): string[] | null {
    const texts: string[] = [];
    for (const one of conditions) {
      if (goesWithoutSaying(one)) continue;
      switch (one.c) {
        case "if": {
          const arm = this.arm(one.test, null, frame);
          if (arm !== null && arm !== one.arm) return null;
          if (arm === null) texts.push(`${one.arm === 0 ? "" : "!"}${this.of(one.test, frame)}`);
          break;
        }
        case "switch": {
          const arm = this.arm(one.value, one.cases, frame);
          if (arm !== null && arm !== one.at) return null;
          if (arm !== null) break;
          const labels = one.cases.map((each) => (each.test ? this.of(each.test, frame) : "default"));
          texts.push(`case ${one.at} of ${this.of(one.value, frame)}:${labels.join()}`);
          break;
        }
        case "loop": {
          const { stmt } = one;
          const head = [stmt.iterable, stmt.test].flatMap((expr) => (expr ? [this.of(expr, frame)] : []));
          const exits = stmt.body.flatMap(testsOfExits).map((expr) => this.of(expr, frame));
          texts.push(`${stmt.form} ${head.join()}${exits.length === 0 ? "" : ` until ${exits.join()}`}`);
          break;
        }
        case "error":
          texts.push(`error in ${this.errorText(one.block, frame)}`);
          break;
        case "past":
          texts.push(
            `past ${testsOfExits(one.stmt)
              .map((expr) => this.of(expr, frame))
              .join()}`,
          );
      }
    }
    return texts;
  }

  private errorText(block: readonly Stmt[], frame: Frame): string {
    const inside = { ...frame, throwing: true };
    return this.once(`${frameKey(frame)}/error ${block[0]?.span.join(":") ?? ""}`, () =>
      expressionsOf(block)
        .map((expr) => this.of(expr, inside))
        .join(),
    );
  }

  // ----------------------------------------------------------------------- sharing

  /** Puts a text together once; one that hangs on itself is referred to by its number. */
  private once(key: string, build: () => string): string {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const number = this.open.get(key);
    if (number !== undefined) {
      this.low = Math.min(this.low, number);
      return `^${number}`;
    }
    const own = this.open.size;
    this.open.set(key, own);
    const outer = this.low;
    this.low = Number.POSITIVE_INFINITY;
    const text = short(build());
    if (this.low >= own) {
      for (const [each, at] of this.open) if (at >= own) this.open.delete(each);
      this.known.set(key, text);
      this.low = outer;
    } else this.low = Math.min(outer, this.low);
    return text;
  }
}

interface Reaching {
  readonly write: Write;
  readonly frame: Frame;
  /** It happens before the variable is read, once, if it happens at all. */
  readonly surely: boolean;
  /** It happens in the turn before: it stands behind the place where the variable is read. */
  readonly again: boolean;
}

interface Param {
  readonly index: number;
  readonly path: Path;
  readonly rest: boolean;
  readonly defaults: readonly Expr[];
}

function paramOf(fn: FunctionFacts, id: BindingId): Param | null {
  for (const [index, { pattern, rest }] of fn.params.entries())
    for (const bound of bindingsOf(pattern, []))
      if (bound.id === id)
        return { index, path: bound.path, rest, defaults: defaultsIn(pattern, bound.path) };
  return null;
}

const at = (text: string, path: Path): string => {
  const plain = plainPath(path);
  return plain.length === 0 ? text : `${text}.${plain.join(".")}`;
};

const holds = (region: Span, place: Span): boolean => region[0] <= place[0] && place[1] <= region[1];

/** True when a change at one path is a change of what is at the other. */
const meets = (one: Path, other: Path): boolean => {
  const [a, b] = [plainPath(one), plainPath(other)];
  return a.slice(0, b.length).every((step, index) => step === "*" || b[index] === "*" || step === b[index]);
};

function frameKey(frame: Frame): string {
  const call =
    frame.params.by === "call" || frame.params.by === "callback"
      ? frame.params.call.span[0]
      : frame.params.by;
  const caller = frame.caller === null || frame.params.by === "any call" ? "" : frameKey(frame.caller);
  return `${caller}>${frame.act.n}:${call}${frame.throwing ? "!" : ""}`;
}

/** The one constant that a value has at a path, as text; `null` when there are others, or none is known. */
function constantAt(value: Value, path: Path): string | null {
  if (value.varies.length > 0) return null;
  const [name, ...rest] = path;
  if (name === undefined) {
    const constants = constantsOf(value);
    return constants?.length === 1 ? (JSON.stringify(constants[0]) ?? "undefined") : null;
  }
  const [only, ...more] = value.atoms;
  if (only?.a !== "object" || more.length > 0 || value.open || value.data) return null;
  const cell = only.obj.fields.get(name);
  return cell === undefined || !only.obj.rest.value.isBottom ? null : constantAt(cell.value, rest);
}

const namesText = (op: EntryOperation): string =>
  op.names.map((name) => name.map((part) => (typeof part === "string" ? part : "${…}")).join("")).join("|");

/** The side of a comparison that is no number, `!` taken off. */
function versionIn(test: Expr): Expr | null {
  if (test.k === "unary" && test.op === "!") return versionIn(test.operand);
  if (test.k !== "binary") return null;
  return test.right.k === "literal" ? test.left : test.left.k === "literal" ? test.right : null;
}

const WRITES_THIS = new WeakMap<FunctionFacts, ReadonlySet<string>>();

/** True when a function writes, or changes in place, that property of its object. */
function writesThis(fn: FunctionFacts, property: string): boolean {
  let names = WRITES_THIS.get(fn);
  if (names === undefined) {
    const found = new Set<string>();
    const note = (expr: Expr): void => {
      if (expr.k !== "member") return;
      if (expr.object.k === "this") found.add(expr.property ?? "*");
      else note(expr.object);
    };
    visitStmts(fn.body, (expr) => {
      if (expr.k === "assign" && expr.target.p === "target") note(expr.target.expr);
      if (expr.k === "call" && expr.callee.k === "member") note(expr.callee.object);
    });
    WRITES_THIS.set(fn, (names = found));
  }
  return names.has(property) || names.has("*");
}

function short(text: string): string {
  return text.length <= LONG ? text : `#${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
}
