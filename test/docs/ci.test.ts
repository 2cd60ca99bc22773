import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GITHUB, GITLAB, SHELL } from "../../compiler/src/cli/init/templates.js";
import { blocksOf, ROOT } from "./pages.js";

it("docs/ci.md shows the files that `stepproof init` writes", () => {
  const blocks = blocksOf(readFileSync(join(ROOT, "docs/ci.md"), "utf8"));
  const shown = (role: string): string | undefined => blocks.find((block) => block.role === role)?.text;
  expect([shown("github"), shown("gitlab"), shown("shell")]).toEqual([GITHUB, GITLAB, SHELL]);
});
