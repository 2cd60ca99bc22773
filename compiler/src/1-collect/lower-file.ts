import { createHash } from "node:crypto";
import { syntaxErrorsOf } from "../host/source-unit.js";
import type { FileFacts, FunctionFacts } from "../types.js";
import { knownParts, LazyFile, LazyFunction, type Found } from "./lazy-facts.js";
import { isExpressionStatement } from "../host/syntax.js";
import { lowerExpression } from "./lower-expression.js";
import { lowerStatements } from "./lower-statement.js";
import type { ModuleTable } from "./module-table.js";
import type { ProgramNames } from "./program-names.js";
import { readSuppressions } from "./suppressions.js";
import { noteBinding, spanOf, type Lowering, type Where } from "./where.js";

/** Parse errors that are kept; more of them say nothing new. */
const MOST_ERRORS = 5;

/** Lowers a file, as far as it could be parsed: its own statements at once, bodies of functions when they are read. Time and size are linear in the text. */
export function lowerFile(table: ModuleTable, names: ProgramNames): FileFacts {
  const { unit } = table;
  const { path, tree } = unit;
  const module = `${path}:module`;
  const exportedProperties = new Map(
    [...table.exports.values()].flatMap((exported) =>
      exported.as === "value" ? [[exported.node, exported.id] as const] : [],
    ),
  );
  const file: Lowering = {
    names,
    table,
    path,
    asking: unit.inPackage ? null : { types: names.host.types, unit },
    functions: new Map(),
    classes: new Map(),
    bindings: new Map(),
    exportedProperties,
  };
  const found: Found[] = [];
  const where: Where = { file, found, scope: table.scope, owner: module, classId: null };
  if (table.commonJs) noteAssignedExports(table, where);
  const body = path.endsWith(".json") ? lowerJson(table, where) : lowerStatements(tree.statements, where);
  const own = moduleFunction(module, file, tree.end, body);
  file.functions.set(module, own);
  const lineStarts = tree.getLineStarts();
  return new LazyFile(
    path,
    createHash("sha256").update(unit.text).digest("hex"),
    lineStarts,
    module,
    readSuppressions(unit, lineStarts),
    syntaxErrorsOf(unit).slice(0, MOST_ERRORS),
    own,
    found,
    file,
    () => names.allExports(path),
  );
}

/** The module's own statements, which run when it is loaded. */
function moduleFunction(id: string, file: Lowering, end: number, body: FunctionFacts["body"]): FunctionFacts {
  return new LazyFunction(
    {
      id,
      name: "(module)",
      file: file.path,
      span: [0, end],
      nameSpan: [0, 0],
      async: false,
      generator: false,
      arrow: false,
      owner: null,
      classId: null,
      declared: null,
    },
    null,
    null,
    knownParts(body),
  );
}

/** JSON data is a constant. */
function lowerJson(table: ModuleTable, where: Where): FunctionFacts["body"] {
  const [statement] = table.unit.tree.statements;
  if (table.whole?.as !== "value" || statement === undefined || !isExpressionStatement(statement)) return [];
  const span = spanOf(statement, where);
  noteBinding(table.whole.id, "default", span, "const", where, null);
  const init = lowerExpression(statement.expression, where);
  return [
    {
      s: "declare",
      kind: "const",
      items: [{ pattern: { p: "binding", id: table.whole.id, span }, init }],
      span,
    },
  ];
}

/** Exports that CommonJS assigns have bindings of their own. */
function noteAssignedExports(table: ModuleTable, where: Where): void {
  for (const [name, exported] of [...table.exports, ["module.exports", table.whole] as const]) {
    if (exported?.as === "value")
      noteBinding(exported.id, name, spanOf(exported.node, where), "const", where, null);
  }
}
