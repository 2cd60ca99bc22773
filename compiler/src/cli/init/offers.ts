import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ciOffers, type CiChoice } from "./ci-offers.js";
import { withEslintEntry } from "./eslint-entry.js";
import { dependsOn, withScripts, withTsPlugin, type JsonEdit } from "./json-entries.js";
import { fileOffer, type Offer } from "./offer.js";
import { CONFIG, ESLINT, ESLINT_LINES, TSCONFIG_LINES } from "./templates.js";

export type { Offer } from "./offer.js";

const OTHER_CONFIGS = ["mts", "js", "mjs", "json"].map((extension) => `stepproof.config.${extension}`);
const ESLINT_CONFIGS = ["js", "mjs", "cjs", "ts", "mts", "cts"].map(
  (extension) => `eslint.config.${extension}`,
);

/**
 * What can be set up in a project, in the order in which it is asked.
 * @param folder absolute, of the project.
 * @param ci where the checks are to run; else what the project's files tell.
 */
export function offersFor(folder: string, ci?: CiChoice): Offer[] {
  const config = "the config, with nothing changed from the defaults";
  const offers: (Offer | null)[] = [
    fileOffer(folder, "stepproof.config.ts", config, CONFIG, { same: OTHER_CONFIGS }),
    jsonOffer(folder, "package.json", 'the scripts "check:workflows" and "manifest"', withScripts, ""),
    jsonOffer(
      folder,
      "tsconfig.json",
      "the plugin for editors (TypeScript up to 6) and for tspc of ts-patch",
      withTsPlugin,
      TSCONFIG_LINES,
    ),
    eslintOffer(folder),
    ...ciOffers(folder, ci),
  ];
  return offers.filter((offer) => offer !== null);
}

/** Packages that what was agreed to needs and that package.json does not name. */
export function missingPackages(folder: string, agreed: readonly Offer[]): string[] {
  const path = join(folder, "package.json");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "{}";
  const eslint = agreed.filter((offer) => offer.path.startsWith("eslint.config."));
  const wanted = [
    "stepproof",
    ...(eslint.length > 0 ? ["eslint-plugin-stepproof"] : []),
    ...(eslint.some((offer) => offer.state === "new") ? ["typescript-eslint"] : []),
  ];
  return wanted.filter((name) => !dependsOn(text, name));
}

/** Something to add to a JSON file, if it is there. `byHand`: what to write when it can't be read. */
function jsonOffer(
  folder: string,
  path: string,
  what: string,
  add: (text: string) => JsonEdit,
  byHand: string,
): Offer | null {
  if (!existsSync(join(folder, path))) return null;
  const edit = add(readFileSync(join(folder, path), "utf8"));
  if (edit === null) return { path, what, state: "by-hand", text: byHand };
  return edit.state === "there"
    ? { path, what, state: "there", text: "" }
    : { path, what, state: "change", text: edit.text };
}

/** The entry in the ESLint config; a config of its own only where ESLint is used and has none. */
function eslintOffer(folder: string): Offer | null {
  const what = "the ESLint rules: findings while typing";
  const path = ESLINT_CONFIGS.find((one) => existsSync(join(folder, one)));
  if (path !== undefined) {
    const before = readFileSync(join(folder, path), "utf8");
    if (before.includes("eslint-plugin-stepproof")) return { path, what, state: "there", text: "" };
    const text = withEslintEntry(before, path);
    return text === null
      ? { path, what, state: "by-hand", text: ESLINT_LINES }
      : { path, what, state: "change", text };
  }
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest) || !dependsOn(readFileSync(manifest, "utf8"), "eslint")) return null;
  return fileOffer(folder, "eslint.config.mjs", what, ESLINT);
}
