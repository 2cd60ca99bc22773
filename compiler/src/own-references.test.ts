import { expect, it } from "vitest";
import { check } from "./check.js";
import { NO_CONFIG, type Config } from "./config.js";

const FILES: Readonly<Record<string, string>> = {
  "src/own.ts": `
    export function steady(): number { return Math.random() * 0; }
    export const looksPure = (n: number): number => n;`,
  "src/flows.ts": `
    export interface FlowContext { step(name: string, run: () => Promise<unknown>): Promise<unknown> }
    export const durable = (run: (ctx: FlowContext) => Promise<void>) => ({ run });`,
  "src/a.ts": `
    import { durable, type FlowContext } from "./flows.js";
    import { looksPure, steady } from "./own.js";
    async function helper(ctx: FlowContext) { await ctx.step("x", async () => 1); Date.now(); }
    export const a = durable(async (ctx) => { steady(); looksPure(1); await helper(ctx); });`,
  "src/b.ts": `
    import { defineFlow } from "@acme/flows";
    export const b = defineFlow({ run: async (ctx) => { ctx.step("a", async () => 1); } });`,
  "src/c.ts": `
    import type { FlowContext } from "./flows.js";
    export async function nobodyCallsIt(ctx: FlowContext) { await ctx.step("x", async () => 1); crypto.randomUUID(); }`,
};

const told = (config: Partial<Config>): readonly string[] =>
  check({
    cwd: "/app",
    paths: Object.keys(FILES),
    overlay: new Map(Object.entries(FILES).map(([name, text]) => [`/app/${name}`, text])),
    config: { ...NO_CONFIG, path: "/app/stepproof.config.json", ...config },
  }).reported.map(({ diagnostic }) => `${diagnostic.file} ${diagnostic.rule}`);

it("without a config nothing of the user's own is a workflow", () => {
  expect(told({})).toEqual([]);
});

it.each(["./src/flows.ts", "./src/flows", "./src/flows.js"])(
  "factories, context types and functions of %s and other files of one's own are known",
  (flows) => {
    expect(
      told({
        factories: { [`${flows}#durable`]: "workflow", "@acme/flows#defineFlow": "workflow" },
        contextTypes: { [`${flows}#FlowContext`]: "workflow" },
        pure: ["./src/own.ts#steady"],
        effectful: ["./src/own#looksPure"],
      }),
    ).toEqual([
      "src/a.ts no-nondeterminism",
      "src/a.ts no-side-effects",
      "src/b.ts await-entries",
      "src/c.ts no-nondeterminism",
    ]);
  },
);
