import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFIG, GITHUB, GITLAB } from "./templates.js";

/** One thing that `init` can do. Nothing is done before the user agrees. */
export interface Offer {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** For the question: `a GitHub workflow that checks every pull request`. */
  readonly what: string;
  /** `new` = the file is not there; `change` = it is there and is added to; `there` = it is there and stays as it is. */
  readonly state: "new" | "change" | "there";
  /** The file's whole new text; empty when it stays. */
  readonly text: string;
}

/**
 * What can be set up in a project, in the order in which it is asked.
 * @param folder absolute, of the project.
 */
export function offersFor(folder: string): Offer[] {
  const offers: (Offer | null)[] = [
    file(folder, "stepproof.config.ts", "the config, with nothing changed from the defaults", CONFIG, [
      "stepproof.config.mts",
      "stepproof.config.js",
      "stepproof.config.mjs",
      "stepproof.config.json",
    ]),
    scripts(folder),
    existsSync(join(folder, ".gitlab-ci.yml"))
      ? file(folder, ".gitlab/stepproof.yml", "a GitLab job (include it in .gitlab-ci.yml)", GITLAB, [])
      : file(
          folder,
          ".github/workflows/stepproof.yml",
          "a GitHub workflow that checks every pull request",
          GITHUB,
          [],
        ),
  ];
  return offers.filter((offer) => offer !== null);
}

/** A file of our own; it counts as there when another of `same` stands in for it. */
function file(folder: string, path: string, what: string, text: string, same: readonly string[]): Offer {
  const found = [path, ...same].find((one) => existsSync(join(folder, one)));
  return found === undefined
    ? { path, what, state: "new", text }
    : { path: found, what, state: "there", text: "" };
}

/** Adds the two scripts to package.json, keeping its indent and its end of file. */
function scripts(folder: string): Offer | null {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return null;
  const before = readFileSync(path, "utf8");
  const json = JSON.parse(before) as { scripts?: Record<string, string> };
  const what = 'the scripts "check:workflows" and "manifest"';
  const wanted = { "check:workflows": "stepproof check", manifest: "stepproof manifest" };
  const missing = Object.entries(wanted).filter(([name]) => json.scripts?.[name] === undefined);
  if (missing.length === 0) return { path: "package.json", what, state: "there", text: "" };
  json.scripts = { ...json.scripts, ...Object.fromEntries(missing) };
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? "  ";
  const eol = before.includes("\r\n") ? "\r\n" : "\n";
  const text = JSON.stringify(json, null, indent).replaceAll("\n", eol) + (/\n$/.test(before) ? eol : "");
  return { path: "package.json", what, state: "change", text };
}
