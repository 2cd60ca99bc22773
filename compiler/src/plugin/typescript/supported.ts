import type ts from "typescript";

/** Versions whose programs can be read; 7 has no such API, older ones lack parts of it. */
const OLDEST = 5;
const NEWEST = 6;

/** Why a host's TypeScript can't be worked with; `null` when it can. */
export function unsupported(typescript: typeof ts): string | null {
  const { version } = typescript;
  const major = Number(version.split(".")[0]);
  if (major >= OLDEST && major <= NEWEST) return null;
  return `TypeScript ${version} can't be worked with here (${OLDEST}.0 to ${NEWEST}.x can): workflows are not looked at. \`stepproof check\` does, whatever the project's TypeScript is.`;
}
