import { SyntaxKind, type Node } from "../host/syntax.js";
import { nodeId } from "../host/source-unit.js";
import type {
  BindingFacts,
  BindingId,
  ClassFacts,
  ClassId,
  Expr,
  FunctionFacts,
  FunctionId,
  Ref,
  Span,
  TypeRef,
} from "../types.js";
import { LazyBinding, type Asking, type Found, type LazyFunction } from "./lazy-facts.js";
import type { ModuleTable } from "./module-table.js";
import type { ProgramNames } from "./program-names.js";
import { Scope } from "./scope.js";

/** One file while it is lowered: what has been found so far, by id. */
export interface Lowering {
  readonly names: ProgramNames;
  readonly table: ModuleTable;
  readonly path: string;
  readonly asking: Asking;
  readonly functions: Map<FunctionId, FunctionFacts>;
  readonly classes: Map<ClassId, ClassFacts>;
  /** A declaration that is merged with an earlier one adds nothing. */
  readonly bindings: Map<BindingId, BindingFacts>;
  /** Names of properties in `module.exports = { … }` whose values are exports without a name of their own. */
  readonly exportedProperties: ReadonlyMap<Node, BindingId>;
}

/** Where in a file lowering stands. */
export interface Where {
  readonly file: Lowering;
  /** Functions and classes that stand directly in the function around, in the order in which they are found. */
  readonly found: Found[];
  readonly scope: Scope;
  /** The function around. */
  readonly owner: FunctionId;
  /** The class whose member is being lowered, for its functions. */
  readonly classId: ClassId | null;
}

/** The same place with a new scope inside. */
export function inside(where: Where): Where {
  return { ...where, scope: new Scope(where.scope) };
}

export function idOf(node: Node, where: Where): string {
  return nodeId(where.file.path, node, where.file.table.unit.tree);
}

/** Offsets of a node without its leading comments. */
export function spanOf(node: Node, where: Where): Span {
  return [node.getStart(where.file.table.unit.tree, false), node.end];
}

/** Notes a function where it stands. */
export function noteFunction(fn: LazyFunction, where: Where): void {
  where.file.functions.set(fn.id, fn);
  where.found.push({ is: "function", fn });
}

/** Notes a class where it stands. */
export function noteClass(cls: ClassFacts, where: Where): void {
  where.file.classes.set(cls.id, cls);
  where.found.push({ is: "class", cls });
}

/** Notes a binding; its annotation is read when asked for. */
export function noteBinding(
  id: BindingId,
  name: string,
  span: Span,
  kind: BindingFacts["kind"],
  where: Where,
  annotation: (() => TypeRef | null) | null,
): void {
  const { bindings, path } = where.file;
  if (!bindings.has(id))
    bindings.set(id, new LazyBinding(id, name, path, span, kind, where.owner, annotation));
}

/** A name as an expression. */
export function nameExpr(name: string, ref: Ref, span: Span): Expr {
  return { k: "name", name, ref, span };
}

/** True for nodes that the parser made up where something is missing. */
export function isMissing(node: Node): boolean {
  return node.pos === node.end && node.kind !== SyntaxKind.EndOfFileToken;
}
