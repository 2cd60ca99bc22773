import type { CallExpr, EngineProfile, Expr, FileFacts } from "../types.js";
import { visitExprs, visitStmts } from "./visit.js";

/**
 * True for a module that only lists workflows in a `setup` and may start what that gives: no functions, no changes, no
 * call that gets anything else of another file. To the files that it names it is as if it were not there, but for the
 * names that it gives.
 */
export function onlyLists(
  facts: FileFacts,
  engineOfModule: (module: string) => EngineProfile | null,
): boolean {
  const [module, ...functions] = facts.outermost;
  if (module === undefined || functions.length > 0 || facts.classes.length > 0) return false;
  const registries = new Set<string>();
  let lists = false;
  let isMere = true;
  for (const stmt of module.body)
    if (stmt.s === "declare")
      for (const { pattern, init } of stmt.items)
        if (pattern.p === "binding" && init?.k === "call" && isSetup(init)) registries.add(pattern.id);
  visitStmts(module.body, (expr) => {
    if (expr.k === "call") {
      if (isSetup(expr)) lists = true;
      else if (!isOfPackage(expr.callee) || !expr.args.every(({ value }) => holdsOwnOnly(value)))
        isMere = false;
    } else if (CHANGES.has(expr.k) || (expr.k === "unary" && expr.op === "delete")) isMere = false;
  });
  return lists && isMere;

  function isSetup({ callee }: CallExpr): boolean {
    if (callee.k !== "name" || callee.ref.to !== "external") return false;
    return engineOfModule(callee.ref.module)?.exports[callee.ref.name]?.is === "setup";
  }

  /** A function of a package, or a method of a registry. */
  function isOfPackage(callee: Expr): boolean {
    if (callee.k === "member") return isOfPackage(callee.object);
    if (callee.k === "call") return isSetup(callee) || isOfPackage(callee.callee);
    if (callee.k !== "name") return false;
    return callee.ref.to === "external" || (callee.ref.to === "binding" && registries.has(callee.ref.id));
  }

  function holdsOwnOnly(value: Expr): boolean {
    let isOwn = true;
    visitExprs(value, (expr) => {
      if (expr.k === "name" && !(expr.ref.to === "binding" && registries.has(expr.ref.id))) isOwn = false;
    });
    return isOwn;
  }
}

const CHANGES: ReadonlySet<Expr["k"]> = new Set(["assign", "import", "opaque"]);
