import { join } from "node:path";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { check, RULES } from "stepproof";
import { ruleIndex } from "./rule-index.js";
import { blocksOf, pageNames, readPage, ROOT } from "./pages.js";

const ROWS = RULES.map((row) => [row.slug, row] as const);
const SECTIONS = ["Why", "Wrong", "Right", "What it can't see", "How to silence it"];

describe("the pages of the rules", () => {
  it("are one per row of the table, and no more", () => {
    expect(pageNames()).toEqual(RULES.map((row) => row.slug).sort());
  });

  it.each(ROWS)("%s says the same as the table", (slug, row) => {
    const page = readPage(slug) ?? "";
    const [title, , facts, , summary] = page.split("\n");
    expect(title).toBe(`# ${slug}`);
    expect(facts).toMatch(new RegExp(`^\`TS${row.code}\` · ${row.severity} · `));
    expect(summary).toBe(row.summary);
    const sections = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(sections.filter((one) => SECTIONS.includes(one ?? ""))).toEqual(SECTIONS);
  });
});

describe("the examples on the pages", () => {
  const examples = RULES.flatMap((row) =>
    blocksOf(readPage(row.slug) ?? "")
      .filter((block) => block.role === "wrong" || block.role === "right")
      .map((block, index) => ({
        slug: row.slug,
        role: block.role,
        file: join(ROOT, `test/docs/examples/${row.slug}-${index + 1}-${block.role}.${block.language}`).replaceAll("\\", "/"),
        text: block.text,
      })),
  );
  // Strict-only rules show their examples as they are run: under --strict.
  const result = check({
    cwd: ROOT,
    paths: examples.map((example) => example.file),
    overlay: new Map(examples.map((example) => [example.file, example.text])),
    strict: true,
  });
  const found = (file: string): string[] =>
    result.reported.filter((one) => one.finding.place.file === file).map((one) => `${one.diagnostic.rule}:${one.diagnostic.line} ${one.diagnostic.message}`);

  it.each(RULES.map((row) => row.slug))("%s has a wrong and a right one", (slug) => {
    const roles = new Set(examples.filter((example) => example.slug === slug).map((example) => example.role));
    expect([...roles].sort()).toEqual(["right", "wrong"]);
  });

  it.each(examples.filter((example) => example.role === "wrong"))("$slug: the wrong one ($file) is found", ({ slug, file }) => {
    expect(found(file).filter((one) => one.startsWith(`${slug}:`))).not.toEqual([]);
  });

  it.each(examples.filter((example) => example.role === "right"))("$slug: the right one ($file) is clean", ({ file }) => {
    expect(found(file)).toEqual([]);
  });
});

describe("the index of the docs", () => {
  it("lists every rule as the table has it", () => {
    expect(readFileSync(join(ROOT, "docs/README.md"), "utf8")).toContain(ruleIndex());
  });
});
