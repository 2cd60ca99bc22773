import type { Expr, NameExpr, Pattern } from "../../types.js";
import type { Run } from "../evaluate/run.js";
import { constantsOf } from "./value.js";
import { fingerprint } from "../computation/fingerprint.js";

const LONG = 60;

/** A call is printed at each of its runs. */
const printed = new WeakMap<Expr, string>();

/** An expression as people wrote it, shortened: for messages. */
export function printExpr(_run: Run, expr: Expr): string {
  let text = printed.get(expr);
  if (text === undefined) {
    const whole = print(expr, (name) => name.name);
    text = whole.length <= LONG ? whole : `${whole.slice(0, LONG - 1)}…`;
    printed.set(expr, text);
  }
  return text;
}

/**
 * An expression in a form that does not change when locals are renamed or formatted: variables are
 * numbered by order, constants stand for the names that hold them, and a function of the program is
 * followed by a fingerprint of what it does.
 */
export function printNormal(run: Run, expr: Expr): string {
  const numbers = new Map<string, string>();
  return print(expr, (name) => {
    if (name.ref.to !== "binding") return name.name;
    const { id } = name.ref;
    const found = run.solver.variable(run.act, id);
    const value = found?.cell.value;
    const constants = value && value.varies.length === 0 ? constantsOf(value) : null;
    if (constants?.length === 1) return JSON.stringify(constants[0]) ?? "undefined";
    const functions = value?.atoms.flatMap((atom) => (atom.a === "closure" ? [atom.fn] : [])) ?? [];
    const [only] = functions;
    if (only && functions.length === 1 && value?.atoms.length === 1)
      return `fn:${fingerprint(run.solver.program, only)}`;
    let number = numbers.get(id);
    if (number === undefined) numbers.set(id, (number = `v${numbers.size + 1}`));
    return number;
  });
}

/**
 * Like `printNormal`, but reads no values, so that it gives the same while values are still being found:
 * variables are numbered by order, functions of a module are what they do.
 */
export function printStable(run: Run, expr: Expr): string {
  const numbers = new Map<string, string>();
  return print(expr, (name) => {
    if (name.ref.to !== "binding") return name.name;
    const { id } = name.ref;
    const fn = run.solver.program.functionOfBinding(id);
    if (fn) return `fn:${fingerprint(run.solver.program, fn)}`;
    let number = numbers.get(id);
    if (number === undefined) numbers.set(id, (number = `v${numbers.size + 1}`));
    return number;
  });
}

function print(expr: Expr, nameOf: (name: NameExpr) => string): string {
  const p = (each: Expr): string => print(each, nameOf);
  switch (expr.k) {
    case "literal":
      return expr.type === "string" ? JSON.stringify(expr.value) : String(expr.value);
    case "template":
      return `\`${expr.quasis.map((text, index) => text + (expr.parts[index] ? `\${${p(expr.parts[index])}}` : "")).join("")}\``;
    case "name":
      return nameOf(expr);
    case "this":
    case "super":
      return expr.k;
    case "member":
      if (expr.property !== null)
        return /^[\w$#]+$/.test(expr.property)
          ? `${p(expr.object)}.${expr.property}`
          : `${p(expr.object)}[${JSON.stringify(expr.property)}]`;
      return `${p(expr.object)}[${expr.computed ? p(expr.computed) : ""}]`;
    case "call": {
      const args = expr.args.map((arg) => (arg.spread ? "..." : "") + p(arg.value)).join(", ");
      if (expr.form === "tag") return `${p(expr.callee)}\`…\``;
      return `${expr.form === "new" ? "new " : ""}${p(expr.callee)}(${args})`;
    }
    case "function":
      return "(…) => …";
    case "class":
      return "class";
    case "object":
      return `{ ${expr.props.map((prop) => (prop.kind === "spread" ? `...${p(prop.value)}` : `${prop.key ?? "[…]"}: ${p(prop.value)}`)).join(", ")} }`;
    case "array":
      return `[${expr.items.map((item) => (item.spread ? "..." : "") + p(item.value)).join(", ")}]`;
    case "unary":
      return `${expr.op}${/[a-z]/.test(expr.op) ? " " : ""}${p(expr.operand)}`;
    case "binary":
    case "logical":
      return `${p(expr.left)} ${expr.op} ${p(expr.right)}`;
    case "conditional":
      return `${p(expr.test)} ? ${p(expr.then)} : ${p(expr.else)}`;
    case "assign":
      return `${printPattern(expr.target, nameOf)} ${expr.op} ${p(expr.value)}`;
    case "await":
      return `await ${p(expr.operand)}`;
    case "yield":
      return `yield ${expr.operand ? p(expr.operand) : ""}`;
    case "sequence":
      return expr.items.map(p).join(", ");
    case "cast":
      return p(expr.operand);
    case "import":
      return `import(${p(expr.module)})`;
    case "opaque":
      return expr.what;
  }
}

function printPattern(pattern: Pattern, nameOf: (name: NameExpr) => string): string {
  switch (pattern.p) {
    case "binding":
      return nameOf({
        k: "name",
        name: "variable",
        ref: { to: "binding", id: pattern.id },
        span: pattern.span,
      });
    case "target":
      return print(pattern.expr, nameOf);
    case "default":
      return printPattern(pattern.pattern, nameOf);
    case "object":
      return "{…}";
    case "array":
      return "[…]";
  }
}
