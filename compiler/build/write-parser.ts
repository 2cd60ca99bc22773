import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { INTERNAL_NAMES, PARSER_NAMES } from "../src/host/parser-names.js";
import { cutTypescript } from "./cut-typescript.js";

/**
 * Writes `parser.cjs`, TypeScript without its type checker, and TypeScript's licence to a folder.
 * @throws when the TypeScript that is installed is not the one that the package will have beside it.
 */
export async function writeParser(folder: string): Promise<void> {
  const load = createRequire(import.meta.url);
  const { dependencies } = load("../package.json") as { readonly dependencies: Record<string, string> };
  const packageJson = load.resolve("typescript/package.json");
  const { version } = load(packageJson) as { readonly version: string };
  if (version !== dependencies["typescript"])
    throw new Error(
      `TypeScript ${version} is installed, package.json names ${String(dependencies["typescript"])}.`,
    );
  const typescript = dirname(packageJson);
  const text = readFileSync(join(typescript, "lib/typescript.js"), "utf8");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "parser.cjs"), await cutTypescript(text, [...PARSER_NAMES, ...INTERNAL_NAMES]));
  for (const name of ["LICENSE.txt", "ThirdPartyNoticeText.txt"])
    copyFileSync(join(typescript, name), join(folder, name));
}
