import type { Span } from "../../types.js";
import { callClosures, type CallSite } from "./calls.js";
import { findMember } from "./classes.js";
import type { Run } from "./run.js";
import type { CallOperation } from "../types.js";
import { BOTTOM, join, valueOf, type Value } from "../values/value.js";

/** Calls a method of the program on an object by its name; `null` when no object has it. */
export function callMethod(
  run: Run,
  self: Value,
  name: string,
  args: CallSite["args"],
  span: Span,
  form: CallOperation["form"],
): Value | null {
  let out: Value | null = null;
  for (const atom of self.atoms) {
    if (atom.a !== "object") continue;
    const { obj } = atom;
    const own = obj.fields.get(name);
    const closures = own ? run.read(own).atoms.filter((each) => each.a === "closure") : [];
    const found =
      closures.length === 0 && obj.cls && obj.clsEnv
        ? findMember(run, obj.cls, obj.clsEnv, name, false)
        : null;
    const fn = found?.member.functionId ? run.solver.program.fn(found.member.functionId) : null;
    const targets =
      fn && found
        ? [
            {
              a: "closure" as const,
              key: `f:${fn.id}:${found.env.n}:${atom.key}`,
              fn,
              env: found.env,
              self: valueOf(atom),
              bound: [],
            },
          ]
        : closures;
    if (targets.length === 0) continue;
    const site: CallSite = {
      span,
      place: span,
      text: name,
      form,
      args,
      self: valueOf(atom),
      by: null,
      callee: null,
      expr: null,
      varies: [],
    };
    out = join(out ?? BOTTOM, callClosures(run, targets, site));
  }
  return out;
}
