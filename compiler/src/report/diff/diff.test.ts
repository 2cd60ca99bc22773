import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AjvDraft04 from "ajv-draft-04";
import { describe, expect, it } from "vitest";
import { diffManifests } from "../../../../runtime/src/manifest/diff.js";
import { manifest, sleep, step } from "../../../../runtime/src/manifest/testing/build.js";
import type { Block, Manifest } from "../../../../runtime/src/manifest/format.js";
import { buildGraphs } from "../graph/index.js";
import type { RenderOptions } from "../index.js";
import { DIFF_FORMATS, type DiffReport, type DiffView } from "./index.js";

const OPTIONS: RenderOptions = {
  color: false,
  width: 100,
  source: () => null,
  pathPrefix: "app/",
  toolVersion: "1.0.0",
};

function view(old: Manifest, now: Manifest, over: { accepted?: string; unused?: boolean } = {}): DiffView {
  const result = diffManifests(old, now);
  const workflows = result.workflows.map((workflow) => ({
    ...workflow,
    changes: workflow.changes.map((change) => ({
      ...change,
      token: "abc123",
      accepted: over.accepted ?? null,
      place: { file: workflow.file, line: 7 },
    })),
  }));
  const report: DiffReport = {
    ...result,
    open: over.accepted === undefined ? result.verdict : "safe",
    workflows,
    unusedAcceptances: over.unused
      ? [{ workflow: "gone", kind: "entry-renamed", path: ["a"], content: "x" }]
      : [],
  };
  return { report, graphs: buildGraphs(now, old, null) };
}

const OLD: Block = [step("charge"), sleep("cooldown"), step("ship")];
const BREAKING = view(manifest(OLD), manifest([step("charge-card"), sleep("cooldown"), step("ship")]));
const HOSTILE = view(manifest([step("a")]), manifest([step("b`|<img src=x>\n::error::%0A```")]));

describe("a diff", () => {
  it("in pretty says verdict, witness and remedy", () => {
    const text = DIFF_FORMATS.pretty(BREAKING, OPTIONS);
    expect(text).toContain("Breaking: running instances of the old version can't go on under the new one.");
    expect(text).toMatch(/history that an instance can have\n\s+└─ step "charge"|├─ step "charge"/);
    expect(text).toContain('removed("charge", "step")');
    expect(text).not.toContain("undefined");
  });

  it("says so when nothing changed", () => {
    const same = view(manifest(OLD), manifest(OLD));
    expect(DIFF_FORMATS.pretty(same, OPTIONS)).toBe("Identical: no workflow changed.\n");
    expect(DIFF_FORMATS.markdown(same)).toBe("## ✅ No workflow changed\n");
    expect(DIFF_FORMATS.github(same, OPTIONS)).toBe("");
  });

  it("in json has the documented keys", () => {
    const report = JSON.parse(DIFF_FORMATS.json(BREAKING)) as DiffReport;
    expect(report).toMatchObject({ version: 1, verdict: "breaking" });
    const keys = ["kind", "path", "level", "message", "before", "after", "witness", "remedy"];
    for (const change of report.workflows.flatMap((workflow) => workflow.changes))
      expect(Object.keys(change)).toEqual(expect.arrayContaining(keys));
  });

  it("in github is one command per change, from the repository's root", () => {
    const lines = DIFF_FORMATS.github(BREAKING, OPTIONS).trimEnd().split("\n");
    expect(lines.every((line) => /^::(error|warning|notice) file=app\/.*line=7/.test(line))).toBe(true);
    expect(lines.some((line) => line.startsWith("::error"))).toBe(true);
  });

  it("keeps hostile names as text in every format", () => {
    for (const line of DIFF_FORMATS.github(HOSTILE, OPTIONS).trimEnd().split("\n"))
      expect(line).toMatch(/^::(error|warning|notice) file=app/);
    const markdown = DIFF_FORMATS.markdown(HOSTILE);
    const outsideFences = markdown.replace(/^( *)(`{3,})\w*\n[\s\S]*?^\1\2$/gm, "");
    expect(outsideFences).not.toMatch(/(?<![\\`])<img/);
  });

  it("lists accepted changes with their reason and tells acceptances that match nothing", () => {
    const accepted = view(manifest(OLD), manifest([step("x")]), {
      accepted: "nothing is in flight",
      unused: true,
    });
    expect(DIFF_FORMATS.pretty(accepted, OPTIONS)).toMatch(
      /accepted .*[\s\S]*Accepted: nothing is in flight/,
    );
    expect(DIFF_FORMATS.pretty(accepted, OPTIONS)).toContain(
      "accepts a change that is not there: gone, entry-renamed, a",
    );
    expect(DIFF_FORMATS.github(accepted, OPTIONS)).not.toContain("::error");
  });

  it("as markdown has a picture of each workflow that changed", () => {
    expect(DIFF_FORMATS.markdown(BREAKING)).toContain("```mermaid\nflowchart TD");
  });

  it("as sarif is valid against the 2.1.0 schema", () => {
    const path = createRequire(import.meta.url).resolve(
      "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json",
    );
    const validate = new AjvDraft04.default({
      strict: false,
      unicodeRegExp: false,
      validateFormats: false,
    }).compile(JSON.parse(readFileSync(path, "utf8")) as object);
    for (const one of [
      BREAKING,
      HOSTILE,
      view(manifest(OLD), manifest(OLD)),
      view(manifest(OLD), manifest([]), { accepted: "r" }),
    ]) {
      const log: unknown = JSON.parse(DIFF_FORMATS.sarif(one, OPTIONS));
      expect([validate(log), validate.errors]).toEqual([true, null]);
    }
  });
});
