/** Facts as short text, for expectations in tests and for looking at what was lowered. */
import type { ClassFacts, Expr, FileFacts, FunctionFacts, Pattern, Ref, Stmt, TypeRef } from "../types.js";

/**
 * The facts of one file. Names carry what they stand for where that is not a binding of the same file:
 * `Math@global`, `v4@uuid#v4`, `x@/other.ts:12`. Ids are shown without the file's path.
 */
export function printFacts(facts: FileFacts): string {
  const printer = new Printer(facts);
  const module = facts.functions.find((fn) => fn.id === facts.module);
  return module === undefined ? "" : printer.block(module.body, "").join("\n");
}

class Printer {
  readonly #functions: ReadonlyMap<string, FunctionFacts>;
  readonly #classes: ReadonlyMap<string, ClassFacts>;
  readonly #names: ReadonlyMap<string, string>;
  /** Functions being printed: a function expression's own name stands for it inside. */
  readonly #around = new Set<string>();
  constructor(readonly facts: FileFacts) {
    this.#functions = new Map(facts.functions.map((fn) => [fn.id, fn]));
    this.#classes = new Map(facts.classes.map((found) => [found.id, found]));
    this.#names = new Map(facts.bindings.map((binding) => [binding.id, binding.name]));
  }

  block(statements: readonly Stmt[], indent: string): string[] {
    return statements.flatMap((statement) => this.#statement(statement, indent));
  }

  #nested(statements: readonly Stmt[], indent: string): string[] {
    return this.block(statements, `${indent}  `);
  }

