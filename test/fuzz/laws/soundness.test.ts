import fc from "fast-check";
import { test } from "vitest";
import { RULES, type Diagnostic } from "stepproof";
import { checkPrograms, findingsIn } from "../check-programs.js";
import { hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { MARK } from "../program/constructs/planted.js";
import { faultNamed, FAULTS, type Route } from "../program/faults.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { plant } from "../program/plant.js";
import { sourceOf, type Files } from "../program/source.js";
import type { Block } from "../program/tree.js";
import { showProgram } from "../show.js";

/*
 * Law 2. A program with one planted fault (any of the rules' kinds, directly, through helpers, in another file,
 * in a package) is reported at the planted place, and nowhere else; a clean program is never reported.
 *
 * The issue also lets a fault be that changes nothing under any schedule. No such allowance is made here: faults
 * are only planted where the code is reached, and each of them can do harm.
 */

interface Case {
  readonly program: Block;
  readonly fault: { readonly name: string; readonly route: Route; readonly at: number } | null;
}

const faults = fc
  .constantFrom(...FAULTS.flatMap(({ name, routes }) => routes.map((route) => ({ name, route }))))
  .chain((fault) => fc.nat(40).map((at) => ({ ...fault, at })));

test(
  "a planted fault is reported where it was planted; a clean program is not reported",
  { timeout: 0 },
  async () => {
    const kinds = new Set(FAULTS.flatMap(({ rules }) => rules));
    await hold<Case>({
      name: "soundness",
      cases: fc.record({
        program: program({ size: { root: 3, block: 2, depth: 2 } }),
        fault: fc.option(faults, { freq: 6 }),
      }),
      together: 26,
      runs: 156,
      show: (one) => `${JSON.stringify(one.fault)}\n${showProgram(planted(one))}`,
      demands: {
        "clean programs": 10,
        "faulty programs": 60,
        directly: 10,
        "through a helper": 10,
        "in another file": 10,
        "in a package": 5,
        ...Object.fromEntries(FEATURES.map((feature) => [`· ${feature}`, 1])),
      },
      holds: (cases, tally) => {
        const sources = cases.map((one) => sourceOf(planted(one)));
        const result = checkPrograms(sources);
        cases.forEach((one, number) => {
          const found = findingsIn(result, number);
          for (const feature of featuresOf(one.program)) tally.count(`· ${feature}`);
          if (one.fault === null) {
            tally.count("clean programs");
            if (found.length > 0) throw new Error(`A clean program is reported: ${print(found)}`);
            return;
          }
          tally.count("faulty programs");
          tally.count(one.fault.route);
          judge(one.fault.name, found, sources[number] ?? new Map());
        });
      },
    });
    const without = RULES.map((row) => row.slug).filter((slug) => !kinds.has(slug) && !NOT_PLANTED.has(slug));
    if (without.length > 0) throw new Error(`No fault is planted for ${without.join(", ")}.`);
  },
);

/** Rules about the file itself, and the one that speaks of what can't be read. */
const NOT_PLANTED = new Set(["suppressions", "parsable-source", "no-unknown-calls"]);

function planted({ program: clean, fault }: Case): Block {
  return fault === null ? clean : plant(clean, fault.name, fault.route, fault.at);
}

/** @throws when the fault is not reported at a marked line, or anything at another one. */
function judge(name: string, found: readonly Diagnostic[], files: Files): void {
  const { rules } = faultNamed(name);
  const isMarked = ({ file, line }: { file: string; line: number }): boolean =>
    (files.get(file)?.split("\n")[line - 1] ?? "").endsWith(MARK);
  const isThere = (one: Diagnostic): boolean =>
    isMarked(one) ||
    one.chain.some((link) => isMarked({ file: link.file.replace(/^\d+\//, ""), line: link.line }));
  if (!found.some((one) => rules.includes(one.rule) && isThere(one)))
    throw new Error(
      `The fault "${name}" is not reported by ${rules.join(" or ")}. Reported: ${print(found)}`,
    );
  const elsewhere = found.filter((one) => !isThere(one));
  if (elsewhere.length > 0) throw new Error(`Reported where nothing was planted: ${print(elsewhere)}`);
}

const print = (found: readonly Diagnostic[]): string =>
  found.length === 0
    ? "nothing"
    : found.map((one) => `${one.file}:${one.line} ${one.rule}: ${one.message}`).join("\n");
