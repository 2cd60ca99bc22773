import { openProject, type OpenProjectOptions } from "../host/open-project.js";
import type { FactsSource, FileFacts } from "../types.js";
import { createFactsSource } from "./facts-source.js";

/**
 * The facts of a program that exists in memory only: `files` maps absolute paths to text. Every source file
 * outside `node_modules` is a root.
 * @param native as of `openProject`.
 */
export function factsOfSources(
  files: Readonly<Record<string, string>>,
  native?: OpenProjectOptions["native"],
): FactsSource {
  const paths = Object.keys(files).filter(
    (path) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(path) && !path.includes("/node_modules/"),
  );
  const overlay = new Map(Object.entries(files));
  return createFactsSource(
    openProject({
      cwd: "/",
      paths,
      overlay,
      engineModules: [""],
      ...(native === undefined ? {} : { native }),
    }),
  );
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
