import type { Expr, Stmt } from "../../types.js";
import type { Guard, GuardSource } from "../../../../runtime/src/manifest/format.js";
import { evaluate } from "./expressions.js";
import { armsOfSwitch, armsOfTest, gateName, latestOf, numberOf } from "../entries/gate-tests.js";
import { infoOf } from "../values/infos.js";
import { printNormal } from "../values/print.js";
import type { Run } from "./run.js";
import type { GuardInfo, ValueInfo } from "../types.js";
import { sitesOf, type Value } from "../values/value.js";

type Cases = Extract<Stmt, { s: "switch" }>["cases"];

/** What decides between arms (or how often a loop turns); worked out when asked for. */
export function guardOf(run: Run, test: Expr | null, value: Value, cases: Cases | null): GuardInfo {
  const asksVersion = value.gate && test !== null && isTestOfVersion(run, test, value, cases);
  return new Decision(run, test, infoOf(run, test, value), value, cases, asksVersion);
}

class Decision implements GuardInfo {
  #guard: Guard | null = null;
  constructor(
    private readonly run: Run,
    readonly test: Expr | null,
    readonly value: ValueInfo,
    private readonly of: Value,
    readonly cases: Cases | null,
    private readonly asksVersion: boolean,
  ) {}

  get guard(): Guard {
    return (this.#guard ??= makeGuard(this.run, this.test, this.of, this.cases, this.asksVersion));
  }
}

/**
 * True when what is compared is the version itself, not what was made of it or depends on it: of `n = v + 3`
 * nothing is known but that it is recorded.
 */
function isTestOfVersion(run: Run, test: Expr, value: Value, cases: Cases | null): boolean {
  if (cases !== null) return isVersion(value);
  if (test.k === "unary" && test.op === "!") return isTestOfVersion(run, test.operand, value, null);
  if (test.k !== "binary") return false;
  const asked = numberOf(test.right) === null ? test.right : test.left;
  // Anything but a name is the call of the gate, which is not made a second time here.
  return asked.k === "name" ? isVersion(evaluate(run, asked)) : asked.k === "await";
}

const isVersion = (value: Value): boolean =>
  value.atoms.length === 1 &&
  !value.data &&
  value.atoms.every((atom) => atom.a === "recorded" && atom.site.method === "getVersion");

function makeGuard(
  run: Run,
  test: Expr | null,
  value: Value,
  cases: Cases | null,
  asksVersion: boolean,
): Guard {
  const labels = cases?.map((one) => (one.test ? printNormal(run, one.test) : "default"));
  const text = test ? printNormal(run, test) + (labels ? ` : ${labels.join(" | ")}` : "") : "";
  if (asksVersion && test) {
    const gate = gateOf(run, test, value, cases);
    if (gate) return { text, source: "gate", gate };
  }
  return { text, source: sourceOf(value), gate: null };
}

function sourceOf(value: Value): GuardSource {
  const sites = sitesOf(value);
  if (value.open || value.effects.length > 0 || sites.some((site) => site.method === "shared"))
    return "unknown";
  return sites.length > 0 ? "recorded" : "constant";
}

/** Versions that take each arm of a test of a gate. */
function gateOf(run: Run, test: Expr, value: Value, cases: Cases | null): Guard["gate"] {
  const site = sitesOf(value).find((each) => each.method === "getVersion");
  const entry = site && run.solver.entryAt(site.place);
  const name = entry ? gateName(entry) : null;
  if (!entry || name === null) return null;
  const latest = latestOf(entry);
  const arms = cases ? armsOfSwitch(cases, latest) : armsOfTest(test, latest);
  return arms && { name, arms };
}
