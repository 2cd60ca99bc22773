import fc from "fast-check";
import type { Construct } from "../construct.js";
import { resultOf, unnamed, type StatementOf } from "../tree.js";
import { leavesAlways, turnOf } from "../resolve.js";
import { rarely } from "./step.js";
import { queue } from "./wait.js";

/**
 * Guard of a counted loop's next turn, and of the end of one that takes messages. Both let a loop end whose turn is
 * no number: an instance may come from a version whose loop kept no state.
 */
const hasNext = (turns: number): string => `< ${turns - 1}`;
const IS_ODD = "% 2 === 1";

export const loop: Construct<"loop"> = {
  kind: "loop",
  weight: 3,
  names: "loop",
  binds: "value",
  scopes: true,
  arbitrary: (grow) =>
    fc
      .record({
        style: fc.constantFrom("turns" as const, "messages" as const),
        turns: fc.integer({ min: 1, max: 4 }),
        prune: fc.option(fc.constantFrom(1, 2), { freq: 3 }),
        from: queue(),
        body: grow.block(),
        plain: rarely(2),
      })
      .map(({ style, turns, prune, from, body, plain }) => {
        const wait = unnamed("wait", { queue: from, timeout: null, batch: plain });
        return unnamed(
          "loop",
          { style, turns, prune },
          { blocks: [style === "messages" ? [wait, ...body] : body] },
        );
      }),
  source(statement, to) {
    const { name, as, ref, blocks, style, turns, prune } = statement;
    const body = blocks[0] ?? [];
    const value = resultOf(body) ?? "0";
    const use = (): string => to.use("engine", "Loop");
    to.inside(
      `${to.binding(as)}await ${to.context}.loop({`,
      () => {
        to.line(`name: ${to.name(name, ref)},`);
        if (prune !== null) to.line(`historyPruneInterval: ${prune},`);
        if (style === "turns") to.line("state: 0,");
        const turn = turnOf(as);
        const end = (): void => {
          if (style === "turns") {
            to.line(`if (${turn} ${hasNext(turns)}) return ${use()}.continue(${turn} + 1);`);
            to.line(`return ${use()}.break(${value});`);
          } else {
            to.line(`if (${ending(statement)} ${IS_ODD}) return ${use()}.break(${value});`);
            to.line("return undefined;");
          }
        };
        const parameters = style === "turns" ? `, ${turn}` : "";
        to.scopeBody(style, body, "run: ", ",", { parameters, end });
      },
      "});",
    );
  },
  async run(statement, on) {
    const { name, as, ref, blocks, style, turns, prune } = statement;
    const { loopBreak, loopContinue } = on.world;
    const value = await on.context.loop({
      name: on.name(name, ref),
      ...(prune !== null && { historyPruneInterval: prune }),
      ...(style === "turns" && { state: 0 }),
      run: async (context: typeof on.context, turn: number) => {
        const sight = style === "turns" ? [[turnOf(as), turn] as const] : [];
        const end = await on.body(style, blocks[0] ?? [], context, sight);
        if (end.left) return loopBreak(end.value);
        if (style === "turns") return turn < turns - 1 ? loopContinue(turn + 1) : loopBreak(end.value);
        return end.inner.valueOf(ending(statement)) % 2 === 1 ? loopBreak(end.value) : undefined;
      },
    });
    on.bind(as, value);
  },
  manifest: ({ turns, style, prune, blocks, as }, { name, blocks: [body = []], guard }) => {
    const last = blocks[0]?.at(-1);
    const leaves = last !== undefined && leavesAlways(last);
    const text =
      style === "turns" ? guard(turnOf(as), hasNext(turns)) : guard(blocks[0]?.[0]?.as ?? "", IS_ODD);
    const breaks = { kind: "exit" as const, how: "loop_break" as const, depth: 0 };
    const continues = { kind: "exit" as const, how: "loop_continue" as const, depth: 0 };
    const end = [
      {
        kind: "choice" as const,
        guard: { text, source: "recorded" as const, gate: null },
        arms: [[style === "turns" ? continues : breaks], []],
      },
      ...(style === "turns" ? [breaks] : []),
    ];
    const stateType = style === "turns" ? "number" : null;
    return [{ kind: "loop", name, stateType, pruneInterval: prune, body: leaves ? body : [...body, ...end] }];
  },
};

/** The message that ends a loop over messages: of the wait at its beginning. */
function ending(statement: StatementOf<"loop">): string {
  return statement.blocks[0]?.[0]?.as ?? "";
}
