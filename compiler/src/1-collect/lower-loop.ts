import {
  SyntaxKind,
  isVariableDeclarationList,
  type Expression,
  type Node,
  type Statement,
  type VariableDeclarationList,
} from "../host/syntax.js";
import type { LoopStmt, Pattern, Stmt } from "../types.js";
import { declareList } from "./declare-names.js";
import { lowerExpression } from "./lower-expression.js";
import { lowerBindingName, lowerTarget } from "./lower-pattern.js";
import { lowerBody, lowerList } from "./lower-statement.js";
import { NodeFlags } from "../host/syntax.js";
import { inside, spanOf, type Where } from "./where.js";

interface Parts {
  readonly initializer?: Expression | VariableDeclarationList;
  readonly condition?: Expression;
  readonly incrementor?: Expression;
  readonly expression?: Expression;
  readonly awaitModifier?: Node;
  readonly statement: Statement;
}

/** `for`, `while`, `do` and the walks over iterables and keys; `null` when the statement is no loop. */
export function lowerLoop(node: Statement, where: Where, label: string | null): Stmt[] | null {
  const form = formOf(node);
  if (form === null) return null;
  const parts = node as Statement & Parts;
  const inner = inside(where);
  const list =
    parts.initializer !== undefined && isVariableDeclarationList(parts.initializer)
      ? parts.initializer
      : null;
  // The iterable is evaluated outside the loop's own names.
  const iterable =
    form.startsWith("for-") && parts.expression !== undefined
      ? lowerExpression(parts.expression, where)
      : null;
  if (list !== null && (list.flags & NodeFlags.BlockScoped) !== 0)
    declareList(list, inner.scope, where.file.table.unit);
  const test =
    form === "for" ? parts.condition : form === "while" || form === "do" ? parts.expression : undefined;
  return [
    {
      s: "loop",
      form,
      label,
      init: form === "for" ? initOf(parts, list, inner) : [],
      test: test === undefined ? null : lowerExpression(test, inner),
      update: parts.incrementor === undefined ? null : lowerExpression(parts.incrementor, inner),
      target: form.startsWith("for-") ? targetOf(parts, list, inner) : null,
      iterable,
      body: lowerBody(parts.statement, inner),
      span: spanOf(node, where),
    },
  ];
}

function formOf(node: Statement): LoopStmt["form"] | null {
  switch (node.kind) {
    case SyntaxKind.ForStatement:
      return "for";
    case SyntaxKind.WhileStatement:
      return "while";
    case SyntaxKind.DoStatement:
      return "do";
    case SyntaxKind.ForInStatement:
      return "for-in";
    case SyntaxKind.ForOfStatement:
      return (node as Statement & Parts).awaitModifier === undefined ? "for-of" : "for-await";
    default:
      return null;
  }
}

function initOf(parts: Parts, list: VariableDeclarationList | null, where: Where): Stmt[] {
  if (list !== null) return lowerList(list, list, where);
  if (parts.initializer === undefined || isVariableDeclarationList(parts.initializer)) return [];
  const expr = lowerExpression(parts.initializer, where);
  return [{ s: "expr", expr, span: expr.span }];
}

function targetOf(parts: Parts, list: VariableDeclarationList | null, where: Where): Pattern | null {
  if (list !== null) {
    const [declaration] = list.declarations;
    const flags = list.flags & NodeFlags.BlockScoped;
    const kind = flags === NodeFlags.Let ? "let" : flags === 0 ? "var" : "const";
    return declaration === undefined ? null : lowerBindingName(declaration.name, kind, where, null);
  }
  if (parts.initializer === undefined || isVariableDeclarationList(parts.initializer)) return null;
  return lowerTarget(parts.initializer, where);
}
