import ts from "typescript";
import { describe, expect, it } from "vitest";
import { readSources, type ImportFact, type SourceFact } from "./sources.js";

const SOURCES = readSources();

/** Who may import what: `from` is a part of the tree, `may` the parts of this repository that it may see. */
interface Direction {
  readonly from: RegExp;
  readonly may: RegExp;
  readonly why: string;
}

const FORMAT = "runtime/src/manifest/(format|replay-flags|index)\\.ts";
const DOWN_TO = {
  types: "compiler/src/types\\.ts",
  knowledge: "compiler/src/(types\\.ts|engines/|catalogue/)",
  host: "compiler/src/(types\\.ts|host/)",
  collect: "compiler/src/(types\\.ts|host/|engines/|1-collect/)",
  solve: "compiler/src/(types\\.ts|engines/|catalogue/|2-solve/)",
  report: "compiler/src/(types\\.ts|engines/|catalogue/|2-solve/|3-report/)",
};

const DIRECTIONS: readonly Direction[] = [
  { from: /^compiler\/src\/types\.ts$/, may: /^$/, why: "the types are the floor that everything stands on" },
  {
    from: /^compiler\/src\/(engines|catalogue)\//,
    may: new RegExp(`^(${DOWN_TO.knowledge})`),
    why: "knowledge is data; analysis reads it, never the other way",
  },
  {
    from: /^compiler\/src\/host\//,
    may: new RegExp(`^(${DOWN_TO.host})`),
    why: "a second front end must be able to stand beside the first without dragging the analysis in",
  },
  {
    from: /^compiler\/src\/cache\/(?!.*\.test\.ts)/,
    may: /^compiler\/src\/(host\/disk\.ts|cache\/)/,
    why: "a kept result is found without loading what made it",
  },
  {
    from: /^compiler\/src\/1-collect\//,
    may: new RegExp(`^(${DOWN_TO.collect})`),
    why: "facts are cached per file, so they can't depend on what is solved from them",
  },
  {
    from: /^compiler\/src\/2-solve\//,
    may: new RegExp(`^(${DOWN_TO.solve}|${FORMAT})`),
    why: "solving sees plain facts only, so it can be tested on hand-written ones",
  },
  {
    from: /^compiler\/src\/3-report\//,
    may: new RegExp(`^(${DOWN_TO.report}|${FORMAT})`),
    why: "rules read the analysis; they do not look at source again",
  },
  {
    from: /^compiler\/src\/report\//,
    may: new RegExp(
      `^(compiler/src/(types\\.ts|report/|2-solve/types\\.ts|3-report/)|${FORMAT}|runtime/src/(manifest/|host/preflight\\.ts|testing/replay-witness\\.ts))`,
    ),
    why: "reporters are pure functions from results to text",
  },
  {
    from: /^compiler\/src\/(manifest|transform|fix)\//,
    may: /^(compiler\/src\/(?!cli\/|plugin\/|report\/)|runtime\/src\/manifest\/)/,
    why: "what is made of an analysis does not know who asked for it",
  },
  {
    from: /^compiler\/src\/plugin\//,
    may: /^compiler\/src\/(index\.ts|plugin\/|types\.ts)/,
    why: "adapters are thin: everything they do goes through the one public door",
  },
  {
    from: /^compiler\/src\/(?!cli\/)/,
    may: /^(?!compiler\/src\/cli\/)/,
    why: "the command is the outermost layer",
  },
  { from: /^runtime\/src\//, may: /^runtime\/src\//, why: "the runtime ships without a compiler" },
  {
    from: /^runtime\/src\/manifest\//,
    may: /^runtime\/src\/manifest\//,
    why: "diff and acceptance are pure and run in a browser",
  },
  {
    from: /^runtime\/src\/engine\//,
    may: /^runtime\/src\/(engine|manifest)\//,
    why: "the engine is pure but for its ports, so that it can be fuzzed and measured alone",
  },
  {
    from: /^runtime\/src\/store\//,
    may: /^runtime\/src\/(store|engine)\//,
    why: "a store implements the engine's port and knows no host",
  },
];

/** Packages that only some parts may load at run time. */
const PACKAGES: readonly { readonly package: RegExp; readonly only: RegExp; readonly why: string }[] = [
  {
    package: /^typescript($|\/)/,
    only: /^compiler\/src\/(host|plugin)\//,
    why: "whoever reads trees elsewhere is bound to one front end; an adapter gets the host tool's own copy",
  },
  {
    package: /^(commander|chokidar)$/,
    only: /^compiler\/src\/cli\//,
    why: "arguments and watching belong to the command",
  },
  {
    package: /^(better-sqlite3|node:sqlite)$/,
    only: /^runtime\/src\/store\//,
    why: "the database is behind the store's port",
  },
];

const NO_TYPESCRIPT = /^compiler\/src\/(2-solve|3-report|report|manifest)\//;
const PURE = /^runtime\/src\/(engine|manifest)\//;

function describeImport(file: SourceFact, one: ImportFact): string {
  return `${file.path}:${one.line} imports ${one.specifier}`;
}

describe("who may import whom", () => {
  it("has sources to judge", () => {
    expect(SOURCES.length).toBeGreaterThan(20);
  });

  it.each(DIRECTIONS.map((one) => [String(one.from), one] as const))(
    "%s keeps its direction",
    (_name, direction) => {
      const wrong = SOURCES.filter((file) => direction.from.test(file.path)).flatMap((file) =>
        file.imports
          .filter((one) => /^(compiler|runtime|lint-plugin)\/src\//.test(one.target))
          .filter((one) => !direction.may.test(one.target))
          // The folder's own files are always in sight.
          .map((one) => `${describeImport(file, one)}, but ${direction.why}`),
      );
      expect(wrong).toEqual([]);
    },
  );

  it("lets the lint plugin in by the public door only", () => {
    const wrong = SOURCES.filter((file) => file.path.startsWith("lint-plugin/")).flatMap((file) =>
      file.imports
        .filter(
          (one) => /^(compiler|runtime)\//.test(one.target) || /^(@stepproof\/|stepproof\/)/.test(one.target),
        )
        .map((one) => `${describeImport(file, one)}, but rules are thin: the analysis is behind "stepproof"`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(PACKAGES.map((one) => [String(one.package), one] as const))(
    "%s is loaded where it belongs",
    (_name, rule) => {
      const wrong = SOURCES.filter((file) => !rule.only.test(file.path)).flatMap((file) =>
        file.imports
          .filter((one) => !one.typeOnly && rule.package.test(one.target))
          .map((one) => `${describeImport(file, one)}, but ${rule.why}`),
      );
      expect(wrong).toEqual([]);
    },
  );

  it("keeps typescript out of sight of solver, rules, reporters and manifest, types included", () => {
    const wrong = SOURCES.filter((file) => NO_TYPESCRIPT.test(file.path)).flatMap((file) =>
      file.imports
        .filter((one) => /^(typescript|ts-morph)($|\/)/.test(one.target))
        .map((one) => describeImport(file, one)),
    );
    expect(wrong).toEqual([]);
  });

  it("gives engine and manifest no package and nothing of Node", () => {
    const wrong = SOURCES.filter((file) => PURE.test(file.path)).flatMap((file) =>
      file.imports
        .filter((one) => !one.typeOnly && !one.specifier.startsWith("."))
        .map((one) => `${describeImport(file, one)}, but it must run anywhere`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("what the command loads", () => {
  it("no plugin, no transform, and none of the packages that only they need", () => {
    const byPath = new Map(SOURCES.map((file) => [file.path, file]));
    const seen = new Set<string>();
    const work = ["compiler/src/cli/main.ts"];
    for (let path = work.pop(); path !== undefined; path = work.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      for (const one of byPath.get(path)?.imports ?? []) if (!one.typeOnly) work.push(one.target);
    }
    expect(seen.has("compiler/src/check.ts"), "the walk reaches the checker").toBe(true);
    const wrong = [...seen].filter((target) =>
      /^compiler\/src\/(plugin|transform)\/|^(unplugin|magic-string)$/.test(target),
    );
    expect(wrong).toEqual([]);
  });
});

describe("state and the outside", () => {
  it("only the command touches process and stdout", () => {
    const wrong = SOURCES.filter(
      (file) => file.path.startsWith("compiler/") && !file.path.startsWith("compiler/src/cli/"),
    )
      .concat(SOURCES.filter((file) => PURE.test(file.path)))
      .flatMap((file) => globalsUsed(file.tree, ["process", "console"]).map((use) => `${file.path}: ${use}`));
    expect(wrong).toEqual([]);
  });

  it("no module keeps mutable state but caches keyed by object identity", () => {
    const wrong = SOURCES.flatMap((file) => mutableState(file.tree).map((use) => `${file.path}: ${use}`));
    expect(wrong).toEqual([]);
  });

  it("would see a global and a module variable", () => {
    const tree = ts.createSourceFile(
      "x.ts",
      "let n = 0; const m = new Map(); const w = new WeakMap(); f(process.env, a.process);",
      ts.ScriptTarget.Latest,
      true,
    );
    expect(globalsUsed(tree, ["process"])).toEqual(["process on line 1"]);
    expect(mutableState(tree)).toEqual(["let n on line 1", "empty collection m on line 1"]);
  });
});

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function globalsUsed(tree: ts.SourceFile, names: readonly string[]): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.includes(node.text)) {
      const parent = node.parent;
      const isKey =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        ((ts.isPropertyAssignment(parent) ||
          ts.isMethodDeclaration(parent) ||
          ts.isPropertySignature(parent) ||
          ts.isParameter(parent)) &&
          parent.name === node);
      if (!isKey) found.push(`${node.text} on line ${lineOf(node)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/**
 * Top-level `let`/`var`, and collections that start empty, so that only a later change can fill them. A `let`
 * that a class sets in its static block lends this file access to private members: it is set once, at load.
 */
function mutableState(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) return [];
    const constant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    return statement.declarationList.declarations.flatMap((declaration) => {
      const name = declaration.name.getText();
      if (!constant)
        return !declaration.initializer && isSetByStaticBlock(tree, name)
          ? []
          : [`let ${name} on line ${lineOf(declaration)}`];
      return isEmptyCollection(declaration.initializer)
        ? [`empty collection ${name} on line ${lineOf(declaration)}`]
        : [];
    });
  });
}

function isSetByStaticBlock(tree: ts.SourceFile, name: string): boolean {
  return tree.statements.some(
    (statement) =>
      ts.isClassDeclaration(statement) &&
      statement.members.some(
        (member) =>
          ts.isClassStaticBlockDeclaration(member) &&
          member.body.statements.some((one) => one.getText().startsWith(`${name} = `)),
      ),
  );
}

function isEmptyCollection(value: ts.Expression | undefined): boolean {
  if (!value) return false;
  if (ts.isArrayLiteralExpression(value))
    return value.elements.length === 0 && !/readonly/.test(value.parent.getText());
  if (
    ts.isNewExpression(value) &&
    ts.isIdentifier(value.expression) &&
    ["Map", "Set"].includes(value.expression.text)
  ) {
    return (value.arguments?.length ?? 0) === 0 && !/Readonly/.test(value.parent.getText());
  }
  return false;
}
