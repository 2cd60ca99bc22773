import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { analyze, hostOfRequest } from "./analyze.js";
import { openResultCache } from "./cache/result-cache.js";
import { checkInIslands, type IslandReport } from "./check-in-islands.js";
import { check, toCheckReport } from "./check.js";
import { NO_CONFIG } from "./config.js";
import { NODE_DISK, type Disk } from "./host/disk.js";
import { ProjectMemory } from "./host/project-memory.js";
import { KeptCheck, type Look } from "./kept-check.js";
import type { CheckReport } from "./report/check-report.js";
import { callsThatCarry, carriedIn } from "./transform/carried-in.js";

const ROOT = "/app";
const request = { cwd: ROOT, paths: ["src"] };

/** A project in memory; TypeScript's own libs are read from the real disk. */
function diskOf(files: ReadonlyMap<string, string>): Disk {
  const isOurs = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`);
  return {
    read: (path) => (isOurs(path) ? files.get(path) : NODE_DISK.read(path)),
    kind: (path) => {
      if (!isOurs(path)) return NODE_DISK.kind(path);
      if (files.has(path)) return "file";
      return [...files.keys()].some((file) => file.startsWith(`${path}/`)) ? "folder" : null;
    },
    realpath: (path) => (isOurs(path) ? path : NODE_DISK.realpath(path)),
    list: (folder, ends) => {
      if (!isOurs(folder)) return NODE_DISK.list(folder, ends);
      const below = [...files.keys()]
        .filter((file) => file.startsWith(`${folder}/`))
        .map((file) => file.slice(folder.length + 1));
      return {
        files: below.filter((name) => !name.includes("/") && ends.some((end) => name.endsWith(end))).sort(),
        folders: [
          ...new Set(below.filter((name) => name.includes("/")).map((name) => name.split("/")[0]!)),
        ].sort(),
      };
    },
  };
}

/** A project that is checked again and again through the cache. */
class Project {
  readonly files = new Map<string, string>();
  /** Islands that the last check took over. */
  kept = 0;
  private last: IslandReport | null = null;
  private readonly memory = new ProjectMemory();
  private readonly check = new KeptCheck({ cwd: ROOT, config: NO_CONFIG, strict: false, carryFrom: ROOT });
  constructor(private readonly cacheFolder: string) {}

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) this.files.set(`${ROOT}/${path}`, text);
  }

  async warm(): Promise<CheckReport> {
    this.kept = 0;
    this.last = await openResultCache(this.cacheFolder, diskOf(this.files)).remember<IslandReport>(
      "check",
      (disk, earlier) => {
        const result = checkInIslands({ ...request, disk }, earlier);
        this.kept = result.standing.islands.filter((one) =>
          earlier?.result.standing.islands.includes(one),
        ).length;
        return Promise.resolve(result);
      },
    );
    return this.last.report;
  }

  cold(): CheckReport {
    return toCheckReport(check({ ...request, disk: diskOf(this.files) }), ROOT, 0);
  }

  remove(path: string): void {
    this.files.delete(`${ROOT}/${path}`);
  }

  /** As an editor or a development server looks at it again and again. */
  look(check = this.check): Look {
    return check.look(hostOfRequest({ ...request, disk: diskOf(this.files), memory: this.memory }));
  }

  /** What a cold look gives to be carried. */
  carried(): ReturnType<typeof carriedIn> {
    return carriedIn(analyze({ ...request, disk: diskOf(this.files) }), ROOT);
  }

  get islands(): readonly string[] {
    return (this.last?.standing.islands ?? []).map(({ roots }) =>
      roots.map((root) => root.slice(`${ROOT}/src/`.length)).join(" "),
    );
  }
}

const flow = (name: string, body: string, head = ""): string => `
  import { workflow } from "@stepproof/runtime";
  ${head}
  export const ${name} = workflow({ run: async (ctx) => { ${body} await ctx.step("a", async () => 1); } });`;

const APP = {
  "src/order.ts": flow("order", "price();", 'import { price } from "./price.js";'),
  "src/price.ts": "export const price = () => 1;",
  "src/mail.ts": flow("mail", "subject();", 'import { subject } from "./subject.js";'),
  "src/subject.ts": 'export const subject = () => "Hello";',
  "src/registry.ts": `import { setup } from "@stepproof/runtime";
    import { order } from "./order.js"; import { mail } from "./mail.js";
    export const registry = setup({ use: { orders: order, mails: mail } }); registry.start();`,
};

let folder: string;
let project: Project;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepproof-islands-"));
  project = new Project(folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Checks before and after a change; gives how many islands were kept. */
async function keptAfter(change: Readonly<Record<string, string>>): Promise<number> {
  await project.warm();
  project.write(change);
  expect(await project.warm()).toEqual(project.cold());
  return project.kept;
}

describe("islands", () => {
  beforeEach(() => {
    project.write(APP);
  });

  it("are files with workflows that share no code; a file that only lists workflows joins none", async () => {
    await project.warm();
    expect(project.islands).toEqual(["mail.ts", "order.ts", "registry.ts"]);
  });

  it("without the changed helper are taken over, also under the names that the registry gives", async () => {
    expect(await keptAfter({ "src/price.ts": "export const price = () => Date.now();" })).toBe(2);
    expect(project.cold().diagnostics.map(({ file }) => file)).toEqual(["src/order.ts"]);
    expect(project.cold().workflows.map(({ name }) => name)).toEqual(["mails", "orders"]);
  });

  it("are all taken over when no workflow reaches what changed", async () => {
    project.write({ "src/unused.ts": "export const x = 1;" });
    await project.warm();
    project.write({ "src/unused.ts": "export const x = Date.now();" });
    const report = await project.warm();
    expect([report, project.kept]).toEqual([project.cold(), 3]);
  });

  it("are not taken over without the note of what is left out now", async () => {
    project.write({ "src/huge.ts": "export const x = 1;" });
    await project.warm();
    project.write({ "src/huge.ts": `import "@stepproof/runtime"; // ${"x".repeat(2_000_000)}` });
    const report = await project.warm();
    expect(report).toEqual(project.cold());
    expect(report.notes).toEqual([expect.stringContaining("huge.ts is left out")]);
  });

  it("that a change brings together are looked at again as one", async () => {
    expect(
      await keptAfter({
        "src/price.ts": 'import { subject } from "./subject.js"; export const price = () => subject();',
      }),
    ).toBe(1); // the registry
    expect(project.islands).toContain("mail.ts order.ts");
  });

  const wholly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "the registry": {
      "src/registry.ts": APP["src/registry.ts"].replace("orders: order, mails: mail", "a: mail, b: order"),
    },
    "which files have workflows": { "src/third.ts": flow("third", "Date.now();") },
    "what holds no code": { "src/package.json": '{ "type": "commonjs" }' },
  };
  it.each(Object.entries(wholly))("are all looked at again after a change of %s", async (_, change) => {
    expect(await keptAfter(change)).toBe(0);
  });

  it("whose names come through a barrel that changed are looked at again", async () => {
    project.write({
      "src/all.ts":
        'export { order as first } from "./order.js"; export { mail as second } from "./mail.js";',
      "src/registry.ts": `import { setup } from "@stepproof/runtime"; import { first, second } from "./all.js";
        export const registry = setup({ use: { first, second } });`,
    });
    expect(
      await keptAfter({
        "src/all.ts":
          'export { order as second } from "./order.js"; export { mail as first } from "./mail.js";',
      }),
    ).toBe(0);
  });

  it("with a class of one name are one: rules know classes by their names", async () => {
    project.write({ "src/subject.ts": "class Same {} export const subject = () => new Same();" });
    expect(
      await keptAfter({
        "src/price.ts": "class Same extends Error {} export const price = () => new Same();",
      }),
    ).toBe(1);
    expect([...project.islands].sort()).toEqual(["mail.ts order.ts", "registry.ts"]);
  });

  describe("about which the type checker was asked", () => {
    const MADE = "export interface Base { a: number } export interface Made extends Base { b: string }";
    const HELD = MADE.replace("a: number", "a: () => void");
    beforeEach(() => {
      project.write({
        "src/order.ts": flow(
          "order",
          'await ctx.step("clock", async () => make());',
          'import { make } from "./price.js";',
        ),
        "src/price.ts": 'import type { Made } from "./made.js"; export declare function make(): Made;',
        "src/made.ts": MADE,
        "src/mail.ts": `${flow("mail", "subject();", 'import { subject } from "./subject.js";')}
          export const other = workflow({ run: async (ctx) => { await ctx.step("s", async () => word()); } });
          import type { Word } from "./word.js"; declare function word(): Word;`,
        "src/word.ts": "export type Word = string;",
      });
    });

    it("are looked at again when a file changes that the types come from, and no others are", async () => {
      expect(await keptAfter({ "src/made.ts": HELD })).toBe(2);
      expect(project.cold().diagnostics.map(({ rule }) => rule)).toEqual(["serializable-values"]);
    });

    it("are looked at again when a file declares something for all", async () => {
      project.write({ "src/made.ts": "export interface Made extends Everywhere { b: string }" });
      expect(
        await keptAfter({
          "src/subject.ts": `declare global { interface Everywhere { a: () => void } }
            export const subject = () => "Hello";`,
        }),
      ).toBe(1);
      expect(project.cold().diagnostics.map(({ rule }) => rule)).toEqual(["serializable-values"]);
    });

    it("are looked at again when something is called that any file may implement", async () => {
      project.write({
        "src/order.ts": flow("order", "price();", 'import { price } from "./price.js";'),
        "src/price.ts":
          'import type { Clock } from "./clock.js"; declare function clock(): Clock; export const price = () => clock().now();',
        "src/clock.ts": "export interface Clock { now(): number }",
        "src/mail.ts": flow("mail", "subject();", 'import { subject } from "./subject.js";'),
        "src/subject.ts": `import type { Clock } from "./clock.js";
          class Fixed { now() { return Date.now(); } } export const subject = () => new Fixed();`,
      });
      await project.warm();
      project.write({
        "src/subject.ts": `import type { Clock } from "./clock.js";
          class Fixed implements Clock { now() { return Date.now(); } } export const subject = () => new Fixed();`,
      });
      expect(await project.warm()).toEqual(project.cold());
      expect(project.cold().diagnostics.map(({ file }) => file)).toContain("src/order.ts");
    });
  });
});

