import { describe, expect, it } from "vitest";
import { incompatibilities } from "./compatibility.js";
import { diffManifests } from "./diff.js";
import type { Change } from "./diff-types.js";
import type {
  Block,
  GateRange,
  ManifestNode,
  NamePattern,
  Reading,
  Reads,
  WorkflowManifest,
} from "./format.js";
import { REPLAY_FLAGS } from "./replay-flags.js";
import type { pattern } from "./testing/build.js";
import {
  atLeast,
  checkpoint,
  each,
  exit,
  join,
  loop,
  manifest,
  message,
  race,
  removed,
  sleep,
  step,
  times,
  tryBlock,
  version,
  when,
} from "./testing/build.js";

type Verdict = "identical" | "safe" | "risky" | "breaking";
interface Pair {
  readonly title: string;
  readonly old: Block;
  readonly now: Block;
  /** Old to new, and new to old. */
  readonly there: Verdict;
  readonly back: Verdict;
  /** The kind of the worst change, old to new. */
  readonly kind: Change["kind"];
  readonly options?: { readonly old?: Partial<WorkflowManifest>; readonly now?: Partial<WorkflowManifest> };
}

const numbered = (name: string, count: number): ReturnType<typeof pattern> => [
  name,
  { hole: "n", perIteration: true, values: Array.from({ length: count }, (_, index) => String(index)) },
];

