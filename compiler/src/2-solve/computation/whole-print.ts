import { createHash } from "node:crypto";
import type { BindingId, ClassId, Expr, FunctionFacts, FunctionId } from "../../types.js";
import { ownText, SILENT } from "./fingerprint.js";
import { fileOf, type Program } from "../program.js";
import { writtenIn } from "./written.js";

const PRINTS = new WeakMap<Program, Map<FunctionId, string>>();

/**
 * All that a function does, as 12 hex digits: its own text and that of every function, class and variable of a module
 * that it leads to, and of the variables of the functions around it, however deep. Names of functions and modules'
 * variables are part of it.
 */
export function wholePrint(program: Program, fn: FunctionFacts): string {
  let prints = PRINTS.get(program);
  if (prints === undefined) PRINTS.set(program, (prints = new Map()));
  let print = prints.get(fn.id);
  if (print === undefined) prints.set(fn.id, (print = new Reached(program).print(fn)));
  return print;
}

/** The code that a function leads to, each piece once. */
class Reached {
  private readonly seen = new Set<string>();
  private readonly texts: string[] = [];

  constructor(private readonly program: Program) {}

  print(fn: FunctionFacts): string {
    this.function(fn);
    const [own, ...others] = this.texts;
    return createHash("sha256")
      .update([own, ...others.sort()].join("\n"))
      .digest("hex")
      .slice(0, 12);
  }

  private isNew(what: string): boolean {
    if (this.seen.has(what)) return false;
    this.seen.add(what);
    return true;
  }

  private function(fn: FunctionFacts | null): void {
    if (fn === null || !this.isNew(`function ${fn.id}`)) return;
    this.texts.push(`${fn.name} ${ownText(this.program, fn)}`);
    this.walk(fn.params);
    this.walk(fn.body);
  }

  private class(id: ClassId): void {
    const cls = this.program.cls(id);
    if (cls === null || !this.isNew(`class ${id}`)) return;
    if (cls.extends) this.expression(`${cls.name} extends`, cls.extends);
    for (const id of [cls.constructorId, ...cls.members.map(({ functionId }) => functionId)])
      if (id !== null) this.function(this.program.fn(id));
    for (const { name, value } of cls.members) if (value) this.expression(`${cls.name}.${name}`, value);
  }

  /**
   * What a variable of a module, or of a function around the code, is given. Variables of functions that are part of
   * it stand in their own texts.
   */
  private variable(id: BindingId): void {
    const binding = this.program.binding(id);
    const file = this.program.file(fileOf(id));
    if (!binding || !file || this.seen.has(`function ${binding.owner}`)) return;
    if (!this.isNew(`variable ${id}`)) return;
    const name = binding.owner === file.module ? binding.name : "local";
    this.function(this.program.functionOfBinding(id));
    for (const cls of file.classes)
      if (binding.kind === "class" && cls.name === binding.name) this.class(cls.id);
    for (const { how } of writtenIn(file).writes.get(id) ?? []) {
      if (how.w !== "value") continue;
      if (how.value.k === "function") this.function(this.program.fn(how.value.id));
      else
        for (const expr of [how.value, ...how.defaults])
          this.expression(`${name} ${how.op} ${how.path.join(".")}`, expr);
    }
  }

  private expression(what: string, expr: Expr): void {
    this.texts.push(`${what} ${ownText(this.program, expr)}`);
    this.walk(expr);
  }

  /** Goes on to all that a piece of code names. */
  private walk(at: unknown): void {
    if (at === null || typeof at !== "object") return;
    if (Array.isArray(at)) {
      for (const each of at) this.walk(each);
      return;
    }
    const node = at as Readonly<Record<string, unknown>>;
    if (node["k"] === "function" || node["s"] === "function")
      this.function(this.program.fn(String(node["id"])));
    if (node["k"] === "class" || node["s"] === "class") this.class(String(node["id"]));
    if (node["to"] === "binding") this.variable(String(node["id"]));
    if (node["to"] === "namespace") this.walk(this.program.file(String(node["file"]))?.exports);
    for (const [key, part] of Object.entries(node)) if (!SILENT.has(key)) this.walk(part);
  }
}
