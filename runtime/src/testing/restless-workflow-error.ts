/** A workflow records entry after entry and neither waits nor ends. */
export class RestlessWorkflowError extends Error {
  override readonly name = "RestlessWorkflowError";
  readonly code = "restless_workflow";

  /** @param commits that were made in a row. */
  constructor(commits: number) {
    super(
      `A workflow does not come to rest: ${commits.toLocaleString("en")} commits in a row, with no time passing. Look for a loop that neither waits for a message or a time nor ends (\`Loop.break\`, or a condition that is never met). If it really does so much at once, raise \`mostCommits\`.`,
    );
  }
}