const PAIRS: readonly Pair[] = [
  {
    title: "step added at the end",
    old: [step("a")],
    now: [step("a"), step("b")],
    there: "safe",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "step added before recorded ones",
    old: [step("a"), sleep("s")],
    now: [step("new"), step("a"), sleep("s")],
    there: "breaking",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "step added in an arm",
    old: [step("load"), when("x", [step("a"), sleep("s")]), step("end")],
    now: [step("load"), when("x", [step("new"), step("a"), sleep("s")]), step("end")],
    there: "breaking",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "step added in a loop body",
    old: [loop("l", [step("pulse"), sleep("rest"), step("note")])],
    now: [loop("l", [step("warm-up"), step("pulse"), sleep("rest"), step("note")])],
    there: "breaking",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "loop body gated",
    old: [loop("l", [step("pulse"), sleep("rest")])],
    now: [loop("l", [version("g", 2), atLeast("g", 2, [step("warm-up")]), step("pulse"), sleep("rest")])],
    there: "safe",
    back: "breaking",
    kind: "gate-added",
  },
  {
    title: "step inserted behind a gate",
    old: [step("copy"), sleep("settle"), step("publish")],
    now: [version("g", 2), atLeast("g", 2, [step("schema")]), step("copy"), sleep("settle"), step("publish")],
    there: "safe",
    back: "breaking",
    kind: "gate-added",
  },
  {
    title: "sleep moved earlier",
    old: [step("boil"), sleep("steep"), step("pour")],
    now: [sleep("steep"), step("boil"), step("pour")],
    there: "safe",
    back: "breaking",
    kind: "entry-moved",
  },
  {
    title: "two steps swapped",
    old: [step("a"), step("b"), sleep("s")],
    now: [step("b"), step("a"), sleep("s")],
    there: "breaking",
    back: "breaking",
    kind: "entry-moved",
  },
  {
    title: "step renamed",
    old: [step("a"), sleep("s")],
    now: [step("a2", { body: "body of a" }), sleep("s")],
    there: "breaking",
    back: "breaking",
    kind: "entry-renamed",
  },
  {
    title: "renamed and declared first",
    old: [step("v1"), sleep("grace")],
    now: [
      removed("v1", "step"),
      removed("grace", "sleep"),
      step("v2", { body: "body of v1" }),
      sleep("grace-v2"),
    ],
    there: "safe",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "kind changed",
    old: [sleep("a"), step("b")],
    now: [checkpoint("a"), step("b")],
    there: "breaking",
    back: "breaking",
    kind: "entry-kind-changed",
  },
  {
    title: "removed with the wrong kind",
    old: [sleep("warm-up"), step("shine")],
    now: [removed("warm-up", "step"), step("shine")],
    there: "breaking",
    back: "breaking",
    kind: "removed-wrong-kind",
  },
  {
    title: "checkpoint added",
    old: [step("reserve"), sleep("s")],
    now: [checkpoint("c"), step("reserve"), sleep("s")],
    there: "safe",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "try block renamed",
    old: [tryBlock("payment", [step("charge")]), sleep("settle")],
    now: [tryBlock("card-payment", [step("charge")]), sleep("settle")],
    there: "breaking",
    back: "breaking",
    kind: "entry-renamed",
  },
  {
    title: "endless loop renamed",
    old: [loop("count", [step("bump"), sleep("pace")])],
    now: [loop("counter", [step("bump"), sleep("pace")])],
    there: "breaking",
    back: "breaking",
    kind: "entry-renamed",
  },
  {
    title: "steps wrapped in a try block",
    old: [step("charge"), sleep("s")],
    now: [tryBlock("t", [step("charge")]), sleep("s")],
    there: "breaking",
    back: "breaking",
    kind: "entry-moved-to-scope",
  },
  {
    title: "steps wrapped in a join",
    old: [step("a"), step("b"), sleep("s")],
    now: [join("both", { a: [step("a")], b: [step("b")] }), sleep("s")],
    there: "breaking",
    back: "breaking",
    kind: "entry-moved-to-scope",
  },
  {
    title: "native loop became a loop",
    old: [times(3, "n<3", [step("poll-${n}"), sleep("wait-${n}")])],
    now: [loop("polls", [when("n>=3", [exit("loop_break")]), step("poll"), sleep("wait")])],
    there: "breaking",
    back: "breaking",
    kind: "entry-removed",
  },
  {
    title: "native loop unrolled",
    old: [times(2, "n<2", [step("poll", { name: numbered("poll-", 2) })]), sleep("s")],
    now: [step("poll-0"), step("poll-1"), sleep("s")],
    there: "safe",
    back: "safe",
    kind: "entry-removed",
  },
  {
    title: "branches reordered",
    old: [join("pair", { left: [step("go")], right: [sleep("late"), step("go")] }), step("store")],
    now: [join("pair", { right: [sleep("late"), step("go")], left: [step("go")] }), step("store")],
    there: "safe",
    back: "safe",
    kind: "entry-added",
  },
  {
    title: "branch added to a join",
    old: [join("pair", { left: [step("a")] }), step("store")],
    now: [join("pair", { left: [step("a")], right: [step("b")] }), step("store")],
    there: "breaking",
    back: "breaking",
    kind: "branches-changed",
  },
  {
    title: "branch added to a race",
    old: [race("first", { left: [step("a")] })],
    now: [race("first", { left: [step("a")], right: [sleep("b")] })],
    there: "breaking",
    back: "breaking",
    kind: "branches-changed",
  },
  {
    title: "step added in a branch",
    old: [join("pair", { left: [step("a"), sleep("s")], right: [sleep("r")] })],
    now: [join("pair", { left: [step("new"), step("a"), sleep("s")], right: [sleep("r")] })],
    there: "breaking",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "timeout of a wait dropped",
    old: [message("w", { timeout: "yes" }), sleep("echo"), step("count")],
    now: [message("w"), sleep("echo"), step("count")],
    there: "breaking",
    back: "safe",
    kind: "queue-timeout-changed",
  },
  {
    title: "wait removed and declared",
    old: [message("w", { timeout: "yes" }), sleep("pack"), step("ship")],
    now: [removed("w", "message"), sleep("pack"), step("ship")],
    there: "safe",
    back: "breaking",
    kind: "entry-declared-removed",
  },
  {
    title: "queues of a wait changed",
    old: [message("w", { queues: ["a"] })],
    now: [message("w", { queues: ["b"] })],
    there: "risky",
    back: "risky",
    kind: "queue-names-changed",
  },
  {
    title: "loop removed and declared",
    old: [loop("rub", [when("n>=2", [exit("loop_break")]), step("stroke"), sleep("gap")]), step("shine")],
    now: [removed("rub", "loop"), step("shine")],
    there: "safe",
    back: "breaking",
    kind: "entry-declared-removed",
  },
  {
    title: "condition changed",
    old: [step("load"), when("amount > 500", [step("senior")], [step("junior")]), sleep("s")],
    now: [step("load"), when("amount > 1000", [step("senior")], [step("junior")]), sleep("s")],
    there: "risky",
    back: "risky",
    kind: "condition-changed",
  },
  {
    title: "early return added",
    old: [step("load"), step("a"), step("b")],
    now: [step("load"), when("stop", [exit("return")]), step("a"), step("b")],
    there: "risky",
    back: "safe",
    kind: "condition-changed",
  },
  {
    title: "gate deleted",
    old: [version("g", 2), atLeast("g", 2, [step("v2")], [step("v1")]), sleep("s")],
    now: [step("v2"), sleep("s")],
    there: "breaking",
    back: "breaking",
    kind: "gate-removed",
  },
  {
    title: "gate retired",
    old: [version("g", 2), atLeast("g", 2, [step("v2")], [step("v1")]), sleep("s")],
    now: [removed("g", "version_check"), step("v2"), sleep("s")],
    there: "safe",
    back: "breaking",
    kind: "gate-retired",
  },
  {
    title: "old arm of a gate deleted",
    old: [version("g", 2), atLeast("g", 2, [step("v2")], [step("v1")]), sleep("s")],
    now: [version("g", 2), step("v2"), sleep("s")],
    there: "risky",
    back: "risky",
    kind: "entry-removed",
  },
  {
    title: "gate raised with a new arm",
    old: [version("g", 2), atLeast("g", 2, [step("v2")], [step("v1")]), sleep("s")],
    now: [
      version("g", 3),
      atLeast("g", 3, [step("v3")], [atLeast("g", 2, [step("v2")], [step("v1")])]),
      sleep("s"),
    ],
    there: "safe",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "items over data: step added behind each",
    old: [each("items", [step("do-${i}")]), step("end")],
    now: [each("items", [step("do-${i}"), step("log-${i}")]), step("end")],
    there: "breaking",
    back: "breaking",
    kind: "entry-added",
  },
  {
    title: "output type changed and used",
    old: [step("quote", { outputType: "{ price: number; }" }), sleep("s")],
    now: [step("quote", { outputType: "{ amount: number; }", outputUsed: true }), sleep("s")],
    there: "risky",
    back: "safe",
    kind: "output-type-changed",
  },
  {
    title: "loop state changed",
    old: [loop("l", [step("a")], { stateType: "{ floor: number; }" })],
    now: [loop("l", [step("a")], { stateType: "{ position: { floor: number; }; }" })],
    there: "risky",
    back: "risky",
    kind: "loop-state-type-changed",
  },
  {
    title: "options and body changed",
    old: [step("ping"), sleep("s")],
    now: [step("ping", { options: { maxRetries: 8 }, body: "other" }), sleep("s")],
    there: "safe",
    back: "safe",
    kind: "step-body-changed",
  },
  {
    title: "queue removed",
    old: [step("a")],
    now: [step("a")],
    options: { old: { queues: { orders: { bodyType: "string", responseType: null } } } },
    there: "risky",
    back: "safe",
    kind: "queue-removed",
  },
  {
    title: "actor state changed",
    old: [step("a")],
    now: [step("a")],
    options: { old: { stateType: "{ a: string; }" }, now: { stateType: "{ a: number; }" } },
    there: "risky",
    back: "risky",
    kind: "state-type-changed",
  },
];

