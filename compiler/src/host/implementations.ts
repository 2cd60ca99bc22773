import type ts from "typescript";

/** Who extends and implements whom, in the source files of a program. */
export interface ImplementationIndex {
  /** Classes and interfaces below a class or interface, transitively, each once. */
  below(symbol: ts.Symbol): readonly ts.Symbol[];
  /** Object literals that are written where this interface is expected and have the member. */
  literals(symbol: ts.Symbol, member: string): readonly ts.ObjectLiteralExpression[];
}

/** Builds the index when it is first asked; only files whose text can hold an heir are walked. */
export function implementationIndex(
  program: ts.Program,
  checker: ts.TypeChecker,
  typescript: typeof ts,
): ImplementationIndex {
  let heirs: Map<ts.Symbol, ts.Symbol[]> | null = null;
  let literals: Map<string, ts.ObjectLiteralExpression[]> | null = null;
  const found = new Map<string, readonly ts.ObjectLiteralExpression[]>();
  const sources = (): readonly ts.SourceFile[] =>
    program
      .getSourceFiles()
      .filter((file) => !file.isDeclarationFile && !file.fileName.includes("/node_modules/"));

  return {
    below(symbol) {
      heirs ??= findHeirs();
      const found = new Set<ts.Symbol>();
      const queue = [symbol];
      for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
        for (const heir of heirs.get(at) ?? []) {
          if (found.has(heir)) continue;
          found.add(heir);
          queue.push(heir);
        }
      }
      return [...found];
    },
    literals(symbol, member) {
      const key = `${placeOf(symbol)} ${member}`;
      let known = found.get(key);
      if (known === undefined) {
        literals ??= findLiterals();
        // A literal whose file doesn't name the type may still be one; following those would ask the type of every
        // literal in the program.
        known = (literals.get(member) ?? []).filter(
          (node) => node.getSourceFile().text.includes(symbol.name) && expects(node, symbol),
        );
        found.set(key, known);
      }
      return known;
    },
  };

  function findHeirs(): Map<ts.Symbol, ts.Symbol[]> {
    const found = new Map<ts.Symbol, ts.Symbol[]>();
    const visit = (node: ts.Node): void => {
      if (typescript.isClassLike(node) || typescript.isInterfaceDeclaration(node)) noteHeir(node, found);
      typescript.forEachChild(node, visit);
    };
    for (const file of sources()) if (/\b(?:extends|implements)\b/.test(file.text)) visit(file);
    return found;
  }

  function noteHeir(
    node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
    found: Map<ts.Symbol, ts.Symbol[]>,
  ): void {
    const heir =
      node.name === undefined
        ? checker.getTypeAtLocation(node).symbol
        : checker.getSymbolAtLocation(node.name);
    if (heir === undefined) return;
    for (const clause of node.heritageClauses ?? []) {
      for (const { expression } of clause.types) {
        const parent = resolved(checker.getSymbolAtLocation(expression));
        if (parent === undefined) continue;
        const list = found.get(parent);
        if (list === undefined) found.set(parent, [heir]);
        else list.push(heir);
      }
    }
  }

  /** Object literals with functions in them, by the names of these. */
  function findLiterals(): Map<string, ts.ObjectLiteralExpression[]> {
    const all = new Map<string, ts.ObjectLiteralExpression[]>();
    const visit = (node: ts.Node): void => {
      if (typescript.isObjectLiteralExpression(node)) {
        for (const property of node.properties) {
          const name = functionName(property);
          if (name === null) continue;
          const list = all.get(name);
          if (list === undefined) all.set(name, [node]);
          else list.push(node);
        }
      }
      typescript.forEachChild(node, visit);
    };
    for (const file of sources()) visit(file);
    return all;
  }

  function functionName(property: ts.ObjectLiteralElementLike): string | null {
    const { name } = property;
    if (name === undefined || !("text" in name)) return null;
    if (!typescript.isPropertyAssignment(property)) return name.text;
    const { kind } = property.initializer;
    const { ArrowFunction, FunctionExpression, Identifier, PropertyAccessExpression } = typescript.SyntaxKind;
    return [ArrowFunction, FunctionExpression, Identifier, PropertyAccessExpression].includes(kind)
      ? name.text
      : null;
  }

  function expects(node: ts.ObjectLiteralExpression, symbol: ts.Symbol): boolean {
    const type = checker.getContextualType(node);
    if (type === undefined) return false;
    const parts = type.isUnionOrIntersection() ? type.types : [type];
    return parts.some((part) => part.symbol === symbol || part.aliasSymbol === symbol);
  }

  function resolved(symbol: ts.Symbol | undefined): ts.Symbol | undefined {
    if (symbol === undefined || (symbol.flags & typescript.SymbolFlags.Alias) === 0) return symbol;
    return checker.getAliasedSymbol(symbol);
  }
}

/** Symbols have no public id; where one is declared tells it apart well enough. */
function placeOf(symbol: ts.Symbol): string {
  const [first] = symbol.declarations ?? [];
  return first === undefined ? symbol.name : `${first.getSourceFile().fileName}:${first.pos.toString()}`;
}
