import type ts from "typescript";
import type { ModelSymbol, ModelType, ProgramFile, TypeModel } from "./type-model.js";

/** Who extends and implements whom, in the source files of a program. */
export interface ImplementationIndex {
  /** Classes and interfaces below a class or interface, transitively, each once. */
  below(symbol: ModelSymbol): readonly ModelSymbol[];
  /** Types of the object literals that are written where this interface is expected and have the member. */
  literals(symbol: ModelSymbol, member: string): readonly ModelType[];
}

/** Builds the index when it is first asked; only files whose text can hold what is looked for are walked. */
export function implementationIndex(model: TypeModel): ImplementationIndex {
  const { syntax } = model;
  let heirs: Map<ModelSymbol, ModelSymbol[]> | null = null;
  const literalsOf = new Map<ProgramFile, ReadonlyMap<string, readonly ts.ObjectLiteralExpression[]>>();
  const found = new Map<ModelSymbol, Map<string, readonly ModelType[]>>();
  let sources: readonly ProgramFile[] | null = null;

  return {
    below(symbol) {
      heirs ??= findHeirs();
      const below = new Set<ModelSymbol>();
      const queue = [symbol];
      for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
        for (const heir of heirs.get(at) ?? []) {
          if (below.has(heir)) continue;
          below.add(heir);
          queue.push(heir);
        }
      }
      return [...below];
    },
    literals(symbol, member) {
      let known = found.get(symbol);
      if (known === undefined) found.set(symbol, (known = new Map()));
      let types = known.get(member);
      if (types === undefined) known.set(member, (types = findLiterals(symbol, member)));
      return types;
    },
  };

  function files(): readonly ProgramFile[] {
    return (sources ??= model.sources());
  }

  function findHeirs(): Map<ModelSymbol, ModelSymbol[]> {
    const nodes: (ts.ClassLikeDeclaration | ts.InterfaceDeclaration)[] = [];
    const visit = (node: ts.Node): void => {
      if (
        (syntax.isClassLike(node) || syntax.isInterfaceDeclaration(node)) &&
        (node.heritageClauses ?? []).length > 0
      )
        nodes.push(node);
      node.forEachChild(visit);
    };
    for (const file of files()) if (/\b(?:extends|implements)\b/.test(file.text)) visit(file.tree());
    const parents = nodes.map((node) =>
      (node.heritageClauses ?? []).flatMap((clause) => clause.types.map((type) => type.expression)),
    );
    // All in one question: each costs a turn to another process where the checker is one.
    const named = nodes.flatMap((node) => (node.name === undefined ? [] : [node.name]));
    const symbols = model.symbolsAt([...named, ...parents.flat()]);
    const names = symbols.slice(0, named.length).values();
    const bases = symbols.slice(named.length).values();
    const index = new Map<ModelSymbol, ModelSymbol[]>();
    nodes.forEach((node, at) => {
      const heir = node.name === undefined ? model.typeAt(node).getSymbol() : names.next().value;
      for (const _ of parents[at] ?? []) {
        const base = bases.next().value;
        if (heir === undefined || base === undefined) continue;
        const parent = model.aliased(base);
        const list = index.get(parent);
        if (list === undefined) index.set(parent, [heir]);
        else list.push(heir);
      }
    });
    return index;
  }

  /**
   * A literal whose file doesn't name the type may still be one; following those would ask the type of every literal
   * in the program.
   */
  function findLiterals(symbol: ModelSymbol, member: string): readonly ModelType[] {
    return files()
      .filter((file) => file.text.includes(symbol.name) && file.text.includes(member))
      .flatMap((file) => literalsIn(file).get(member) ?? [])
      .filter((node) => expects(node, symbol))
      .map((node) => model.typeAt(node));
  }

  /** Object literals with functions in them, by the names of these. */
  function literalsIn(file: ProgramFile): ReadonlyMap<string, readonly ts.ObjectLiteralExpression[]> {
    const known = literalsOf.get(file);
    if (known !== undefined) return known;
    const all = new Map<string, ts.ObjectLiteralExpression[]>();
    const visit = (node: ts.Node): void => {
      if (syntax.isObjectLiteralExpression(node)) {
        for (const property of node.properties) {
          const name = functionName(property);
          if (name === null) continue;
          const list = all.get(name);
          if (list === undefined) all.set(name, [node]);
          else list.push(node);
        }
      }
      node.forEachChild(visit);
    };
    visit(file.tree());
    literalsOf.set(file, all);
    return all;
  }

  function functionName(property: ts.ObjectLiteralElementLike): string | null {
    const { name } = property;
    // Nodes of TypeScript 7 have every property there is: only its value tells.
    if (name === undefined || !("text" in name) || typeof name.text !== "string") return null;
    if (!syntax.isPropertyAssignment(property)) return name.text;
    const { initializer } = property;
    return syntax.isArrowFunction(initializer) ||
      syntax.isFunctionExpression(initializer) ||
      syntax.isIdentifier(initializer) ||
      syntax.isPropertyAccessExpression(initializer)
      ? name.text
      : null;
  }

  function expects(node: ts.ObjectLiteralExpression, symbol: ModelSymbol): boolean {
    const type = model.expectedType(node);
    return (
      type !== undefined &&
      model.partsOf(type).some((part) => part.getSymbol() === symbol || model.aliasOf(part) === symbol)
    );
  }
}
