import { describe, expect, it } from "vitest";
import type { Manifest } from "./format.js";
import { diffManifests } from "./diff.js";
import { ManifestError } from "./manifest-error.js";
import { readManifest } from "./read-manifest.js";
import { hashWorkflow, writeManifest } from "./write-manifest.js";
import {
  atLeast,
  each,
  join,
  loop,
  manifest,
  message,
  removed,
  sleep,
  step,
  tryBlock,
  version,
} from "./testing/build.js";
import type { Block, WorkflowManifest } from "./format.js";

/** With the hash that its content has. */
function sealed(body: Block, more: Partial<WorkflowManifest> = {}): Manifest {
  const made = manifest(body, more);
  const workflows = Object.entries(made.workflows).map(([name, workflow]) => [
    name,
    { ...workflow, hash: hashWorkflow(workflow) },
  ]);
  return { ...made, workflows: Object.fromEntries(workflows) as Manifest["workflows"] };
}

const full = sealed(
  [
    version("g", 2),
    atLeast("g", 2, [step("new", { options: { timeout: 5 } })], [removed("old", "step")]),
    loop("l", [message("w", { timeout: "yes" }), each("items", [step("do-${i}")])]),
    tryBlock("t", [join("j", { a: [sleep("s")], b: [] })]),
  ],
  { queues: { orders: { bodyType: "string", responseType: null } } },
);

const READS = { entries: ["charge.status"], ways: [{ native: "0123" }] };

/** One of everything that is decided by data. */
const DECIDING: Block = [
  {
    kind: "choice",
    guard: { text: "v1 > 3", source: "recorded", gate: null, reads: READS },
    arms: [[step("big")], []],
  },
  { ...step("do"), name: ["do-", { hole: "v1", perIteration: false, reads: READS }] },
  {
    kind: "repeat",
    guard: { text: "v1", source: "recorded", gate: null, reads: READS },
    times: null,
    body: [],
  },
  {
    kind: "join",
    name: ["j"],
    open: true,
    reads: READS,
    branches: [
      {
        name: ["b"],
        body: [
          {
            kind: "choice",
            guard: { text: "v1", source: "recorded", gate: null, reads: READS },
            arms: [[step("in")], []],
          },
        ],
      },
    ],
  },
  message("w", { timeout: "maybe", reads: READS }),
  atLeast("g", 2, [step("new")], []),
];

/** The text that format 1 had for it. */
function asFormat1(now: Manifest): string {
  const old = JSON.parse(
    JSON.stringify({ ...now, formatVersion: 1 }),
    function (this: object, key, value: unknown) {
      if (key !== "reads") return value;
      if ("text" in this) Object.assign(this, { asks: READS.entries });
      return undefined;
    },
  ) as Manifest;
  for (const workflow of Object.values(old.workflows))
    Object.assign(workflow, { hash: hashWorkflow(workflow) });
  return JSON.stringify(old);
}

function failure(text: string): ManifestError {
  try {
    readManifest(text);
  } catch (error) {
    if (error instanceof ManifestError) return error;
    throw error;
  }
  throw new Error("was read without an error");
}

function edited(change: (document: Record<string, unknown>) => void): string {
  const document = JSON.parse(writeManifest(full)) as Record<string, unknown>;
  change(document);
  return JSON.stringify(document);
}

describe("writing", () => {
  it("gives back what was written", () => {
    expect(readManifest(writeManifest(full))).toEqual(full);
  });

  it("shares what a manifest read before has just so, and checks the rest", () => {
    const known = readManifest(writeManifest(full));
    const added = edited((document) => {
      const workflows = document["workflows"] as Record<string, WorkflowManifest>;
      const order = workflows["order"];
      if (order === undefined) throw new Error("no workflow");
      const other = { ...order, name: "a-new-one", hash: "" };
      document["workflows"] = { "a-new-one": { ...other, hash: hashWorkflow(other) }, ...workflows };
    });
    const read = readManifest(added, undefined, known);
    expect(read).toEqual(readManifest(added));
    expect(Object.keys(read.workflows)).toEqual(Object.keys(readManifest(added).workflows));
    expect(read.workflows["order"]).toBe(known.workflows["order"]);
    for (const change of [{ body: [] }, { hash: "0" }, { more: 1 }]) {
      const text = edited((document) => {
        Object.assign((document["workflows"] as Record<string, object>)["order"] ?? {}, change);
      });
      expect(() => readManifest(text, undefined, known)).toThrow(failure(text).message);
    }
  });

  it("does not depend on the order of keys", () => {
    const order = full.workflows["order"];
    if (order === undefined) throw new Error("no workflow");
    const turned = Object.fromEntries(Object.entries(order).reverse());
    expect(writeManifest({ ...full, workflows: { order: turned as unknown as WorkflowManifest } })).toBe(
      writeManifest(full),
    );
  });

  it("ends with a newline and indents with two spaces", () => {
    expect(writeManifest(full)).toMatch(/^\{\n {2}"formatVersion": 2,\n[^]*\}\n$/);
  });

  it("leaves file and name out of the hash", () => {
    const order = full.workflows["order"];
    if (order === undefined) throw new Error("no workflow");
    expect(hashWorkflow({ ...order, file: "elsewhere.ts", name: "other" })).toBe(order.hash);
    expect(hashWorkflow({ ...order, stateType: "{}" })).not.toBe(order.hash);
  });

  it("refuses a manifest that holds itself", () => {
    const body: unknown[] = [];
    body.push({ kind: "inline", body });
    const held = { ...full, workflows: { order: { ...full.workflows["order"], body } } };
    expect(() => writeManifest(held as unknown as Manifest)).toThrow(/nested more than \d+ levels/);
  });
});

