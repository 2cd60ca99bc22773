import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBaseline } from "./3-report/baseline.js";
import { check } from "./check.js";
import { NO_CONFIG } from "./config.js";
import { Session, type SessionOptions } from "./session.js";

const FLOW = `import { workflow } from "@rivet-dev/workflows";
import { pick } from "./pick";
export const triage = workflow({ run: async (ctx) => { const who = pick(); await ctx.step("a", async () => who); } });
`;
const PURE = "export const pick = () => 1;\n";
const RANDOM = "export const pick = () => Math.random();\n";

let root = "";
let told: string[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "stepproof-session-")));
  told = [];
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
}

function open(more: Partial<SessionOptions> = {}): Session {
  return new Session({ root, onProblem: (message) => told.push(message), ...more });
}

const rules = (session: Session, path: string, text: string): string[] =>
  session.module(path, text).reported.map((one) => one.finding.rule);

describe("a session", () => {
  let flow = "";
  let helper = "";
  beforeEach(() => {
    write("tsconfig.json", JSON.stringify({ compilerOptions: { types: [] } }));
    flow = write("flow.ts", FLOW);
    helper = write("pick.ts", RANDOM);
  });

  it("gives a module's findings, the calls that carry, and the files that it depends on", () => {
    const report = open().module(flow, FLOW);
    expect(report.reported.map((one) => one.finding.rule)).toEqual(["no-nondeterminism"]);
    expect(report.calls.map(({ span: [start, end] }) => FLOW.slice(start, end))).toEqual([
      FLOW.slice(FLOW.indexOf("workflow({"), FLOW.lastIndexOf(";")),
    ]);
    expect(report.dependsOn).toEqual([helper]);
  });

  it("believes the text that it is given, before what is on disk", () => {
    const session = open();
    expect(rules(session, flow, FLOW.replace("pick()", "1"))).toEqual([]);
    expect(rules(session, flow, FLOW)).toEqual(["no-nondeterminism"]);
  });

  it("looks again when a file that a workflow reaches changes, and only then", () => {
    const session = open();
    expect(rules(session, flow, FLOW)).toEqual(["no-nondeterminism"]);
    const before = session.solved;
    session.changed(write("unrelated.ts", "export const x = 1;\n"), "update");
    expect(rules(session, flow, FLOW)).toEqual(["no-nondeterminism"]);
    expect(session.solved).toBe(before);
    session.changed(write("pick.ts", PURE), "update");
    expect(rules(session, flow, FLOW)).toEqual([]);
  });

  it("solves again only the workflows that an edit can concern, and emits the manifest of all", () => {
    const other = write("other.ts", FLOW.replace("./pick", "./choose").replace("triage", "sort"));
    write("choose.ts", PURE);
    const session = open();
    expect(session.module(flow, FLOW).dependsOn).toEqual([helper]);
    expect(session.solved).toBe(2);
    session.changed(write("choose.ts", RANDOM), "update");
    expect(rules(session, other, FLOW.replace("./pick", "./choose").replace("triage", "sort"))).toEqual([
      "no-nondeterminism",
    ]);
    expect(session.solved).toBe(3);
    expect(session.manifestText()).toBe(open().manifestText());
    expect(session.manifestText()).toContain('"triage"');
  });

  it("names among what a module depends on the files that its types come from, and the one that names it", () => {
    const types = write("made.ts", "export interface Made { at: number }\n");
    write("pick.ts", 'import type { Made } from "./made";\nexport declare const pick: () => Made;\n');
    const registry = write(
      "registry.ts",
      'import { setup } from "@rivet-dev/workflows";\nimport { triage } from "./flow";\nexport const registry = setup({ use: { named: triage } });\n',
    );
    const text = FLOW.replace("const who = pick();", "").replace("who)", "pick())");
    const session = open();
    expect(session.module(flow, text).dependsOn).toEqual([types, helper, registry]);
    session.changed(write("made.ts", "export interface Made { at: () => void }\n"), "update");
    expect(rules(session, flow, text)).toEqual(["serializable-values"]);
  });

  it("looks again when a new file can be what an import was waiting for", () => {
    rmSync(helper);
    const session = open();
    expect(rules(session, flow, FLOW)).toEqual([]);
    session.changed(write("pick.ts", RANDOM), "create");
    expect(rules(session, flow, FLOW)).toEqual(["no-nondeterminism"]);
  });

  it("sees at a refresh what was changed meanwhile, and solves nothing again when nothing was", () => {
    const session = open();
    expect(rules(session, flow, FLOW)).toEqual(["no-nondeterminism"]);
    const before = session.solved;
    session.refresh();
    expect(rules(session, flow, FLOW)).toEqual(["no-nondeterminism"]);
    expect(session.solved).toBe(before);
    write("pick.ts", PURE);
    session.refresh();
    expect(rules(session, flow, FLOW)).toEqual([]);
  });

  it("looks at a workflow that the tsconfig does not name", () => {
    write("tsconfig.json", JSON.stringify({ compilerOptions: { types: [] }, files: ["pick.ts"] }));
    expect(rules(open(), flow, FLOW)).toEqual(["no-nondeterminism"]);
    expect(told).toEqual([]);
  });

  it("tells a broken tsconfig once, and goes on", () => {
    write("tsconfig.json", "{ broken");
    const session = open();
    session.module(flow, FLOW);
    session.module(flow, `${FLOW}\n`);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("tsconfig.json can't be used");
  });

  it("keeps silent what the baseline of the config knows", () => {
    const { reported } = check({ cwd: root });
    const files = {
      text: (file: string) => (file === "flow.ts" ? FLOW : RANDOM),
      name: (file: string) => file,
    };
    write(
      "known.json",
      JSON.stringify(
        makeBaseline(
          reported.map((one) => one.diagnostic),
          files,
        ),
      ),
    );
    const config = { ...NO_CONFIG, path: join(root, "stepproof.config.json"), baseline: "known.json" };
    expect(rules(open({ config }), flow, FLOW)).toEqual([]);
    expect(rules(open(), flow, FLOW)).toEqual(["no-nondeterminism"]);
  });

  it("leaves out a module of millions of characters, and says so once", () => {
    const session = open();
    const huge = `${FLOW}// ${"x".repeat(2_000_000)}\n`;
    expect(rules(session, flow, huge)).toEqual([]);
    expect(rules(session, flow, huge)).toEqual([]);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/flow\.ts is left out: it has 2000\d+ characters/);
  });
});