describe("a change of each kind, in both directions", () => {
  it.each(PAIRS)("$title: $there / $back", ({ old, now, there, back, kind, options }) => {
    const [before, after] = [manifest(old, options?.old), manifest(now, options?.now)];
    const forward = diffManifests(before, after);
    const backward = diffManifests(after, before);
    const explain = JSON.stringify([forward.workflows[0]?.changes, backward.workflows[0]?.changes], null, 1);
    expect([forward.verdict, backward.verdict], explain).toEqual([there, back]);
    if (there !== "safe") expect(forward.workflows[0]?.changes[0]?.kind, explain).toBe(kind);
    for (const change of forward.workflows[0]?.changes ?? []) {
      expect(change.kind, explain).not.toBe("history-refused");
      if (change.level === "breaking") expect(change.witness, explain).not.toBeNull();
      if (change.level === "breaking") expect(change.remedy, explain).not.toBeNull();
    }
  });

  it.each(PAIRS)("$title: nothing changes against itself", ({ old, now }) => {
    for (const body of [old, now])
      expect(diffManifests(manifest(body), manifest(body)).verdict).toBe("identical");
  });
});

describe("the rules of the engines", () => {
  const old = manifest([step("v1")], { engine: "rivet-workflows-1" });
  const late: Block = [step("v2", { body: "new" }), removed("v1", "step")];

  it("1.0 refuses removed() after the new step, ours takes it", () => {
    expect(diffManifests(old, manifest(late, { engine: "rivet-workflows-1" })).verdict).toBe("breaking");
    expect(
      diffManifests(old, manifest(late), { engine: "stepproof" }).workflows[0]?.changes.map((c) => [
        c.kind,
        c.level,
      ]),
    ).toEqual([
      ["engine-changed", "risky"],
      ["entry-declared-removed", "safe"],
      ["entry-added", "safe"],
    ]);
  });

  it("the published engine has no check before a new step, so an inserted one is let through", () => {
    const before = manifest([step("a"), sleep("s")], { engine: "rivetkit-2" });
    const after = manifest([step("new"), step("a"), sleep("s")], { engine: "rivetkit-2" });
    expect(diffManifests(before, after).verdict).toBe("safe");
  });

  it("the published engine runs a renamed step again without a word", () => {
    const before = manifest([step("a"), sleep("s")], { engine: "rivetkit-2" });
    const after = manifest([step("b", { body: "body of a" }), sleep("s")], { engine: "rivetkit-2" });
    const [change] = diffManifests(before, after).workflows[0]?.changes ?? [];
    expect(change?.level).toBe("breaking");
    expect(change?.witness?.diverges).toBe(false);
    expect(change?.witness?.error).toMatch(/silently runs again/);
  });

  it("what runs again without a word is found behind what is only left out", () => {
    const before = manifest([sleep("s"), step("a"), sleep("rest")], { engine: "rivetkit-2" });
    const after = manifest([step("b", { body: "body of a" }), sleep("rest")], { engine: "rivetkit-2" });
    const changes = diffManifests(before, after).workflows[0]?.changes ?? [];
    expect(changes.map(({ kind, level }) => `${level} ${kind}`)).toContain("breaking entry-renamed");
  });
});

