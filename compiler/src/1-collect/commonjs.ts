import {
  SyntaxKind,
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isExpressionStatement,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isElementAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isStringLiteralLike,
  type CallExpression,
  type Expression,
  type Node,
  type ObjectLiteralExpression,
  type Statement,
} from "../host/syntax.js";
import { nodeId } from "../host/source-unit.js";
import type { Exported, ModuleTable } from "./module-table.js";
import { requiredMember, requiredSpecifier } from "./require-call.js";

/**
 * Reads what a CommonJS module exports: `exports.x = …`, `module.exports = …`, and the forms that TypeScript, Babel
 * and esbuild emit for `export` (`Object.defineProperty(exports, …)`, `__exportStar`, `__export(target, { … })`).
 * Arms of a top-level `if` count as well; the first assignment of a name wins.
 */
export function readCommonJs(table: ModuleTable): void {
  for (const statement of table.unit.tree.statements) readStatement(statement, table);
}

function readStatement(statement: Statement, table: ModuleTable): void {
  if (isExpressionStatement(statement)) {
    readExpression(statement.expression, table);
  } else if (isBlock(statement)) {
    for (const inner of statement.statements) readStatement(inner, table);
  } else if (statement.kind === SyntaxKind.IfStatement) {
    const { thenStatement, elseStatement } = statement as Statement & {
      thenStatement: Statement;
      elseStatement?: Statement;
    };
    readStatement(thenStatement, table);
    if (elseStatement !== undefined) readStatement(elseStatement, table);
  }
}

function readExpression(expression: Expression, table: ModuleTable): void {
  if (isBinaryExpression(expression)) {
    if (expression.operatorToken.kind === SyntaxKind.CommaToken) {
      readExpression(expression.left, table);
      readExpression(expression.right, table);
    } else if (expression.operatorToken.kind === SyntaxKind.EqualsToken) {
      readAssignment(expression.left, expression.right, table);
    } else if (expression.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken) {
      // esbuild's hint for Node: `0 && (module.exports = { a, b })`; its names are in `__export` as well.
    }
  } else if (isCallExpression(expression)) {
    readCall(expression, table);
  }
}

function readAssignment(target: Expression, value: Expression, table: ModuleTable): void {
  if (isBinaryExpression(value) && value.operatorToken.kind === SyntaxKind.EqualsToken) {
    // exports.a = exports.b = value
    readAssignment(value.left, value.right, table);
    readAssignment(target, lastValue(value), table);
    return;
  }
  const name = exportedName(target);
  if (name === null || isVoid(value)) return;
  if (name !== "module.exports") {
    if (!table.exports.has(name)) table.exports.set(name, valueOf(value, nameNode(target), table));
    return;
  }
  const called = isCallExpression(value) && isIdentifier(value.expression) ? value.expression.text : "";
  if (/^__toCommonJS/.test(called)) return;
  if (table.whole === null && !isExportsObject(value)) table.whole = valueOf(value, target, table);
  if (isObjectLiteralExpression(value)) readExportsObject(value, table);
}

/** The value at the end of `a = b = value`. */
export function lastValue(value: Expression): Expression {
  return isBinaryExpression(value) && value.operatorToken.kind === SyntaxKind.EqualsToken
    ? lastValue(value.right)
    : value;
}

/** `void 0`, which TypeScript assigns to every export at first. */
export function isVoid(value: Expression): boolean {
  return value.kind === SyntaxKind.VoidExpression;
}

/** `module.exports = { … }` whose properties are all known: the module is a namespace of them. */
export function isExportsObject(value: Node): value is ObjectLiteralExpression {
  return (
    isObjectLiteralExpression(value) &&
    value.properties.every(
      (property) =>
        isShorthandPropertyAssignment(property) ||
        ((isPropertyAssignment(property) || isMethodDeclaration(property)) && keyOf(property.name) !== null),
    )
  );
}

function keyOf(name: Node): string | null {
  return isIdentifier(name) || isStringLiteralLike(name) ? name.text : null;
}

function readExportsObject(object: ObjectLiteralExpression, table: ModuleTable): void {
  for (const property of object.properties) {
    if (isSpreadAssignment(property)) {
      const specifier = requiredSpecifier(property.expression, table.scope);
      if (specifier !== null) table.stars.push({ specifier, name: "*", how: "require" });
    }
    const key = property.name === undefined ? null : keyOf(property.name);
    if (key === null || property.name === undefined || table.exports.has(key)) continue;
    if (isShorthandPropertyAssignment(property))
      table.exports.set(key, valueOf(property.name, property.name, table));
    else if (isPropertyAssignment(property))
      table.exports.set(key, valueOf(property.initializer, property.name, table));
    else if (isMethodDeclaration(property)) table.exports.set(key, binding(property.name, table));
  }
}

