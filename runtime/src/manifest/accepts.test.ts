import { describe, expect, it } from "vitest";
import { accepts } from "./accepts.js";
import type { Block } from "./format.js";
import { historyOf, type HistoryRecord } from "./history.js";
import { REPLAY_FLAGS } from "./replay-flags.js";
import {
  atLeast,
  each,
  exit,
  join,
  loop,
  message,
  race,
  removed,
  sleep,
  step,
  tryBlock,
  version,
  when,
  workflow,
} from "./testing/build.js";

type Short = readonly [path: string, kind: HistoryRecord["kind"], more?: Partial<HistoryRecord>];

/** `poll/~3/fetch` → `["poll", 3, "fetch"]`. */
function records(...list: readonly Short[]): HistoryRecord[] {
  return list.map(([path, kind, more]) => ({
    path: path.split("/").map((part) => (part.startsWith("~") ? Number(part.slice(1)) : part)),
    kind,
    completed: true,
    ...more,
  }));
}

function verdict(
  body: Block,
  list: readonly HistoryRecord[],
  engine: keyof typeof REPLAY_FLAGS = "stepproof",
): string {
  const result = accepts(historyOf(list), workflow(body), REPLAY_FLAGS[engine]);
  return result.accepted ? "accepted" : `${result.path.join("/")}: ${result.error}`;
}

describe("a history is accepted", () => {
  it("when it is empty", () => {
    expect(verdict([step("a"), loop("l", [step("b")])], [])).toBe("accepted");
  });

  it("when the code goes on from where it stands", () => {
    expect(
      verdict(
        [step("a"), sleep("s"), step("b")],
        records(["a", "step"], ["s", "sleep", { completed: false }]),
      ),
    ).toBe("accepted");
  });

  it("whatever the code of a branch that has ended is now", () => {
    const body = [join("j", { x: [step("new"), step("a")], y: [sleep("s")] })];
    const list = (ended: readonly string[]): HistoryRecord[] =>
      records(["j", "join", { completed: false, branches: ["x", "y"], ended }], ["j/x/a", "step"]);
    expect(verdict(body, list(["x"]))).toBe("accepted");
    expect(verdict(body, list([]))).toMatch(/"new" is new/);
  });

  it("in either arm of a guard", () => {
    const body = [step("load"), when("x", [step("a"), sleep("s")], [step("b")]), step("end")];
    expect(verdict(body, records(["load", "step"], ["a", "step"], ["s", "sleep"]))).toBe("accepted");
    expect(verdict(body, records(["load", "step"], ["b", "step"]))).toBe("accepted");
    expect(verdict(body, records(["load", "step"], ["a", "step"], ["b", "step"]))).not.toBe("accepted");
  });

  it("after any number of turns of a native loop over data", () => {
    const body = [each("items", [step("do-${i}"), sleep("rest-${i}")]), step("end")];
    const turns = [0, 1, 2, 3, 4, 5].flatMap((turn): Short[] => [
      [`do-${turn}`, "step"],
      [`rest-${turn}`, "sleep"],
    ]);
    expect(verdict(body, records(...turns))).toBe("accepted");
    expect(verdict(body, records(...turns, ["end", "step"]))).toBe("accepted");
    expect(verdict(body, records(...turns, ["other", "step"]))).toMatch(/other/);
  });

  it("in iteration 7 of a loop whose earlier ones are pruned", () => {
    const body = [loop("l", [message("w", { timeout: "yes" }), step("do"), sleep("s")])];
    const list = records(
      ["l", "loop", { completed: false }],
      ["l/~7/w:deadline", "sleep"],
      ["l/~7/w:0", "message"],
      ["l/~7/w:count", "message"],
      ["l/~7/do", "step"],
    );
    expect(verdict(body, list)).toBe("accepted");
    expect(verdict([loop("l", [message("w"), step("do"), sleep("s")])], list)).toMatch(
      /^l\/~7: .*w:deadline/,
    );
    expect(verdict([loop("l", [removed("w", "message"), step("do")])], list)).toBe("accepted");
  });

  it("in a try block, in branches, in a race", () => {
    const body = [
      tryBlock("t", [step("a")]),
      join("j", { x: [step("b")], y: [sleep("s"), step("c")] }),
      race("r", { p: [step("d")], q: [sleep("e")] }),
    ];
    const list = records(
      ["t/a", "step"],
      ["j", "join", { branches: ["y", "x"] }],
      ["j/x/b", "step"],
      ["j/y/s", "sleep"],
      ["r", "race", { completed: false, branches: ["p", "q"] }],
      ["r/q/e", "sleep", { completed: false }],
    );
    expect(verdict(body, list)).toBe("accepted");
    const changed = [body[0], body[1], race("r", { p: [step("d")], q: [step("new"), sleep("e")] })] as Block;
    expect(verdict(changed, list)).toMatch(/^r\/q\/new: .*step "new" is new/);
    const fewer = [body[0], join("j", { x: [step("b")] }), body[2]] as Block;
    expect(verdict(fewer, list)).toMatch(/^j: .*removed: "y"/);
    expect(verdict(fewer, list, "rivet-workflows-1")).toBe("accepted");
  });

  it("by a gate, whose recorded version wins", () => {
    const body = [version("g", 3), atLeast("g", 2, [step("new")], [step("old")]), sleep("s")];
    expect(verdict(body, records(["old", "step"], ["s", "sleep"]))).toBe("accepted");
    expect(verdict(body, records(["g", "version_check", { version: 2 }], ["new", "step"]))).toBe("accepted");
    expect(verdict(body, records(["g", "version_check", { version: 1 }], ["new", "step"]))).not.toBe(
      "accepted",
    );
  });
});

