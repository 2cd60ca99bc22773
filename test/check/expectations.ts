/** What a fixture says about one of its lines. */
export interface Expectation {
  /** Relative to the fixture, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Any of these rules is right here. */
  readonly rules: readonly string[];
  /** What the message must contain. */
  readonly message: string | null;
  /** One finding on any line of the same group is enough. */
  readonly group: string | null;
  /** A consequence of the planted fault: may be told, need not. */
  readonly optional: boolean;
}

const COMMENT =
  /\/\/ (expect|expect-next-line|may): ([a-z-]+(?: \| [a-z-]+)*)(?: "([^"]+)")?(?: #(\w+))?\s*$/;
const LOOKS_LIKE_ONE = /\/\/ (expect|expect-next-line|may):/;

/**
 * Reads the expectation comments of a file (their form is in `fixtures/check/README.md`).
 * @throws {Error} on a comment that looks like one and can't be read, so that a typing slip expects nothing by accident.
 */
export function readExpectations(file: string, text: string): Expectation[] {
  const found: Expectation[] = [];
  for (const [index, source] of text.split("\n").entries()) {
    const match = COMMENT.exec(source);
    if (!match) {
      if (LOOKS_LIKE_ONE.test(source))
        throw new Error(`${file}:${index + 1}: can't read the expectation: ${source.trim()}`);
      continue;
    }
    const [, word, rules, message, group] = match;
    const isSuppression = (at: number): boolean =>
      (text.split("\n")[at] ?? "").includes("stepproof-ignore-next-line");
    let line = index + 1;
    if (word === "expect-next-line") line += 1;
    else if (isSuppression(index))
      throw new Error(`${file}:${line}: an expectation can't share a line with a suppression`);
    found.push({
      file,
      line,
      rules: (rules ?? "").split(" | "),
      message: message ?? null,
      group: group ?? null,
      optional: word === "may",
    });
  }
  return found;
}
