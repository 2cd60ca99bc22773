import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Another folder of pairs can be judged by the same laws: `STEPPROOF_PAIRS=folder`. */
const FOLDER =
  process.env["STEPPROOF_PAIRS"] ?? fileURLToPath(new URL("../../fixtures/versions", import.meta.url));

/** The engines that the pairs are judged for: their import, and how a mark names them. */
export const PROFILES = {
  "rivet-workflows-1": { module: "@rivet-dev/workflows", mark: "" },
  stepproof: { module: "@stepproof/runtime", mark: "@stepproof" },
} as const;
export type Profile = keyof typeof PROFILES;

export interface VersionPair {
  readonly name: string;
  /** The source written for an engine. */
  readonly source: (version: 1 | 2, profile: Profile) => string;
  /** Verdicts that are right, with the reason; `null` = not said. */
  readonly expected: (direction: Direction, profile: Profile) => Verdict | null;
}
export type Direction = "forth" | "back";
export interface Verdict {
  readonly levels: readonly string[];
  readonly why: string;
}

const LEVELS = ["identical", "safe", "risky", "breaking"];
const MARK = /^\/\/ (expect-diff(?:-back)?)(@[a-z-]+)?: ([a-z|]+): (.+)$/gm;

/**
 * Reads `fixtures/versions`: `<name>.v1.ts`, `<name>.v2.ts`, the marks at the head of the second:
 * `// expect-diff: safe|identical: why` for a deploy of v2 over v1, `// expect-diff-back: …` for the way
 * back, `expect-diff@stepproof` where that engine differs from `@rivet-dev/workflows`.
 * @throws {Error} when a pair is not whole or a mark can't be read.
 */
export function readPairs(): VersionPair[] {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".v2.ts"))
    .map((file) => file.slice(0, -".v2.ts".length))
    .sort();
  return names.map(readPair);
}

function readPair(name: string): VersionPair {
  const texts = {
    1: readFileSync(join(FOLDER, `${name}.v1.ts`), "utf8"),
    2: readFileSync(join(FOLDER, `${name}.v2.ts`), "utf8"),
  };
  const marks = new Map<string, Verdict>();
  for (const [, word = "", engine = "", levels = "", why = ""] of texts[2].matchAll(MARK)) {
    const unknown = levels.split("|").filter((level) => !LEVELS.includes(level));
    if (unknown.length > 0) throw new Error(`${name}: no such verdict: ${unknown.join(", ")}`);
    marks.set(word + engine, { levels: levels.split("|"), why });
  }
  const written = texts[2].split("\n").filter((line) => line.startsWith("// expect-diff")).length;
  if (marks.size !== written || !marks.has("expect-diff"))
    throw new Error(`${name}: a mark can't be read, or is missing`);
  return {
    name,
    source: (version, profile) =>
      texts[version].replaceAll(`"@rivet-dev/workflows"`, `"${PROFILES[profile].module}"`),
    expected: (direction, profile) => {
      const word = direction === "forth" ? "expect-diff" : "expect-diff-back";
      return marks.get(word + PROFILES[profile].mark) ?? marks.get(word) ?? null;
    },
  };
}