describe("choices that did not change", () => {
  const twoWays = (count: number): Block =>
    Array.from({ length: count }, (_, at) =>
      when(`c${at}`, [step(`one-${at}`)], [sleep(`two-${at}`), sleep(`three-${at}`)]),
    );
  const waits = loop("forever", [message("next")]);
  const runs = (old: Block, now: Block): number =>
    incompatibilities(workflowOf(old), workflowOf(now), REPLAY_FLAGS.stepproof).effort.runs;
  const workflowOf = (body: Block): WorkflowManifest => {
    const [workflow] = Object.values(manifest(body).workflows);
    if (workflow === undefined) throw new Error("The manifest has no workflow.");
    return workflow;
  };

  for (const count of [2, 4, 6, 9]) {
    it(`a new step in one of ${count} finds what is gone, though the other arm records more`, () => {
      const old = manifest([step("gone"), ...twoWays(count), waits]);
      const now = manifest([...twoWays(count), waits]);
      const [change] = diffManifests(old, now).workflows[0]?.changes ?? [];
      expect(change?.level).toBe("breaking");
      expect(change?.witness?.call?.path).toEqual(["one-0"]);
    });
  }

  for (const count of [2, 4, 5]) {
    it(`the history that shows a change behind ${count} is as small as any`, () => {
      const choices = Array.from({ length: count }, (_, at) =>
        when(`c${at}`, [step(`a${at}`), step(`b${at}`)]),
      );
      const old = manifest([...choices, step("x"), sleep("s")]);
      const now = manifest([...choices, step("new"), step("x"), sleep("s")]);
      const [change] = diffManifests(old, now).workflows[0]?.changes ?? [];
      expect(change?.level).toBe("breaking");
      expect(change?.witness?.history.entries.map(({ name }) => name)).toEqual(["x"]);
    });
  }

  it("are not combined with each other", () => {
    const body = (...first: Block): Block => [...first, ...twoWays(4), step("end"), waits];
    expect(runs(body(step("gone")), body())).toBeLessThanOrEqual(10);
  });

  it("are not taken for their fullest arm when that never ends: what follows is looked at", () => {
    const endless = when("c", [loop("forever", [step("a")])]);
    const rest = [1, 2, 3, 4, 5].map((at) => when(`d${at}`, [step(`s${at}`)]));
    const old = manifest([endless, ...rest, step("tail"), sleep("s")]);
    const now = manifest([endless, ...rest, step("new"), step("tail"), sleep("s")]);
    expect(diffManifests(old, now).verdict).toBe("breaking");
  });
});

