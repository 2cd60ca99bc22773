import { beforeAll, describe, expect, test } from "vitest";
import { ADAPTERS, type Project, type Told } from "./adapters.js";
import { layOutFixtures } from "./lay-out-fixtures.js";

const lines = (told: readonly Told[]): string[] =>
  [...new Set(told.map((one) => `${one.file}:${one.line} ${one.rule}: ${one.message}`))].sort();

describe("every tool tells the same findings: rule, file, line and message", () => {
  let project: Project;
  let command: string[] = [];
  beforeAll(async () => {
    project = layOutFixtures("differential");
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
