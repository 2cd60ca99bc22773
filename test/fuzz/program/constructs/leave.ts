import fc from "fast-check";
import type { Construct } from "../construct.js";
import { Leave } from "../running.js";
import { unnamed } from "../tree.js";
import { ref } from "./step.js";

/** The end of an arm that leaves its scope, its helper or a native loop. */
export const leave: Construct<"leave"> = {
  kind: "leave",
  weight: 1,
  names: null,
  binds: null,
  scopes: false,
  arbitrary: () =>
    fc
      .record({ how: fc.constantFrom("return" as const, "break" as const, "continue" as const), ref: ref() })
      .map(({ how, ref: value }) => unnamed("leave", { how }, { ref: value })),
  source({ how, ref: value }, to) {
    if (how !== "return") return to.line(`${how};`);
    const result = value?.on ?? "0";
    const isLoop = to.scope === "turns" || to.scope === "messages";
    to.line(isLoop ? `return ${to.use("engine", "Loop")}.break(${result});` : `return ${result};`);
  },
  run: ({ how, ref: value }, on) => Promise.reject(new Leave(how, on.read(value))),
  manifest: ({ how }, { scope }) => [
    {
      kind: "exit",
      how: how === "return" && (scope === "turns" || scope === "messages") ? "loop_break" : how,
      depth: 0,
    },
  ],
};