describe("a try block that never ends by itself any more", () => {
  it("is passed where what it waits for is recorded: what follows is looked at", () => {
    const block = (...tail: Block): Block => [tryBlock("t", [loop("l", [step("a"), ...tail])])];
    const old = manifest([...block(when("done", [exit("loop_break")])), step("b"), sleep("s")]);
    const now = manifest([...block(), sleep("s")]);
    const [workflow] = diffManifests(old, now).workflows;
    expect(workflow?.changes.map(({ kind, level }) => `${level} ${kind}`)).toContain(
      "breaking entry-removed",
    );
  });
});

describe("how whatever decides is computed", () => {
  const reads = (...ways: readonly Reading[]): Reads => ({ entries: ["order.total"], ways });
  const asked = (native: string, then: Block): Block => {
    const made = when("v1 > 3", then);
    return [{ ...made, guard: { ...made.guard, reads: reads({ native }) } }];
  };
  const named = (native: string): NamePattern => [
    "x-",
    { hole: "v1", perIteration: false, reads: reads({ native }) },
  ];
  const verdict = (old: Block, now: Block): string => diffManifests(manifest(old), manifest(now)).verdict;

  it("one text computed in another way is another condition: what it lets through may not be reached", () => {
    const body = (native: string): Block => [...asked(native, [step("big")]), step("rest"), sleep("s")];
    expect(verdict(body("1"), body("2"))).toBe("risky");
    const [change] = diffManifests(manifest(body("1")), manifest(body("2"))).workflows[0]?.changes ?? [];
    expect(change?.kind).toBe("condition-changed");
    expect(change?.message).toContain("computed in another way now");
    expect(change?.witness?.because).toContain("v1 > 3");
  });

  it("does not matter where nothing recorded hangs on it", () => {
    const body = (native: string): Block => [step("a"), ...asked(native, [sleep("s")])];
    expect(verdict(body("1"), body("1"))).toBe("identical");
    expect(verdict([step("a")], [step("a"), ...asked("2", [step("late")])])).toBe("safe");
    const last = (native: string): Block => [loop("l", [...asked(native, [exit("loop_break")])]), sleep("s")];
    expect(verdict(last("1"), last("2"))).toBe("safe");
  });

  it("another text of one computation is the same condition", () => {
    const [old] = asked("1", [step("big")]);
    if (old?.kind !== "choice") throw new Error("a choice");
    const now = { ...old, guard: { ...old.guard, text: "isBig(v1)" } };
    expect(verdict([old, step("rest")], [now, step("rest"), sleep("s")])).toBe("safe");
  });

  it("a name that is built from other data may be another name", () => {
    const body = (native: string): Block => [step("a", { name: named(native) }), sleep("s")];
    expect(verdict(body("1"), body("2"))).toBe("risky");
    expect(verdict(body("1"), [...body("1"), step("b")])).toBe("safe");
  });

  it("two names of one text that are built from different data are two", () => {
    const both = [step("a", { name: named("1") }), step("a", { name: named("2") }), sleep("s")];
    expect(verdict(both, both.slice(1))).toBe("breaking");
    expect(verdict(both, [...both, step("b")])).toBe("safe");
  });

  it("a set of branches that is built in another way may be another set", () => {
    const set = (native: string): Block => {
      const made = join("j", { b: [step("s")] });
      return [{ ...made, open: true, reads: reads({ native }) }, sleep("z")];
    };
    expect(verdict(set("1"), [...set("1"), step("b")])).toBe("safe");
    expect(verdict(set("1"), set("2"))).toBe("risky");
  });

  it("a timeout that depends on other data may be there or not", () => {
    const wait = (native: string): Block => [
      message("w", { timeout: "maybe", reads: reads({ native }) }),
      step("a"),
    ];
    expect(verdict(wait("1"), wait("2"))).toBe("risky");
    expect(verdict(wait("1"), [...wait("1"), step("b")])).toBe("safe");
  });

  it("the number of turns of a native loop", () => {
    const turns = (native: string): Block => {
      const made = each("v1", [step("x-${i}")]);
      return [{ ...made, guard: { ...made.guard, reads: reads({ native }) } }, step("rest"), sleep("s")];
    };
    expect(verdict(turns("1"), turns("2"))).toBe("risky");
    expect(verdict(turns("1"), [...turns("1"), step("b")])).toBe("safe");
  });

  it("under the versions of a gate that old instances have", () => {
    const gated = (before: string): Block => {
      const made = when("v1 > 3", [step("big")]);
      const g = (from: number, to: number | null): GateRange[] => [{ name: ["g"], from, to }];
      const ways = [
        { native: "new", when: g(2, null) },
        { native: before, when: g(1, 1) },
      ];
      return [
        step("order"),
        version("g", 2),
        { ...made, guard: { ...made.guard, reads: reads(...ways) } },
        step("rest"),
        sleep("s"),
      ];
    };
    const old = [step("order"), ...asked("old", [step("big")]), step("rest"), sleep("s")];
    expect(verdict(old, gated("old"))).toBe("safe");
    expect(verdict(old, gated("other"))).toBe("risky");
  });
});

