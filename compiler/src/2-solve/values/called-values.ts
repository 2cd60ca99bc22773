import type { CallSite } from "../evaluate/calls.js";
import { applyRow, lookupKnown, useOfCall } from "./knowns.js";
import type { Run } from "../evaluate/run.js";
import type { Atom, Value } from "./value.js";

/**
 * A method that only values of the platform have, told by its name alone: `a.localeCompare(b)`,
 * `total.toLocaleString()`. `null` when the catalogue has no effect for it.
 */
export function callByName(run: Run, site: CallSite): Value | null {
  const { callee } = site;
  if (callee?.k !== "member" || callee.property === null) return null;
  const row = run.solver.options.catalogue.lookupMember("", "*", callee.property, useOfCall(site));
  if (!row || row.effect === "pure") return null;
  return applyRow(run, row, site, { path: callee.property, from: run.file, self: site.self });
}

/** A value of a package that is itself a function: `customAlphabet("abc")()`, `debug("app")("…")`, `knex(…)("users")`. */
export function callInstance(run: Run, atom: Extract<Atom, { a: "instance" }>, site: CallSite): Value | null {
  if (!atom.of.includes("#")) return null;
  const row = lookupKnown(run, { path: `${atom.of}.call`, instance: true }, useOfCall(site));
  return row && applyRow(run, row, site, { path: atom.of, from: atom.from, self: site.self });
}
