import type { Analysis } from "../2-solve/types.js";

/**
 * What the analysis left out because the program is too big for it: one sentence each, empty for almost every
 * program.
 */
export function limitsReached(analysis: Analysis): readonly string[] {
  const said = analysis.unfinished.map((part) =>
    part === "start"
      ? "The code that runs when these files are loaded is too big to be followed to its end, so findings about what it hands to workflows may be missing. Check the folder of the workflows alone, or exclude test files and scripts in the config."
      : "The workflows of these files are too big to be followed to their end, so findings may be missing. Check fewer files at once.",
  );
  const cut = analysis.workflows.filter((workflow) => workflow.skeleton.cut).map(({ name }) => name);
  return cut.length === 0 ? said : [...said, tooManyEntries(cut)];
}

/** Names of workflows whose entries were not all looked at, as a sentence. */
export function tooManyEntries(names: readonly string[]): string {
  const [first = ""] = names;
  const who =
    names.length === 1 ? `Workflow "${first}" has` : `${names.map((name) => `"${name}"`).join(", ")} have`;
  return `${who} more ways through helpers than are followed, so entries may be missing. Make a helper that is called from many places a workflow of its own, or call it in a \`ctx.loop\`.`;
}
