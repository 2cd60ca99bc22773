import { expect, test } from "vitest";
import { factsOfSource } from "./facts-of-source.js";
import { printFacts } from "./print-facts.js";

/** The facts of `main` with these names declared, without the declarations. */
const lowered = (text: string): string =>
  printFacts(
    factsOfSource(`${text}\nvar a: any, b: any, c: any, x: any, y: any, q: any, sql: any, open: any;`),
  )
    .split("\n")
    .slice(0, -1)
    .join("\n");

const cases: readonly (readonly [law: string, source: string, facts: string])[] = [
  [
    "literals keep their value and kind",
    "[1, 's', `t`, 10n, /x/g, null, true, -1]",
    '[1, "s", "t", 10n, /x/g, null, true, -1]',
  ],
  ["templates keep their parts", "`t${a}u${b}`", "`t${a}u${b}`"],
  [
    "names that nothing declares are globals",
    "undefined; Math.random()",
    "undefined@global\nMath@global.random()",
  ],
  ["a known computed property is a name", "a['b'][0][c]", "a.b.0[c]"],
  ["optional chains say where they can stop", "a?.b.c?.[b]?.(1, ...a)", "a?.b.c?.[b]?.(1, ...a)"],
  ["++ and -- are assignments of 1", "x++; --x.y", "x += 1\nx.y -= 1"],
  ["compound and logical assignments keep their operator", "x ??= y; x **= 2", "x ??= y\nx **= 2"],
  ["array targets", "[x, a.b = 2, , ...y] = q", "[x, a.b = 2, , ...y] = q"],
  [
    "object targets",
    "({ x, k: a.b, [b]: c, y = 3, ...q } = a)",
    "{x: x, k: a.b, [b]: c, y: y = 3, ...q} = a",
  ],
  ["unary operators", "delete x.y; void 0; typeof x; !x; ~x", "delete x.y\nvoid 0\ntypeof x\n!x\n~x"],
  [
    "a tagged template is a call with its parts as arguments, each once",
    "sql`select ${a} from ${b}`",
    "tag sql(`select … from …`, a, b)",
  ],
  ["new without arguments", "new a; new b.c(1)", "new a()\nnew b.c(1)"],
  ["commas are one sequence", "(a, b, c)", "(a, b, c)"],
  ["logic nests to the left", "a && b || c; a ?? q", "((a && b) || c)\n(a ?? q)"],
  ["conditionals", "a ? b : c", "(a ? b : c)"],
  ["parentheses, ! and satisfies are gone", "(a!.b satisfies X)", "a.b"],
  [
    "only casts to a named type are kept",
    "(a as any).b; (a as Foo).b; <Foo>a; [] as const",
    "a.b\n<Foo>a.b\n<Foo>a\n[]",
  ],
  [
    "object literals",
    "a = { a, m() {}, get g() { return 1 }, set g(v) {}, ['k' + a]: 1, ['lit']: 2, ...b, 'q-r': 1, 3: 4 }",
    `a = {a: a, method m: m() {}, get g: g() { return 1 }, set g: g(v) {}, [("k" + a)]: 1, lit: 2, ...b, q-r: 1, 3: 4}`,
  ],
  [
    "generators",
    "a = { async *gen() { yield 1; yield* b } }",
    "a = {method gen: async *gen() {\n  yield 1\n  yield* b\n}}",
  ],
  [
    "a function expression's name stands for it inside",
    "a = function g() { g() }",
    "a = g() {\n  function g = (g)\n  g()\n}",
  ],
  ["meta properties are not known", "import.meta.url", "<import.meta>.url"],
  ["dynamic imports name their module", 'import("pkg"); import(a)', 'import("pkg")@pkg#*\nimport(a)'],
  ["holes in arrays are undefined", "[, a]", "[undefined@global, a]"],
];

test.each(cases)("%s", (_law, source, facts) => {
  expect(lowered(source)).toBe(facts);
});

test("functions take the name that they are given to", () => {
  const { functions } = factsOfSource(
    "const f = () => 1; let g; g = () => 2; ({ h: async () => 3 }); call(() => 4); export default () => 5;",
  );
  expect(functions.slice(1).map(({ name }) => name)).toEqual(["f", "g", "h", "(anonymous)", "default"]);
});

test("JSX evaluates components, attributes and children", () => {
  const facts = factsOfSource(
    `const C = (p) => <><div id="x" title={t()} {...p}>text {p.a}<Panel x={f()} /><ui.Y>{}</ui.Y></div></>;`,
    "/main.tsx",
  );
  expect(printFacts(facts)).toBe(
    "const C = C(p) => { return <jsx t@global() p p.a Panel@global f@global() ui@global.Y> }",
  );
});

test("a chain of thousands of operators is lowered", () => {
  const facts = factsOfSource(
    `export const sum = ${Array.from({ length: 20_000 }, (_, at) => at.toString()).join(" + ")};`,
  );
  expect(facts.syntaxErrors).toEqual([]);
  expect(facts.functions[0]!.body).toHaveLength(1);
});

test("a file that does not parse says so and is lowered as far as it goes", () => {
  const facts = factsOfSource("export const before = now(); function f( { return ; foo(); ");
  expect(facts.syntaxErrors.length).toBeGreaterThan(0);
  expect(printFacts(facts)).toContain("const before = now@global()");
});
