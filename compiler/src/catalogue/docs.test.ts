import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { coveredMarkdown, coveredPackages } from "./covered.js";
import { BUILT_IN_ROWS } from "./index.js";

const PAGE = new URL("../../../docs/catalogue.md", import.meta.url);
const LIST = /(<!-- packages: begin -->\n)[^]*(<!-- packages: end -->)/;

it("the page lists the packages that the rows cover (UPDATE_DOCS=1 writes it)", () => {
  const page = readFileSync(PAGE, "utf8");
  const wanted = page.replace(
    LIST,
    (_, begin: string, end: string) => `${begin}\n${coveredMarkdown(BUILT_IN_ROWS)}\n\n${end}`,
  );
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(PAGE, wanted);
  else expect(page).toBe(wanted);
});

it("covers at least 170 packages besides the built-in modules", () => {
  const packages = coveredPackages(BUILT_IN_ROWS).filter(
    ({ name }) => !/^(?:node|bun|cloudflare)\b/.test(name),
  );
  expect(packages.length).toBeGreaterThan(170);
});
