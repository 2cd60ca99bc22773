import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const RULES_FOLDER = join(ROOT, "docs/rules");

/** A fenced block of a page. */
export interface Block {
  /** `ts`, `tsx`, `js` … */
  readonly language: string;
  /** What stands behind the language: `wrong`, `right`, or nothing. */
  readonly role: string;
  readonly text: string;
}

/** Names of the pages that exist, without `.md`; files that begin with `_` are not pages. */
export function pageNames(): string[] {
  return readdirSync(RULES_FOLDER)
    .filter((name) => name.endsWith(".md") && !name.startsWith("_"))
    .map((name) => name.slice(0, -3))
    .sort();
}

/** A page's text, or `null`. */
export function readPage(slug: string): string | null {
  const path = join(RULES_FOLDER, `${slug}.md`);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)(?: (\w+))?.*\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    role: match[2] ?? "",
    text: match[3] ?? "",
  }));
}
