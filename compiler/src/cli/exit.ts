/** Exit codes of the command (design §8); a public contract. */
export const EXIT = {
  clean: 0,
  findings: 1,
  /** The command line, the config or an input file is wrong. */
  usage: 2,
  /** A fault of the tool itself. */
  internal: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command was called in a way that can't work. The message says what is wrong and what to do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
