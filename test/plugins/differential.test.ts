import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { readFixtures } from "../check/fixture.js";
import { layOut } from "../check/lay-out.js";
import { TSCONFIG } from "../check/run-check.js";
import { ADAPTERS, type Project, type Told } from "./adapters.js";

/** All fixtures as one project, each in a folder of its own; one with a tsconfig of its own is left to test/check. */
function layOutAll(): Project {
  const area = fileURLToPath(new URL("../../.tmp/check/differential", import.meta.url));
  rmSync(area, { recursive: true, force: true });
  mkdirSync(area, { recursive: true });
  writeFileSync(join(area, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const fixtures = readFixtures().filter(
    (fixture) => !fixture.files.some((file) => file.path === "tsconfig.json"),
  );
  const files = fixtures.flatMap((fixture) => {
    const folder = layOut(fixture, "differential");
    return fixture.files
      .filter(
        ({ path }) =>
          /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".d.ts") && !/^(node_modules|vendor)\//.test(path),
      )
      .map(({ path }) => join(folder, path));
  });
  return { folder: dirname(join(area, "x")), files };
}

const lines = (told: readonly Told[]): string[] =>
  [...new Set(told.map((one) => `${one.file}:${one.line} ${one.rule}: ${one.message}`))].sort();

describe("every tool tells the same findings: rule, file, line and message", () => {
  let project: Project;
  let command: string[] = [];
  beforeAll(async () => {
    project = layOutAll();
    command = lines((await ADAPTERS["command"]?.(project)) ?? []);
  });

  test("the command finds something in most rules' fixtures", () => {
    expect(command.length).toBeGreaterThan(200);
  });

  test.each(Object.keys(ADAPTERS).slice(1))("%s", async (name) => {
    const told = lines((await ADAPTERS[name]?.(project)) ?? []);
    const missing = command.filter((line) => !told.includes(line));
    const extra = told.filter((line) => !command.includes(line));
    expect({ missing, extra }).toEqual({ missing: [], extra: [] });
  });
});
