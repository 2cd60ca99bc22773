import fc from "fast-check";
import type { ManifestNode } from "../../../../runtime/src/manifest/index.js";
import type { Construct } from "../construct.js";
import type { SourceWriter } from "../source-writer.js";
import { unnamed, type Ref, type StepEnd, type Work } from "../tree.js";

/** First delay of a retry, ms. */
export const BACKOFF = 100;
/** Attempts of a flaky step that fail. */
export const FLAKY_FAILURES = 2;

export const step: Construct<"step"> = {
  kind: "step",
  weight: 8,
  names: "step",
  binds: "value",
  scopes: false,
  arbitrary: () =>
    fc
      .record({
        work: work({ gives: 16, flaky: 2, critical: 1, exhausted: 0 }),
        undo: fc.boolean(),
        ref: ref(),
        byData: rarely(),
      })
      .map(({ work: does, undo, ref: to, byData }) =>
        unnamed("step", { work: does, undo }, { ref: to, byData }),
      ),
  source(statement, to) {
    const { name, as, work: does, ref: plus, undo } = statement;
    to.inside(
      `${to.binding(as)}await ${to.context}.step({`,
      () => {
        stepOptions(to.name(name, plus), does, plus, to);
        if (undo)
          to.line(
            `rollback: async (_undo, output) => await ${to.use("world", "undo")}(${to.name(name, plus)}, output),`,
          );
      },
      "});",
    );
  },
  async run({ name, as, work: does, ref: plus, undo }, on) {
    const path = on.name(name, plus);
    const value = await on.context.step({
      ...optionsOf(path, does, on.world.backoff),
      run: (step) => on.world.work(step, { name: path, context: on.context }, does, on.read(plus)),
      ...(undo && { rollback: (_undo: unknown, output: number) => on.world.undo(path, output) }),
    });
    on.bind(as, value);
  },
  manifest: ({ work: does, undo }, { name, used }) => [stepNode(name, does, used || undo, null, undo)],
};

/** The manifest's node of a step; its body's fingerprint can't be told from the tree. */
export function stepNode(
  name: Extract<ManifestNode, { kind: "step" }>["name"],
  does: Work,
  outputUsed: boolean,
  catches: readonly string[] | null,
  rollback: boolean,
): ManifestNode {
  return {
    kind: "step",
    name,
    outputType: "number",
    outputUsed,
    body: JSON.stringify(does),
    options: isRetried(does) ? { maxRetries: FLAKY_FAILURES, retryBackoffBase: BACKOFF } : {},
    catches,
    rollback,
  };
}

/** What the step gives is the state's total, not what it added. */
export const givesTotal = (does: Work): boolean => does.state && does.blind !== true;

const isRetried = (does: Work): boolean => does.ends === "flaky" || does.ends === "exhausted";

/** Options of the step as the engine takes them. */
export function optionsOf(
  name: string,
  does: Work,
  backoff: number,
): { name: string; maxRetries?: number; retryBackoffBase?: number } {
  return { name, ...(isRetried(does) && { maxRetries: FLAKY_FAILURES, retryBackoffBase: backoff }) };
}

/** The lines of a step's options, its body last. */
export function stepOptions(name: string, does: Work, plus: Ref | null, to: SourceWriter): void {
  to.line(`name: ${name},`);
  if (isRetried(does)) to.line(`maxRetries: ${FLAKY_FAILURES},`);
  if (isRetried(does)) to.line(`retryBackoffBase: ${BACKOFF},`);
  to.inside(
    "run: async (step): Promise<number> => {",
    () => {
      const key = "step.idempotencyKey";
      if (does.ends === "critical") return to.line(`return await ${to.use("world", "refuse")}(${key});`);
      if (does.ends === "exhausted") return to.line(`return await ${to.use("world", "breakDown")}(${key});`);
      if (does.ends === "flaky") to.line(`await ${to.use("world", "notYet")}(${key}, step.attempt);`);
      const input = plus === null ? String(does.gives) : `${does.gives} + ${plus.on}`;
      to.line(`const value = await ${to.use("world", "work")}(${key}, ${input});`);
      if (does.sends) to.line(`await step.queue.send("p", value);`);
      if (does.state) to.line("step.state.total += value;");
      to.line(givesTotal(does) ? "return step.state.total;" : "return value;");
    },
    "},",
  );
}

/** What a step does, with its ends in these proportions. */
export function work(weights: Record<StepEnd, number>): fc.Arbitrary<Work> {
  const ends = Object.entries(weights).filter(([, weight]) => weight > 0);
  return fc.record({
    gives: fc.nat(9),
    ends: fc.oneof(...ends.map(([end, weight]) => ({ weight, arbitrary: fc.constant(end as StepEnd) }))),
    state: rarely(3),
    sends: rarely(8),
  });
}

/** One in so many times true; shrinks to false. */
export const rarely = (one = 6): fc.Arbitrary<boolean> => fc.nat(one - 1).map((n) => n === one - 1);

/** A look at a variable, or none. */
export const ref = (): fc.Arbitrary<Ref | null> => fc.option(fc.nat(5).map((pick) => ({ pick, on: "" })));
/** A look at a variable. */
export const look = (): fc.Arbitrary<Ref> => fc.nat(5).map((pick) => ({ pick, on: "" }));
