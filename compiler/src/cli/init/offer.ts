import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One thing that `init` can do. Nothing is done before the user agrees. */
export interface Offer {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** For the question: `a GitHub workflow that checks every pull request`. */
  readonly what: string;
  /**
   * `new` = the file is not there; `change` = it is there and is added to; `there` = it is there and stays
   * as it is; `by-hand` = it is there and can't be edited safely.
   */
  readonly state: "new" | "change" | "there" | "by-hand";
  /** The file's whole new text; with `by-hand` what to write; empty when it stays. */
  readonly text: string;
  /** With `there`: how it differs from what would be written, if it does. */
  readonly note?: string;
}

/**
 * A file of our own. It counts as there when it, or another of `same`, is.
 * @param shownIn the docs page that shows the file; without it, a file that was changed is as it should be.
 */
export function fileOffer(
  folder: string,
  path: string,
  what: string,
  text: string,
  { same = [], shownIn }: { readonly same?: readonly string[]; readonly shownIn?: string } = {},
): Offer {
  const found = [path, ...same].find((one) => existsSync(join(folder, one)));
  if (found === undefined) return { path, what, state: "new", text };
  const differs =
    shownIn !== undefined && found === path && readFileSync(join(folder, found), "utf8") !== text;
  return {
    path: found,
    what,
    state: "there",
    text: "",
    ...(differs ? { note: `it differs from what init would write, which ${shownIn} shows` } : {}),
  };
}