describe("behind a refusal", () => {
  const unsafe = (old: Block, now: Block): string[] =>
    (diffManifests(manifest(old), manifest(now)).workflows[0]?.changes ?? [])
      .filter(({ level }) => level !== "safe")
      .map(
        (one) => `${one.level} ${one.kind} ${one.path.join("/")}${one.witness === null ? " (behind)" : ""}`,
      )
      .sort();

  it("the next change of the scope is told in the same run", () => {
    expect(
      unsafe([step("a"), step("b"), sleep("s")], [step("x"), step("a"), step("y"), step("b"), sleep("s")]),
    ).toEqual(["breaking entry-added x", "breaking entry-added y (behind)"]);
    expect(unsafe([step("a"), step("b"), sleep("s")], [step("x"), step("a"), sleep("s")])).toEqual([
      "breaking entry-added x",
      "breaking entry-removed b",
    ]);
    expect(
      unsafe([step("a"), sleep("b"), step("c"), sleep("s")], [sleep("a"), step("b"), step("c"), sleep("s")]),
    ).toEqual(["breaking entry-kind-changed a", "breaking entry-kind-changed b (behind)"]);
  });

  it("changes of scopes that come later are told as well", () => {
    const old = [step("a"), loop("l", [step("x"), sleep("s")])];
    const now = [step("new"), step("a"), loop("l", [step("y"), step("x"), sleep("s")])];
    expect(unsafe(old, now)).toEqual(["breaking entry-added l/y (behind)", "breaking entry-added new"]);
  });

  it("nothing is told that is no change of its own", () => {
    expect(
      unsafe(
        [step("a"), step("b"), step("c"), sleep("s")],
        [step("x"), step("a"), step("b"), step("c"), sleep("s")],
      ),
    ).toEqual(["breaking entry-added x"]);
    expect(
      unsafe(
        [step("a"), loop("l", [step("x")])],
        [step("new"), step("a"), loop("l", [step("x"), step("y")])],
      ),
    ).toEqual(["breaking entry-added new"]);
    const gated = [step("new"), version("g", 2), atLeast("g", 2, [step("x")]), step("a"), sleep("s")];
    expect(unsafe([step("a"), sleep("s")], gated)).toEqual(["breaking entry-added new"]);
  });

  it("at one place, what is left when the first entry is declared removed is told", () => {
    const last = [step("a"), step("gone"), when("v1", [step("b"), sleep("s")], [sleep("t")])];
    const declared = [step("a"), when("v1", [step("b"), sleep("s")], [removed("t", "sleep")])];
    const misplaced = [step("a"), when("v1", [removed("t", "sleep"), step("b"), sleep("s")])];
    expect(unsafe(last, declared)).toEqual(["breaking entry-removed gone"]);
    expect(unsafe(last, misplaced)).toEqual([
      "breaking entry-declared-removed t (behind)",
      "breaking entry-removed gone",
    ]);
    expect(unsafe([step("gone"), step("b"), sleep("s")], [step("x"), step("b"), sleep("s")])).toEqual([
      "breaking entry-added x (behind)",
      "breaking entry-removed gone",
    ]);
  });

  it("each turn of a native loop is blamed for its own refusal", () => {
    const turns = step("turn", { name: numbered("turn-", 2) });
    const old = [step("a"), times(2, "n<2", [turns]), when("v1", [step("b"), sleep("s")])];
    const now = [step("a"), when("v1", [removed("turn-0", "step"), step("b"), sleep("s")])];
    expect(unsafe(old, now)).toEqual([
      "breaking entry-declared-removed turn-0",
      "breaking entry-removed turn-1",
    ]);
    expect(
      diffManifests(manifest(old), manifest(now)).workflows[0]?.changes.map(({ message }) => message),
    ).toContain('step "turn-1" is gone, and no ctx.removed() says so');
  });

  it("what lies behind a doubtful refusal is doubtful", () => {
    const old = [step("order"), step("a"), sleep("s")];
    const now = [step("order"), when("v1", [step("x")]), sleep("a"), sleep("s")];
    expect(unsafe(old, now)).toContain("breaking entry-kind-changed a");
    const doubtful = [when("v1", [step("x")]), step("a"), loop("l", [step("y"), step("b"), sleep("s")])];
    expect(unsafe([step("a"), loop("l", [step("b"), sleep("s")])], doubtful).join()).not.toContain(
      "(behind)",
    );
  });
});