  #statement(node: Stmt, indent: string): string[] {
    const line = (text: string): string[] => [`${indent}${text}`];
    switch (node.s) {
      case "expr":
        return line(this.#expr(node.expr, indent));
      case "declare":
        return line(
          `${node.kind} ${node.items
            .map(
              ({ pattern, init }) =>
                this.#pattern(pattern, indent) + (init === null ? "" : ` = ${this.#expr(init, indent)}`),
            )
            .join(", ")}`,
        );
      case "function":
        return line(`function ${this.#binding(node.binding)} = ${this.#functionText(node.id, indent)}`);
      case "class":
        return line(`class ${this.#binding(node.binding)} = ${this.#classText(node.id, indent)}`);
      case "return":
        return line(node.value === null ? "return" : `return ${this.#expr(node.value, indent)}`);
      case "throw":
        return line(`throw ${this.#expr(node.value, indent)}`);
      case "if":
        return [
          ...line(`if ${this.#expr(node.test, indent)}`),
          ...this.#nested(node.then, indent),
          ...(node.else.length === 0 ? [] : [...line("else"), ...this.#nested(node.else, indent)]),
        ];
      case "switch":
        return [
          ...line(`${label(node.label)}switch ${this.#expr(node.value, indent)}`),
          ...node.cases.flatMap(({ test, body }) => [
            `${indent}${test === null ? "default" : `case ${this.#expr(test, indent)}`}`,
            ...this.#nested(body, indent),
          ]),
        ];
      case "try":
        return [
          ...line("try"),
          ...this.#nested(node.block, indent),
          ...(node.handler === null
            ? []
            : [
                ...line(node.param === null ? "catch" : `catch ${this.#pattern(node.param, indent)}`),
                ...this.#nested(node.handler, indent),
              ]),
          ...(node.finalizer === null ? [] : [...line("finally"), ...this.#nested(node.finalizer, indent)]),
        ];
      case "block":
        return [...line(`${label(node.label)}block`), ...this.#nested(node.body, indent)];
      case "break":
      case "continue":
        return line(node.label === null ? node.s : `${node.s} ${node.label}`);
      case "loop": {
        const parts = [
          ...node.init.flatMap((statement) => this.#statement(statement, "")),
          node.target === null ? null : this.#pattern(node.target, indent),
          node.iterable === null ? null : `of ${this.#expr(node.iterable, indent)}`,
          node.test === null ? null : `while ${this.#expr(node.test, indent)}`,
          node.update === null ? null : `then ${this.#expr(node.update, indent)}`,
        ];
        const head = [`${label(node.label)}loop:${node.form}`, ...parts.filter((part) => part !== null)].join(
          " ",
        );
        return [...line(head), ...this.#nested(node.body, indent)];
      }
    }
  }

  #expr(node: Expr, indent: string): string {
    const show = (part: Expr): string => this.#expr(part, indent);
    switch (node.k) {
      case "literal":
        return node.type === "string" ? JSON.stringify(node.value) : String(node.value);
      case "template":
        return `\`${node.quasis.map((text, at) => text + (node.parts[at] === undefined ? "" : `\${${show(node.parts[at])}}`)).join("")}\``;
      case "name":
        return node.name + this.#ref(node.ref, node.name);
      case "this":
      case "super":
        return node.k;
      case "member": {
        const dot = node.optional ? "?." : "";
        return `${show(node.object)}${node.property === null ? `${dot}[${node.computed === null ? "?" : show(node.computed)}]` : `${dot || "."}${node.property}`}`;
      }
      case "call": {
        const args = node.args.map(({ value, spread }) => (spread ? "..." : "") + show(value)).join(", ");
        const form = node.form === "call" ? "" : `${node.form} `;
        return `${form}${show(node.callee)}${node.optional ? "?." : ""}(${args})`;
      }
      case "function":
        return this.#functionText(node.id, indent);
      case "class":
        return this.#classText(node.id, indent);
      case "object":
        return `{${node.props
          .map(({ kind, key, computed, value }) => {
            if (kind === "spread") return `...${show(value)}`;
            const name = key ?? `[${computed === null ? "?" : show(computed)}]`;
            return `${kind === "value" ? "" : `${kind} `}${name}: ${show(value)}`;
          })
          .join(", ")}}`;
      case "array":
        return `[${node.items.map(({ value, spread }) => (spread ? "..." : "") + show(value)).join(", ")}]`;
      case "unary":
        return `${node.op}${/\w/.test(node.op) ? " " : ""}${show(node.operand)}`;
      case "binary":
      case "logical":
        return `(${show(node.left)} ${node.op} ${show(node.right)})`;
      case "conditional":
        return `(${show(node.test)} ? ${show(node.then)} : ${show(node.else)})`;
      case "assign":
        return `${this.#pattern(node.target, indent)} ${node.op} ${show(node.value)}`;
      case "await":
        return `await ${show(node.operand)}`;
      case "yield":
        return `yield${node.delegate ? "*" : ""}${node.operand === null ? "" : ` ${show(node.operand)}`}`;
      case "sequence":
        return `(${node.items.map(show).join(", ")})`;
      case "cast":
        return `<${typeText(node.type)}>${show(node.operand)}`;
      case "import":
        return `import(${show(node.module)})${node.ref === null ? "" : this.#ref(node.ref, "")}`;
      case "opaque":
        return `<${node.what}${node.parts.map((part) => ` ${show(part)}`).join("")}>`;
    }
  }

  #pattern(node: Pattern, indent: string): string {
    switch (node.p) {
      case "binding":
        return this.#binding(node.id);
      case "target":
        return this.#expr(node.expr, indent);
      case "default":
        return `${this.#pattern(node.pattern, indent)} = ${this.#expr(node.value, indent)}`;
      case "object": {
        const props = node.props.map(
          ({ key, computed, value }) =>
            `${key ?? `[${computed === null ? "?" : this.#expr(computed, indent)}]`}: ${this.#pattern(value, indent)}`,
        );
        return `{${[...props, ...(node.rest === null ? [] : [`...${this.#pattern(node.rest, indent)}`])].join(", ")}}`;
      }
      case "array": {
        const items = node.items.map((item) => (item === null ? "" : this.#pattern(item, indent)));
        return `[${[...items, ...(node.rest === null ? [] : [`...${this.#pattern(node.rest, indent)}`])].join(", ")}]`;
      }
    }
  }

  #functionText(id: string, indent: string): string {
    const fn = this.#functions.get(id);
    if (fn === undefined || this.#around.has(id)) return `(${fn?.name ?? id})`;
    this.#around.add(id);
    const text = this.#functionWritten(fn, indent);
    this.#around.delete(id);
    return text;
  }

  #functionWritten(fn: FunctionFacts, indent: string): string {
    const params = fn.params.map(
      ({ pattern, rest, annotation }) =>
        (rest ? "..." : "") +
        this.#pattern(pattern, indent) +
        (annotation === null ? "" : `: ${typeText(annotation)}`),
    );
    const marks = [
      fn.async ? "async " : "",
      fn.generator ? "*" : "",
      fn.declared === null ? "" : `@${fn.declared} `,
    ].join("");
    const head = `${marks}${fn.name}(${params.join(", ")})${fn.arrow ? " =>" : ""}`;
    const [only] = fn.body;
    if (only === undefined) return `${head} {}`;
    if (fn.body.length === 1 && only.s === "return" && only.value !== null)
      return `${head} { return ${this.#expr(only.value, indent)} }`;
    return [`${head} {`, ...this.#nested(fn.body, indent), `${indent}}`].join("\n");
  }

  #classText(id: string, indent: string): string {
    const found = this.#classes.get(id);
    if (found === undefined) return `class ${id}`;
    const heritage = [
      found.extends === null ? "" : ` extends ${this.#expr(found.extends, indent)}`,
      found.implements.length === 0 ? "" : ` implements ${found.implements.map(typeText).join(", ")}`,
    ].join("");
    const inner = `${indent}  `;
    const members = found.members.map((member) => {
      const what =
        member.functionId === null
          ? member.value === null
            ? ""
            : this.#expr(member.value, inner)
          : this.#functionText(member.functionId, inner);
      const type = member.annotation === null ? "" : `: ${typeText(member.annotation)}`;
      return `${inner}${member.static ? "static " : ""}${member.kind} ${member.name}${type}${what === "" ? "" : ` = ${what}`}`;
    });
    const ctor =
      found.constructorId === null ? [] : [`${inner}${this.#functionText(found.constructorId, inner)}`];
    return [`${found.name}${heritage} {`, ...ctor, ...members, `${indent}}`].join("\n");
  }

  #binding(id: string): string {
    return this.#names.get(id) ?? id;
  }

  #ref(ref: Ref, name: string): string {
    switch (ref.to) {
      case "binding":
        return this.#names.get(ref.id) === name ? "" : `@${this.#names.get(ref.id) ?? ref.id}`;
      case "external":
        return `@${ref.module}#${ref.name}`;
      case "namespace":
        return `@${ref.file}`;
      case "global":
        return "@global";
    }
  }
}

function label(name: string | null): string {
  return name === null ? "" : `${name}: `;
}

function typeText(type: TypeRef): string {
  const args = type.args.length === 0 ? "" : `<${type.args.join(", ")}>`;
  const members =
    type.name === ""
      ? `{${Object.entries(type.members ?? {})
          .map(([key, ref]) => `${key}: ${typeText(ref)}`)
          .join(", ")}}`
      : type.name;
  return `${members}${args}${type.module === null ? "" : `@${type.module}`}`;
}
