import type { Stmt } from "../types.js";

/**
 * True for a function body that ends without a value, so that its type is `void` without asking anybody: no
 * `return` has a value, and the end can be reached as far as its last statement tells.
 */
export function givesNothing(body: readonly Stmt[]): boolean {
  return body.at(-1)?.s !== "throw" && !returnsValue(body);
}

function returnsValue(statements: readonly Stmt[]): boolean {
  return statements.some((node) => {
    switch (node.s) {
      case "return":
        return node.value !== null;
      case "if":
        return returnsValue(node.then) || returnsValue(node.else);
      case "switch":
        return node.cases.some(({ body }) => returnsValue(body));
      case "loop":
      case "block":
        return returnsValue(node.body);
      case "try":
        return (
          returnsValue(node.block) || returnsValue(node.handler ?? []) || returnsValue(node.finalizer ?? [])
        );
      default:
        return false;
    }
  });
}