describe("a kept check", () => {
  const PURE = "export const help = () => 1;";
  const many = Array.from({ length: 12 }, (_, at) => at);
  beforeEach(() => {
    for (const at of many)
      project.write({
        [`src/${at}/flow.ts`]: flow(`f${at}`, "help();", 'import { help } from "./helper.js";'),
        [`src/${at}/helper.ts`]: PURE,
      });
  });

  it("solves again the workflows that an edit can concern, and no others", () => {
    expect(project.look().solved).toBe(12);
    expect(project.look().solved).toBe(0);
    project.write({ "src/3/helper.ts": "export const help = () => Date.now();" });
    const { solved, reported } = project.look();
    expect([solved, reported.map(({ diagnostic }) => diagnostic.file)]).toEqual([1, ["src/3/flow.ts"]]);
    project.write({ "src/unrelated.ts": "export const x = 1;" });
    expect(project.look().solved).toBe(0);
  });

  it("solves only the workflows of a new file, and none when a file goes", () => {
    project.look();
    project.write({ "src/new.ts": flow("fresh", "Date.now();") });
    expect(project.look().solved).toBe(1);
    project.remove("src/4/flow.ts");
    const { solved, carried } = project.look();
    expect([solved, carried.length]).toEqual([0, 12]);
  });

  it("where mostly no look follows the first, keeps from the second on", () => {
    project.write({ "src/3/helper.ts": "export const help = () => Date.now();" });
    const late = new KeptCheck({
      ...{ cwd: ROOT, config: NO_CONFIG, strict: false, carryFrom: ROOT },
      keepsFirst: false,
    });
    const [first, ...others] = [1, 2, 3].map(() => {
      const { reported, carried, solved } = project.look(late);
      return { reported, carried, solved };
    });
    const { solved, ...found } = first!;
    expect(found).toMatchObject({ reported: [{ diagnostic: { file: "src/3/flow.ts" } }] });
    expect([...callsThatCarry(found.carried)]).toEqual([...project.carried()]);
    expect(others).toEqual([
      { ...found, solved },
      { ...found, solved: 0 },
    ]);
  });

  it("looks again at what waited for a file that is new, or had one that is gone", () => {
    project.remove("src/5/helper.ts");
    project.look();
    project.write({ "src/5/helper.ts": "export const help = () => Date.now();" });
    expect(project.look()).toMatchObject({
      solved: 1,
      reported: [{ diagnostic: { file: "src/5/flow.ts" } }],
    });
    project.remove("src/5/helper.ts");
    expect(project.look()).toMatchObject({ solved: 1, reported: [] });
  });

  it("names workflows of one name apart, also when only one of them was looked at again", () => {
    project.write({ "src/a.ts": flow("f3", "", ""), "src/3/helper.ts": "export const help = () => 2;" });
    project.look();
    project.write({ "src/3/helper.ts": "export const help = () => 3;" });
    const { carried, solved } = project.look();
    expect(solved).toBe(1);
    expect([...callsThatCarry(carried)]).toEqual([...project.carried()]);
    expect(JSON.stringify([...callsThatCarry(carried)])).toContain("f3#2");
  });
});

