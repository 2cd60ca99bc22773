import { openProject } from "../host/open-project.js";
import type { FactsSource, FileFacts } from "../types.js";
import { createFactsSource } from "./facts-source.js";

/**
 * The facts of a program that exists in memory only: `files` maps absolute paths to text. Every file is a root;
 * packages that a real folder above the paths holds are found as on disk.
 */
export function factsOfSources(files: Readonly<Record<string, string>>): FactsSource {
  const paths = Object.keys(files);
  const overlay = new Map(Object.entries(files));
  return createFactsSource(openProject({ cwd: "/", paths, overlay, engineModules: [""] }));
}

/** The facts of one file in memory, `/main.ts` unless named; other files can stand beside it. */
export function factsOfSource(
  text: string,
  path = "/main.ts",
  others: Readonly<Record<string, string>> = {},
): FileFacts {
  const facts = factsOfSources({ [path]: text, ...others }).file(path);
  if (facts === null) throw new Error(`No facts for ${path}`);
  return facts;
}