/** The exported thing: a name of the module, something imported, or a value with a binding at `at`. */
function valueOf(value: Expression, at: Node, table: ModuleTable): Exported {
  if (isParenthesizedExpression(value)) return valueOf(value.expression, at, table);
  if (isIdentifier(value) && table.scope.value(value.text) !== null) return { as: "local", name: value.text };
  const specifier = requiredSpecifier(value, table.scope);
  if (specifier !== null) return { as: "import", from: { specifier, name: "*", how: "require" } };
  const member = requiredMember(value, table.scope);
  if (member !== null) return { as: "import", from: { ...member, how: "require" } };
  if (isPropertyAccessExpression(value) && isIdentifier(value.expression) && isIdentifier(value.name)) {
    const named = table.scope.value(value.expression.text);
    if (named?.as === "import" && named.from.name === "*") {
      return { as: "import", from: { ...named.from, name: value.name.text } };
    }
  }
  return binding(at, table);
}

function binding(at: Node, table: ModuleTable): Exported {
  return { as: "value", id: nodeId(table.unit.path, at, table.unit.tree), node: at };
}

function readCall(call: CallExpression, table: ModuleTable): void {
  const [first, second, third] = call.arguments;
  if (first === undefined) return;
  const called = isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression;
  const name = isIdentifier(called) ? called.text : "";
  if (name === "defineProperty" && isExports(first) && second !== undefined && isStringLiteralLike(second)) {
    const value = third === undefined ? null : getterValue(third);
    if (value !== null && !table.exports.has(second.text))
      table.exports.set(second.text, valueOf(value, second, table));
  } else if (/^__(?:exportStar|reExport)/.test(name)) {
    for (const argument of call.arguments) {
      const specifier = requiredSpecifier(argument, table.scope);
      if (specifier !== null) table.stars.push({ specifier, name: "*", how: "require" });
    }
  } else if (/^__export$/.test(name) && second !== undefined && isObjectLiteralExpression(second)) {
    for (const property of second.properties) {
      const key = property.name === undefined ? null : keyOf(property.name);
      const value = isPropertyAssignment(property) ? returned(property.initializer) : null;
      if (key !== null && value !== null && property.name !== undefined && !table.exports.has(key)) {
        table.exports.set(key, valueOf(value, property.name, table));
      }
    }
  }
}

/** What `{ get: function () { return x; } }` or `{ value: x }` gives. */
function getterValue(descriptor: Expression): Expression | null {
  if (!isObjectLiteralExpression(descriptor)) return null;
  for (const property of descriptor.properties) {
    const key = property.name === undefined ? null : keyOf(property.name);
    if (key === "get" && isPropertyAssignment(property)) return returned(property.initializer);
    if (key === "get" && isMethodDeclaration(property)) return returned(property);
  }
  return null;
}

function returned(fn: Node): Expression | null {
  if (!isArrowFunction(fn) && !isFunctionExpression(fn) && !isMethodDeclaration(fn)) return null;
  if (fn.body === undefined) return null;
  if (!isBlock(fn.body)) return fn.body;
  const [only] = fn.body.statements;
  return only !== undefined && isReturnStatement(only) ? (only.expression ?? null) : null;
}

function isExports(node: Node): boolean {
  if (isIdentifier(node)) return node.text === "exports";
  return (
    isPropertyAccessExpression(node) &&
    isIdentifier(node.expression) &&
    node.expression.text === "module" &&
    node.name.text === "exports"
  );
}

/**
 * The export that `exports.x`, `module.exports.x` or `exports["x"]` names, or `module.exports` for the whole;
 * `null` for anything else.
 */
export function exportedName(node: Node): string | null {
  if (isPropertyAccessExpression(node)) {
    if (isExports(node.expression)) return node.name.text;
    return isExports(node) ? "module.exports" : null;
  }
  if (isElementAccessExpression(node) && isExports(node.expression)) {
    return isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : null;
  }
  return null;
}

function nameNode(target: Expression): Node {
  if (isPropertyAccessExpression(target)) return target.name;
  return isElementAccessExpression(target) ? target.argumentExpression : target;
}