describe("a history is refused", () => {
  it("at a new step ahead of what is recorded", () => {
    expect(verdict([step("new"), step("a")], records(["a", "step"]))).toBe(
      'new: HistoryDivergedError: step "new" is new, but step "a", which this instance has recorded, was not reached before it',
    );
  });

  it("when a scope ends without an entry, the root included", () => {
    expect(verdict([sleep("s")], records(["a", "step"], ["s", "sleep"]))).toMatch(
      /the code ended without reaching it/,
    );
    expect(verdict([sleep("s")], records(["a", "step"], ["s", "sleep"]), "rivetkit-2")).toBe("accepted");
  });

  it("when an entry has another kind", () => {
    expect(verdict([sleep("a")], records(["a", "step"]))).toMatch(/^a: .*the history holds step "a"/);
    expect(verdict([removed("a", "sleep")], records(["a", "step"]))).toMatch(/declared removed as sleep/);
  });

  it("when removed comes too late for 1.0 and the manifest does not help", () => {
    const body = [step("new"), removed("a", "step")];
    expect(verdict(body, records(["a", "step"]))).toBe("accepted");
    expect(verdict(body, records(["a", "step"]), "rivet-workflows-1")).toMatch(/^new/);
  });

  it("not because of what a finished loop holds", () => {
    const list = records(["l", "loop"], ["l/~0/x", "step"], ["l/~1/y", "step"]);
    expect(verdict([loop("l", [step("other"), exit("loop_break")]), step("end")], list)).toBe("accepted");
  });
});

it("a hundred guards in a row are decided by what is recorded, without trying all ways", () => {
  const guards = Array.from({ length: 100 }, (_, index) =>
    when(`c${index}`, [step(`a${index}`)], [step(`b${index}`)]),
  );
  const list = records(
    ...Array.from({ length: 100 }, (_, index): Short => [`${index % 3 === 0 ? "b" : "a"}${index}`, "step"]),
  );
  expect(verdict(guards, list)).toBe("accepted");
  const result = accepts(
    historyOf([...list, ...records(["gone", "step"])]),
    workflow(guards),
    REPLAY_FLAGS.stepproof,
  );
  expect(result.accepted).toBe(false);
});

it("an iteration that is kept but over is not looked at again", () => {
  const list = records(["l", "loop", { completed: false, iteration: 1 }], ["l/~0/old", "step"]);
  expect(verdict([loop("l", [step("new")])], list)).toBe("accepted");
  const inHand = records(["l", "loop", { completed: false, iteration: 0 }], ["l/~0/old", "step"]);
  expect(verdict([loop("l", [step("new")])], inHand)).toMatch(/^l\/~0\/new/);
});
