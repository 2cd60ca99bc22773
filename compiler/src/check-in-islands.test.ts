import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openResultCache } from "./cache/result-cache.js";
import { checkInIslands, type IslandReport } from "./check-in-islands.js";
import { check, toCheckReport } from "./check.js";
import { NODE_DISK, type Disk } from "./host/disk.js";
import type { CheckReport } from "./report/check-report.js";

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
        this.kept = result.islands.filter((one) => earlier?.result.islands.includes(one)).length;
        return Promise.resolve(result);
      },
    );
    return this.last.report;
  }

  cold(): CheckReport {
    return toCheckReport(check({ ...request, disk: diskOf(this.files) }), ROOT, 0);
  }

  get islands(): readonly string[] {
    return (this.last?.islands ?? []).map(({ roots }) =>
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

  const wholly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "the registry": {
      "src/registry.ts": APP["src/registry.ts"].replace("orders: order, mails: mail", "a: mail, b: order"),
    },
    "code that now belongs to another island too": {
      "src/price.ts": 'import { subject } from "./subject.js"; export const price = () => subject();',
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
    ).toBe(0);
    expect(project.islands).toEqual(["mail.ts order.ts", "registry.ts"]);
  });

  it("about which the type checker was asked are looked at again whatever changed", async () => {
    project.write({
      "src/order.ts": flow(
        "order",
        'await ctx.step("clock", async () => make());',
        'import { make } from "./price.js";',
      ),
      "src/price.ts": 'import type { Made } from "./made.js"; export declare function make(): Made;',
      "src/made.ts": "export interface Base { a: number } export interface Made extends Base { b: string }",
    });
    expect(
      await keptAfter({
        "src/made.ts":
          "export interface Base { a: () => void } export interface Made extends Base { b: string }",
      }),
    ).toBe(2);
    expect(project.cold().diagnostics.map(({ rule }) => rule)).toEqual(["serializable-values"]);
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
  into.write({ [path]: text });
}

const RUNS = Number(process.env["STEPPROOF_FUZZ_RUNS"] ?? 40);

describe("a warm check", () => {
  it(
    "of a project that is edited at random says to the byte what a cold one says",
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
        pick: fc.nat(9),
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
            for (const edit of edits) {
              put(edited, edit);
              expect(JSON.stringify(await edited.warm())).toBe(JSON.stringify(edited.cold()));
              kept += edited.kept;
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