describe("reading bad input", () => {
  const text = writeManifest(full);

  it("says that a file is cut off, wherever it is", () => {
    for (const length of [0, 1, 10, text.length >> 1, text.length - 3]) {
      expect(failure(text.slice(0, length)).code).toBe("manifest_syntax");
    }
  });

  it.each([
    ["a list", "[]", "manifest_invalid"],
    ["another JSON file", '{"name":"x"}', "manifest_invalid"],
    ["null", "null", "manifest_invalid"],
  ])("refuses %s", (_what, content, code) => {
    expect(failure(content).code).toBe(code);
  });

  it("names the version that is too new and who wrote it", () => {
    const error = failure(edited((document) => (document["formatVersion"] = 7)));
    expect(error.code).toBe("manifest_too_new");
    expect(error.message).toContain("format version 7 (written by test)");
  });

  it("upgrades an older version step by step", () => {
    const old = edited((document) => {
      document["formatVersion"] = -1;
      delete document["tool"];
    });
    const read = readManifest(old, {
      [-1]: (document) => ({ ...document, tool: "old" }),
      0: (document) => document,
      1: (document) => document,
    });
    expect(read.tool).toBe("old");
    expect(read.formatVersion).toBe(2);
    expect(failure(old).code).toBe("manifest_too_old");
  });

  it("reads format 1 as one that does not say how anything is computed", () => {
    const told = readManifest(asFormat1(sealed(DECIDING)));
    const unknown = { entries: [], ways: [] };
    const [choice, name, repeat, set, wait, gate] = told.workflows["order"]?.body ?? [];
    expect(choice).toMatchObject({ guard: { reads: { entries: ["charge.status"], ways: [] } } });
    expect(name).toMatchObject({ name: ["do-", { reads: unknown }] });
    const guard = { reads: { entries: ["charge.status"], ways: [] } };
    expect(repeat).toMatchObject({ guard });
    expect(set).toMatchObject({ reads: unknown, branches: [{ body: [{ guard }] }] });
    expect(wait).toMatchObject({ reads: unknown });
    expect(gate).not.toHaveProperty("guard.reads");
    // Read again it is the same, and its hash fits.
    expect(readManifest(writeManifest(told))).toEqual(told);
  });

  it("takes no condition of format 1 for one that is known now", () => {
    const now = sealed([...DECIDING, step("last")]);
    const old = readManifest(asFormat1(now));
    expect(diffManifests(now, now).verdict).toBe("identical");
    expect(diffManifests(old, now).verdict).toBe("risky");
  });

  it("tells an edit of a manifest of format 1", () => {
    const text = asFormat1(sealed(DECIDING)).replace('"do-"', '"did-"');
    expect(failure(text).code).toBe("manifest_edited");
    for (const [from, to] of [
      ['"workflows":{', '"workflows":[],"x":{'],
      ['"body":[', '"body":[3,null,{"name":7,"guard":4,"arms":[1],"branches":[2]},'],
      ['"functions":{}', '"functions":3'],
    ] as const)
      expect(failure(asFormat1(sealed(DECIDING)).replace(from, to)).code).toMatch(
        /^manifest_(invalid|edited)$/,
      );
  });

  it("names the place of a wrong value, an unknown member and an unknown kind", () => {
    const change = (edit: (node: Record<string, unknown>) => void): ManifestError =>
      failure(
        edited((document) => {
          const workflows = document["workflows"] as Record<string, { body: Record<string, unknown>[] }>;
          const node = workflows["order"]?.body[2];
          if (node !== undefined) edit(node);
        }),
      );
    expect(change((node) => (node["pruneInterval"] = -1)).message).toBe(
      "$.workflows.order.body[2].pruneInterval must be a whole number from 0, not -1.",
    );
    expect(change((node) => (node["x"] = 1)).at).toBe("$.workflows.order.body[2].x");
    expect(change((node) => (node["kind"] = "__proto__")).at).toBe("$.workflows.order.body[2].kind");
    expect(change((node) => delete node["body"]).message).toMatch(/body must be a list, not missing/);
  });

  it("tells that the content was edited by hand", () => {
    const error = failure(text.replace('"do-"', '"did-"'));
    expect(error.code).toBe("manifest_edited");
    expect(error.message).toContain("stepproof manifest");
  });

  it("tells a key that stands twice", () => {
    const twice = text.replace('"workflows": {', '"workflows": {\n"order": 1,');
    expect(failure(twice).at).toBe("$.workflows.order");
  });

  it("refuses a call of a function that is not there", () => {
    expect(failure(writeManifest(sealed([{ kind: "call", to: "gone" }]))).message).toContain('calls "gone"');
  });

  it("refuses what is nested too deep, without running out of stack", () => {
    const deep = `{"formatVersion":1,"tool":"t","workflows":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`;
    expect(failure(deep).code).toMatch(/manifest_(invalid|too_deep)/);
    let body: Block = [];
    for (let i = 0; i < 300; i++) body = [{ kind: "inline", body }];
    const document = {
      formatVersion: 1,
      tool: "t",
      workflows: { order: { ...full.workflows["order"], body } },
    };
    expect(failure(JSON.stringify(document)).code).toBe("manifest_too_deep");
  });
});

