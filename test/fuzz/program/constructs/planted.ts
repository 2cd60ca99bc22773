import fc from "fast-check";
import { faultNamed } from "../faults.js";
import type { Construct } from "../construct.js";
import { unnamed } from "../tree.js";

/** A fault that a law has planted: source text alone, it is neither run nor part of a manifest. */
export const planted: Construct<"planted"> = {
  kind: "planted",
  weight: 0,
  names: null,
  binds: null,
  scopes: false,
  arbitrary: () => fc.constant(unnamed("planted", { fault: "", route: "directly" })),
  source({ fault, route }, to) {
    const row = faultNamed(fault);
    if (route === "directly") {
      for (const line of row.top ?? []) to.top(line);
      for (const line of row.lines(to.context)) to.line(line);
      for (const name of row.engine ?? []) to.use("engine", name);
      return;
    }
    to.plant(row, route);
    const call = `plantedFault(${row.takesContext ? to.context : ""})`;
    to.line(row.calling?.(call) ?? `${row.isAsync ? "await " : ""}${call}; ${MARK}`);
  },
  run: () => Promise.reject(new Error("A planted fault is not run.")),
  manifest: () => [],
};

/** Ends a line at which a fault may be reported. */
export const MARK = "// !";
