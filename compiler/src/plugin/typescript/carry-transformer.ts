import type ts from "typescript";
import { CARRY, carryFunction, type CarryingCall } from "../../index.js";

/**
 * The transform on TypeScript's trees, for its own emit: the same change as on text. Declarations are not touched,
 * since they are made from the trees before it.
 * @param callsIn the calls to change in a file (absolute path with `/`).
 */
export function carryTransformer(
  typescript: typeof ts,
  callsIn: (path: string) => readonly CarryingCall[],
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (file) => {
    const calls = callsIn(file.fileName);
    if (calls.length === 0 || file.text.includes(CARRY)) return file;
    const { factory } = context;
    const visit = (node: ts.Node): ts.Node => {
      const inner = typescript.visitEachChild(node, visit, context);
      const index = typescript.isCallExpression(node) ? indexOf(node) : -1;
      if (index < 0) return inner;
      return typescript.setTextRange(
        factory.createCallExpression(factory.createIdentifier(CARRY), undefined, [
          inner as ts.Expression, // a call expression was visited
          factory.createNumericLiteral(index),
        ]),
        node,
      );
    };
    const indexOf = (node: ts.Node): number =>
      node.pos < 0
        ? -1
        : calls.findIndex(({ span }) => span[0] === node.getStart(file) && span[1] === node.getEnd());
    const changed = typescript.visitEachChild(file, visit, context);
    return factory.updateSourceFile(changed, [
      ...changed.statements,
      ...functionStatements(typescript, carryFunction(calls.map(({ carried }) => carried))),
    ]);
  };
}

/** The statements of a text, taken out of it, so that they can be printed in another file. */
function functionStatements(typescript: typeof ts, text: string): readonly ts.Statement[] {
  const parsed = typescript.createSourceFile("carry.js", text, typescript.ScriptTarget.ESNext, true);
  const nowhere = { pos: -1, end: -1 };
  const free = (node: ts.Node): void => {
    typescript.forEachChild(node, free, (nodes) => {
      typescript.setTextRange(nodes, nowhere);
      nodes.forEach(free);
    });
    typescript.setTextRange(node, nowhere);
    // Made, not parsed: else the emit looks their names up in a file that no program knows.
    (node as { flags: ts.NodeFlags }).flags |= typescript.NodeFlags.Synthesized;
  };
  parsed.statements.forEach(free);
  return parsed.statements;
}