/** What a file of the random project can say, `I` being its feature and `J` another one. */
const SAYS = {
  helper: [
    "export const help = () => 1;",
    "export const help = () => Date.now();",
    "let count = 0; export const help = () => (count += 1);",
    'import { help as other } from "../J/helper.js"; export const help = () => other();',
    'import { shared } from "../shared.js"; export const help = () => shared("I");',
    "export class Made { n = 1 } export const help = () => new Made();",
    "export const help = (ctx?: any) => ctx?.step?.('x', async () => 1);",
    "// stepproof-ignore-next-line no-nondeterminism -- seldom\nexport const help = () => 2;",
    "export const help = ( => 1;",
    "export const helped = () => 1;",
  ],
  flow: [
    flow("fI", "help();", 'import { help } from "./helper.js";'),
    flow("fI", 'await ctx.step("b", async () => help());', 'import { help } from "./helper.js";'),
    flow("fI", "", "import type { T } from '../types.js';"),
    flow("fI", 'await ctx.step("t", async () => t());', "import { t } from '../types.js';"),
    `${flow("fI", "help();", 'import { help } from "./helper.js";')}\n${flow("gI", "Math.random();").replace(/import.*\n/, "")}`,
    "export const fI = 1;",
    'import type { WorkflowContextOf } from "@stepproof/runtime"; export const use = async (ctx: WorkflowContextOf<any>) => { Date.now(); await ctx.step("u", async () => 1); };',
  ],
  shared: [
    "export const shared = (a: string) => a;",
    "const seen = new Set<string>(); export const shared = (a: string) => seen.add(a);",
    "export const shared = (a: string) => a + Math.random();",
  ],
  types: [
    "export interface T { a: number } export const t = (): T => ({ a: 1 });",
    "interface B { f(): void } export interface T extends B { a: number } export declare function t(): T;",
  ],
  registry: [
    "",
    'import { setup } from "@stepproof/runtime"; import { f0 } from "./0/flow.js"; import { f1 } from "./1/flow.js"; export const r = setup({ use: { a: f0, b: f1 } });',
    'import { setup } from "@stepproof/runtime"; import { f0 } from "./0/flow.js"; import { f1 } from "./1/flow.js"; export const r = setup({ use: { b: f0, a: f1 } }); r.start();',
    'import { setup } from "@stepproof/runtime"; import { f2 } from "./2/flow.js"; const all = { c: f2 }; export const r = setup({ use: all });',
    'import { setup } from "@stepproof/runtime"; import { f0 } from "./0/flow.js"; import { help } from "./1/helper.js"; help(); export const r = setup({ use: { z: f0 } });',
  ],
} as const;
type Kind = keyof typeof SAYS;
const FEATURES = [0, 1, 2, 3];

