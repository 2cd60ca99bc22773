import fc from "fast-check";
import { test } from "vitest";
import { RULES, type Diagnostic } from "stepproof";
import type { Schedule } from "../../../runtime/src/testing/schedule.js";
import { checkPrograms, findingsIn } from "../check-programs.js";
import { hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { MARK } from "../program/constructs/planted.js";
import { faultNamed, FAULTS, type Route } from "../program/faults.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { ordered } from "../program/ordered.js";
import { plant } from "../program/plant.js";
import { sourceOf, type Files } from "../program/source.js";
import type { Block } from "../program/tree.js";
import { schedule } from "../schedule.js";
import { showProgram, showSchedule } from "../show.js";
import { harmOf } from "../shifting-run.js";
import type { Tally } from "../tally.js";

/*
 * Law 2. A program with one planted fault (any of the rules' kinds, directly, through helpers, in another file, in a
 * package) either behaves the same under every schedule, or is reported at the planted place; and nothing else is. A
 * clean program is never reported, and behaves the same under every schedule.
 *
 * Harm decides what is said of a fault that is not reported. A harmless one breaks the law as well: faults are only
 * planted where the code is reached, and each of the table can do harm. How many are seen to is counted.
 */

interface Case {
  readonly program: Block;
  readonly fault: { readonly name: string; readonly route: Route; readonly at: number } | null;
  readonly schedule: Schedule;
}

const faults = fc
  .constantFrom(...FAULTS.flatMap(({ name, routes }) => routes.map((route) => ({ name, route }))))
  .chain((fault) => fc.nat(40).map((at) => ({ ...fault, at })));

test(
  "a planted fault is reported where it was planted; a clean program is not, and replays",
  { timeout: 0 },
  async () => {
    const kinds = new Set(FAULTS.flatMap(({ rules }) => rules));
    const without = RULES.map((row) => row.slug).filter((slug) => !kinds.has(slug));
    if (without.length > 0) throw new Error(`No fault is planted for ${without.join(", ")}.`);
    await hold<Case>({
      name: "soundness",
      cases: fc.record({
        program: program({ size: { root: 3, block: 2, depth: 2 } }),
        fault: fc.option(faults, { freq: 6 }),
        schedule: schedule({ disturbed: true, jumps: false }),
      }),
      together: 26,
      runs: 156,
      show: (one) =>
        `${JSON.stringify(one.fault)}\n${showProgram(planted(one))}\n${showSchedule(one.schedule)}`,
      demands: {
        "clean programs": 10,
        "faulty programs": 60,
        directly: 10,
        "through a helper": 10,
        "in another file": 10,
        "in a package": 5,
        "clean programs run": 10,
        "faulty programs run": 15,
        "seen to do harm": 5,
        ...Object.fromEntries(FEATURES.map((feature) => [`· ${feature}`, 1])),
      },
      holds: async (cases, tally) => {
        const sources = cases.map((one) => sourceOf(planted(one)));
        const result = checkPrograms(sources, true);
        for (const [number, one] of cases.entries()) {
          for (const feature of featuresOf(one.program)) tally.count(`· ${feature}`);
          await judge(one, sources[number] ?? new Map(), findingsIn(result, number), tally);
        }
      },
    });
  },
);

/** Only what replays without the fault can be run with it: programs in which moments decide can't. */
function planted({ program: clean, fault }: Case): Block {
  if (fault === null) return ordered(clean);
  const { isRun = false } = faultNamed(fault.name);
  return plant(isRun ? ordered(clean) : clean, fault.name, fault.route, fault.at);
}

/** @throws when the program is not reported as it ought to be. */
async function judge(one: Case, files: Files, found: readonly Diagnostic[], tally: Tally): Promise<void> {
  const { fault, schedule: happenings } = one;
  if (fault === null) {
    tally.count("clean programs");
    if (found.length > 0) throw new Error(`A clean program is reported: ${print(found)}`);
    const harm = await harmOf(files, happenings);
    tally.count("clean programs run");
    if (harm !== null) throw new Error(`A clean program does not replay: ${harm}`);
    return;
  }
  tally.count("faulty programs");
  tally.count(fault.route);
  const row = faultNamed(fault.name);
  const harm = row.isRun === true ? await harmOf(files, happenings) : null;
  if (row.isRun === true) tally.count("faulty programs run");
  if (harm !== null) tally.count("seen to do harm");
  if (harm !== null) tally.count(`· harm: ${fault.name}`);
  const isMarked = ({ file, line }: { file: string; line: number }): boolean =>
    (files.get(file)?.split("\n")[line - 1] ?? "").endsWith(MARK);
  const isThere = (each: Diagnostic): boolean =>
    isMarked(each) ||
    each.chain.some((link) => isMarked({ file: link.file.replace(/^\d+\//, ""), line: link.line }));
  if (!found.some((each) => row.rules.includes(each.rule) && isThere(each)))
    throw new Error(
      `The fault "${fault.name}" is not reported by ${row.rules.join(" or ")}. Reported: ${print(found)}${harm === null ? "" : `\nIt does harm: ${harm}`}`,
    );
  const elsewhere = found.filter((each) => !isThere(each));
  if (elsewhere.length > 0) throw new Error(`Reported where nothing was planted: ${print(elsewhere)}`);
}

const print = (found: readonly Diagnostic[]): string =>
  found.length === 0
    ? "nothing"
    : found.map((one) => `${one.file}:${one.line} ${one.rule}: ${one.message}`).join("\n");
