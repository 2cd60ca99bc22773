import type { NodePath, PluginObj, types as t } from "@babel/core";
import { CARRY, carryFunction, type CarryingCall } from "../index.js";
import { ModuleLook } from "./module-look.js";
import type { PluginOptions } from "./options.js";

/** What the plugin uses of Babel's API; the same in 7 and 8. */
interface BabelApi {
  readonly types: typeof t;
  readonly template: {
    readonly statement: (text: string, options: object) => () => t.Statement;
  };
}

/** What it uses of a file. */
interface BabelFile {
  readonly code: string;
  readonly opts: { readonly filename?: string | null; readonly cwd?: string };
  readonly buildCodeFrameError: (node: t.Node, message: string) => Error;
}

/**
 * `stepproof/babel`, for `@babel/core` 7 and 8: findings fail the file that they are in (from `failOn` on; else Node
 * prints them as warnings), and definitions carry their manifests.
 */
export default function stepproof(api: BabelApi, options: PluginOptions): PluginObj {
  const look = new ModuleLook(options, []);
  return {
    name: "stepproof",
    visitor: {
      // On entry: other plugins have not touched the tree yet, so places are those of the text.
      Program(path, state) {
        const file = state.file as unknown as BabelFile;
        const { filename, cwd = "." } = file.opts;
        if (filename === undefined || filename === null || filename.includes("/node_modules/")) return;
        // Listed twice, it works once; what was transformed by another tool stays as it is.
        if (path.scope.hasOwnBinding(CARRY)) return;
        const { report, failure, policy } = look.module(filename, file.code, cwd);
        if (failure !== "") throw file.buildCodeFrameError(placeOf(path.node, report.reported), failure);
        if (policy.emit && report.calls.length > 0) carry(path, report.calls, api);
      },
    },
  };
}

/** A node that stands where the first finding is, for the excerpt of code. */
function placeOf(
  program: t.Program,
  reported: readonly { readonly diagnostic: { readonly line: number; readonly column: number } }[],
): t.Node {
  const first = reported[0]?.diagnostic;
  if (first === undefined) return program;
  const at = { line: first.line, column: first.column - 1, index: 0 };
  return { ...program, loc: { ...program.loc, start: at, end: at } } as t.Program;
}

function carry(
  program: NodePath<t.Program>,
  calls: readonly CarryingCall[],
  { types, template }: BabelApi,
): void {
  program.traverse({
    CallExpression: {
      exit(path) {
        const { start, end } = path.node;
        const index = calls.findIndex(({ span }) => span[0] === start && span[1] === end);
        if (index < 0) return;
        path.replaceWith(
          types.inherits(
            types.callExpression(types.identifier(CARRY), [path.node, types.numericLiteral(index)]),
            path.node,
          ),
        );
        path.skip();
      },
    },
  });
  const text = carryFunction(calls.map(({ carried }) => carried));
  // The text holds no placeholders, whatever its names look like.
  program.pushContainer(
    "body",
    template.statement(text, { placeholderPattern: false, sourceType: "module" })(),
  );
}
