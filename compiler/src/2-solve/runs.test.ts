import { describe, expect, test } from "vitest";
import { factsOfSources } from "../1-collect/facts-of-source.js";
import { BUILT_IN_ROWS, createCatalogue } from "../catalogue/index.js";
import { ENGINES, engineOfModule } from "../engines/index.js";
import { rankByCalls } from "./ranks.js";
import { Solver } from "./solver.js";

/** How often each function's body was run until nothing changed any more, by name. */
function runs(text: string): Record<string, number> {
  const source = factsOfSources({ "/flow.ts": text });
  const catalogue = createCatalogue(BUILT_IN_ROWS, { pure: [], effectful: [] });
  const solver = new Solver(source, { catalogue, engineOfModule, defaultEngine: ENGINES.stepproof });
  solver.module("/flow.ts");
  solver.settle();
  rankByCalls(solver.acts);
  for (const act of solver.acts)
    for (const { to } of act.calls) if (to !== act) expect(to.rank).toBeGreaterThan(act.rank);
  return Object.fromEntries(solver.acts.map((act) => [act.function.name, act.runs]));
}

describe("a body is run again only when something that it has read grows", () => {
  test("once, where it is given everything at its first call", () => {
    const found = runs(`const given = (x) => { let y = x; y = y + 1; return y; };
const around = (x) => given(x) + 1;
around(Date.now());`);
    expect(found).toEqual({ "(module)": 1, around: 1, given: 1 });
  });

  test("once more with what all callers give, and callers once with what it then gives", () => {
    const calls = Array.from(
      { length: 20 },
      (_, at) => `const c${at} = () => shared(read${at}());
const read${at} = () => process.env.V${at};`,
    );
    const all = calls.map((_, at) => `c${at}();`).join(" ");
    const found = runs(`${calls.join(" ")} const shared = (x) => leaf(x); const leaf = (x) => [x]; ${all}`);
    expect(found["shared"]).toBeLessThanOrEqual(3);
    expect(found["leaf"]).toBeLessThanOrEqual(3);
    expect(found["c0"]).toBeLessThanOrEqual(2);
  });
});