describe("hostile names", () => {
  const NAMES = [
    "__proto__",
    "constructor",
    "toString",
    "",
    "a\nb",
    'q"uote',
    "x".repeat(1_000_000),
    "~0",
    "a/b",
    "w:count",
  ];

  it("are kept as they are and told apart", () => {
    const body = NAMES.map((name) => ({ ...step("x"), name: [name] }));
    const made = sealed(body);
    const read = readManifest(writeManifest(made));
    expect(read).toEqual(made);
    const diff = diffManifests(read, sealed([{ ...step("first"), name: ["first"] }, ...body]));
    expect(diff.verdict).toBe("breaking");
  });

  it("can name workflows and queues", () => {
    const queues = Object.fromEntries(
      NAMES.map((name) => [name, { bodyType: "string", responseType: null }]),
    );
    const made = NAMES.map((name) => {
      const workflow = sealed([step("a")], { name, queues }).workflows[name];
      if (workflow === undefined) throw new Error("no workflow");
      return [name, workflow];
    });
    const document: Manifest = { ...full, workflows: Object.fromEntries(made) as Manifest["workflows"] };
    const read = readManifest(writeManifest(document));
    expect(Object.keys(read.workflows).sort()).toEqual([...NAMES].sort());
    expect(diffManifests(read, document).verdict).toBe("identical");
    expect(diffManifests(read, { ...document, workflows: {} }).workflows.map((one) => one.name)).toEqual(
      [...NAMES].sort(),
    );
  });
});

describe("large scopes", () => {
  const many = (count: number): Block => Array.from({ length: count }, (_, index) => step(`s${index}`));

  it("10,000 entries in one scope are compared without a hang", () => {
    const old = sealed(many(10_000));
    const now = sealed([...many(10_000).slice(0, 5000), step("new"), ...many(10_000).slice(5000)]);
    const diff = diffManifests(old, now);
    expect(diff.verdict).toBe("breaking");
    expect(diff.workflows[0]?.changes[0]?.path).toEqual(["new"]);
  });

  it("forty guards in a row do not make an exponential search", () => {
    const guards = (more: Block): Block => [
      ...Array.from({ length: 40 }, (_, index) => ({
        kind: "choice" as const,
        guard: { text: `c${index}`, source: "recorded" as const, gate: null },
        arms: [[step(`a${index}`)], [step(`b${index}`)]],
      })),
      ...more,
    ];
    expect(diffManifests(sealed(guards([])), sealed(guards([step("end")]))).verdict).toBe("safe");
    expect(diffManifests(sealed(guards([])), sealed([step("new"), ...guards([])])).verdict).toBe("breaking");
  });
});