it("a removed() of a native loop covers its turns, wherever it stands in the scope", () => {
  const numbers: NamePattern = ["gone-", { hole: "n", perIteration: true }];
  const turns = (node: ManifestNode): Block => [each("items", [node])];
  const old = turns({ ...step("gone"), name: numbers });
  const now = [step("new"), ...turns({ kind: "removed", name: numbers, was: "step" })];
  expect(diffManifests(manifest(old), manifest(now)).verdict).toBe("safe");
  expect(diffManifests(manifest(old), manifest([step("new")])).verdict).toBe("breaking");
});

describe("a remedy", () => {
  /** For each change with a remedy that is an edit: where that puts its statement. */
  const places = (old: Block, now: Block): string[] =>
    (diffManifests(manifest(old), manifest(now)).workflows[0]?.changes ?? []).flatMap(({ path, remedy }) =>
      remedy === null || remedy.edits.length === 0
        ? []
        : [`${path.join("/")}: ${remedy.place.position} ${remedy.place.entry ?? ""}`.trimEnd()],
    );

  it("is not put into an arm that not every instance takes, also when another refusal hides that", () => {
    const old = [step("a"), step("gone"), when("v1", [step("b"), sleep("s")], [sleep("t")]), step("z")];
    const now = [step("a"), when("v1", [step("b"), sleep("s")]), step("z")];
    for (const place of places(old, now)) expect(place).not.toMatch(/ (before|behind) (b|s)$/);
    const turns = step("turn", { name: numbered("turn-", 2) });
    expect(
      places(
        [step("a"), times(2, "n<2", [turns]), when("v1", [step("b")])],
        [step("a"), when("v1", [step("b")])],
      ),
    ).toEqual(["turn-0: behind a", "turn-1: behind a"]);
  });
});