/** Instead of a text: the file is deleted. */
const GONE = 10;

interface Choice {
  readonly kind: Kind;
  readonly feature: number;
  readonly other: number;
  readonly pick: number;
}

function put(into: Project, { kind, feature, other, pick }: Choice): void {
  const says = SAYS[kind][pick % SAYS[kind].length] ?? "";
  const text = says
    .replaceAll(/\bI\b|(?<=\b[fg])I\b/g, String(feature))
    .replaceAll("../J/", `../${other === feature ? (other + 1) % FEATURES.length : other}/`);
  const path = kind === "helper" || kind === "flow" ? `src/${feature}/${kind}.ts` : `src/${kind}.ts`;
  if (pick === GONE) into.remove(path);
  else into.write({ [path]: text });
}

const RUNS = Number(process.env["STEPPROOF_FUZZ_RUNS"] ?? 40);

describe("a warm check, and a kept one,", () => {
  it(
    "of a project that is edited at random say to the byte what a cold one says",
    { timeout: 60_000 + RUNS * 4_000 },
    async () => {
      let kept = 0;
      const choice = fc.record({
        kind: fc.constantFrom<Kind>(
          "helper",
          "helper",
          "helper",
          "flow",
          "flow",
          "shared",
          "types",
          "registry",
        ),
        feature: fc.constantFrom(...FEATURES),
        other: fc.constantFrom(...FEATURES),
        pick: fc.nat(GONE),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 12 }), async (edits) => {
          const cache = mkdtempSync(join(tmpdir(), "stepproof-islands-"));
          try {
            const edited = new Project(cache);
            for (const feature of FEATURES)
              for (const kind of ["helper", "flow"] as const)
                put(edited, { kind, feature, other: 0, pick: 0 });
            for (const kind of ["shared", "types", "registry"] as const)
              put(edited, { kind, feature: 0, other: 0, pick: 0 });
            await edited.warm();
            edited.look();
            for (const edit of edits) {
              put(edited, edit);
              const cold = edited.cold();
              expect(JSON.stringify(await edited.warm())).toBe(JSON.stringify(cold));
              kept += edited.kept;
              const { reported, carried } = edited.look();
              expect(reported.map(({ diagnostic }) => diagnostic)).toEqual(cold.diagnostics);
              expect([...callsThatCarry(carried)]).toEqual([...edited.carried()]);
            }
          } finally {
            rmSync(cache, { recursive: true, force: true });
          }
        }),
        { numRuns: RUNS },
      );
      expect(kept, "islands were taken over").toBeGreaterThan(0);
    },
  );
});
