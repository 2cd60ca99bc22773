import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { check } from "stepproof";
import { ROOT } from "./pages.js";

const PAGE = readFileSync(join(ROOT, "docs/testing.md"), "utf8");

/** The block of that role. */
function block(role: string): string {
  const found = new RegExp(`^\`\`\`ts ${role.replace(".", "\\.")}\\n([^]*?)^\`\`\`$`, "m").exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`docs/testing.md has no block "${role}".`);
  return found;
}

/** Writes the examples beside the sources, bundles one, and runs it. */
async function run(role: "vitest" | "node", command: (file: string) => readonly string[]): Promise<string> {
  mkdirSync(join(ROOT, ".tmp"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".tmp/docs-testing-"));
  try {
    writeFileSync(join(folder, "orders.ts"), block("orders.ts"));
    writeFileSync(join(folder, "example.ts"), block(role));
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {};\n");
    const outfile = join(folder, "example.test.mjs");
    await build({
      entryPoints: [join(folder, "example.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      alias: {
        "@stepproof/runtime/testing": join(ROOT, "runtime/src/testing/index.ts"),
        "@stepproof/runtime": join(ROOT, "runtime/src/index.ts"),
      },
    });
    return execFileSync(process.execPath, command(outfile), { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it("the example for vitest passes in vitest", async () => {
  const output = await run("vitest", (file) => [
    join(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    "--root",
    join(file, ".."),
  ]);
  expect(output).toMatch(/1 passed/);
});

it("the example for node:test passes in node --test", async () => {
  const output = await run("node", (file) => ["--test", file]);
  expect(output).toMatch(/pass 1\b/);
});

it("the workflow of the page is clean", () => {
  const file = join(ROOT, "test/docs/examples/orders.ts");
  const { reported } = check({ cwd: ROOT, paths: [file], overlay: new Map([[file, block("orders.ts")]]) });
  expect(reported.map(({ diagnostic }) => diagnostic.message)).toEqual([]);
});
