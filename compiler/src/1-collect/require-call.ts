import {
  isArrayBindingPattern,
  isBindingElement,
  isCallExpression,
  isIdentifier,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isStringLiteralLike,
  type Expression,
  type Node,
  type VariableDeclaration,
} from "../host/syntax.js";
import type { ImportedName, Scope } from "./scope.js";

/** What compilers wrap around `require`, without changing what its members are. */
const INTEROP = /^_*(?:importStar|importDefault|toESM|interopRequire\w*|interop_require\w*|__toESM)$/;

/**
 * The specifier of `require("x")`, also inside the interop calls that TypeScript, Babel and esbuild emit.
 * `null` for anything else, and where `require` is a name of the file's own (unless `createRequire` made it).
 */
export function requiredSpecifier(node: Node, scope: Scope): string | null {
  if (!isCallExpression(node)) return null;
  const [first] = node.arguments;
  if (first === undefined) return null;
  if (isIdentifier(node.expression)) {
    if (node.expression.text === "require") {
      return isStringLiteralLike(first) && (scope.value("require") === null || scope.madeRequire())
        ? first.text
        : null;
    }
    return INTEROP.test(node.expression.text) ? requiredSpecifier(first, scope) : null;
  }
  const called = node.expression;
  if (isPropertyAccessExpression(called) && INTEROP.test(called.name.text))
    return requiredSpecifier(first, scope);
  return null;
}

/**
 * The imports that `const x = require("m")`, `const { a, b: c } = require("m")` and `const d = require("m").d`
 * stand for, by local name; `null` when the declaration is no such thing.
 */
export function requiredNames(
  declaration: VariableDeclaration,
  scope: Scope,
): [string, ImportedName][] | null {
  const { name, initializer } = declaration;
  if (initializer === undefined) return null;
  const whole = requiredSpecifier(initializer, scope);
  const member = whole === null ? requiredMember(initializer, scope) : null;
  const specifier = whole ?? member?.specifier;
  if (specifier === undefined) return null;
  if (isIdentifier(name)) return [[name.text, { specifier, name: member?.name ?? "*", how: "require" }]];
  if (member !== null || isArrayBindingPattern(name) || !isObjectBindingPattern(name)) return null;
  const found: [string, ImportedName][] = [];
  for (const element of name.elements) {
    if (!isBindingElement(element) || !isIdentifier(element.name)) return null;
    if (element.dotDotDotToken !== undefined || element.initializer !== undefined) return null;
    const key = element.propertyName ?? element.name;
    if (!isIdentifier(key) && !isStringLiteralLike(key)) return null;
    found.push([element.name.text, { specifier, name: key.text, how: "require" }]);
  }
  return found;
}

/** `require("x").y` */
export function requiredMember(node: Expression, scope: Scope): { specifier: string; name: string } | null {
  if (!isPropertyAccessExpression(node) || !isIdentifier(node.name)) return null;
  const specifier = requiredSpecifier(node.expression, scope);
  return specifier === null ? null : { specifier, name: node.name.text };
}
