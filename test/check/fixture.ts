import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readExpectations, type Expectation } from "./expectations.js";

export const FIXTURES = fileURLToPath(new URL("../../fixtures/check", import.meta.url));

export interface FixtureFile {
  /** Relative to the fixture, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** One program with at most one planted fault. */
export interface Fixture {
  /** `<rule>/<name>`. */
  readonly id: string;
  readonly rule: string;
  readonly kind: "wrong" | "right" | "limit";
  readonly files: readonly FixtureFile[];
  readonly expectations: readonly Expectation[];
}

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const KIND = /^(wrong|right|limit)-/;

/**
 * All fixtures under `root`, sorted by id.
 * @throws {Error} when an entry's name does not begin with its kind.
 */
export function readFixtures(root: string = FIXTURES): Fixture[] {
  const fixtures: Fixture[] = [];
  for (const rule of directories(root)) {
    for (const name of readdirSync(join(root, rule)).sort()) {
      fixtures.push(readFixture(join(root, rule, name), rule, name));
    }
  }
  return fixtures;
}

function readFixture(path: string, rule: string, name: string): Fixture {
  const kind = KIND.exec(name)?.[1] as Fixture["kind"] | undefined;
  if (!kind) throw new Error(`${rule}/${name}: a fixture's name begins with wrong-, right- or limit-`);
  const files = statSync(path).isDirectory()
    ? filesBelow(path).map((file) => ({
        path: relative(path, file).split(sep).join("/"),
        text: readFileSync(file, "utf8"),
      }))
    : [{ path: name, text: readFileSync(path, "utf8") }];
  const expectations = files
    .filter((file) => SOURCE.test(file.path))
    .flatMap((file) => readExpectations(file.path, file.text));
  return { id: `${rule}/${name}`, rule, kind, files, expectations };
}

function directories(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(root, entry.name)) : [join(root, entry.name)],
    );
}
