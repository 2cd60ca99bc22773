import fc from "fast-check";
import { test } from "vitest";
import { check, manifestOf } from "stepproof";
import { writeManifest } from "../../../runtime/src/manifest/index.js";
import { hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { FAULTS, type Route } from "../program/faults.js";
import { plant } from "../program/plant.js";
import { assemble, partsOf, type FileParts } from "../program/source.js";
import type { Block } from "../program/tree.js";
import { showProgram } from "../show.js";

/* Law 6. Permuting files, functions and declarations changes no finding and no manifest byte. */

interface Case {
  readonly program: Block;
  readonly faults: readonly { readonly name: string; readonly route: Route; readonly at: number }[];
  /** Decides about the other order. */
  readonly order: readonly number[];
}

const fault = fc
  .constantFrom(...FAULTS.flatMap(({ name, routes }) => routes.map((route) => ({ name, route }))))
  .chain((one) => fc.nat(40).map((at) => ({ ...one, at })));

test(
  "the order of files, functions and declarations changes neither findings nor manifest",
  { timeout: 0 },
  async () => {
    await hold<Case>({
      name: "order",
      cases: fc.record({
        program: program({ size: { root: 4, block: 2, depth: 3 } }),
        faults: fc.array(fault, { maxLength: 1 }),
        order: fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }),
      }),
      together: 10,
      runs: 50,
      show: (one) => showProgram(planted(one)),
      demands: { programs: 30, "with findings": 8, "in another order": 15, "· helper": 10 },
      holds: (cases, tally) => {
        const parts = cases.map((one) => partsOf(planted(one)));
        const turned = parts.map((files, number) => permuted(files, cases[number]?.order ?? []));
        const straight = resultsOf(parts, false);
        const other = resultsOf(turned, true);
        cases.forEach((_, number) => {
          tally.count("programs");
          const [before, after] = [straight.findings[number] ?? [], other.findings[number] ?? []];
          if (before.length > 0) tally.count("with findings");
          const files = parts[number];
          if (files !== undefined && [...files.values()].some((file) => file.declarations.length > 1))
            tally.count("in another order");
          if (files?.get("main.ts")?.declarations.length !== 0) tally.count("· helper");
          if (before.join("\n") !== after.join("\n"))
            throw new Error(`Findings in one order:\n${before.join("\n")}\nin another:\n${after.join("\n")}`);
        });
        if (straight.manifest !== other.manifest)
          throw new Error(`The manifests differ:\n${firstDifference(straight.manifest, other.manifest)}`);
      },
    });
  },
);

function planted({ program: clean, faults }: Case): Block {
  return faults.reduce((block, one) => plant(block, one.name, one.route, one.at), clean);
}

type Programs = readonly ReadonlyMap<string, FileParts>[];

/** Findings per program, without their lines (which move), and the manifest of all. */
function resultsOf(programs: Programs, backwards: boolean): { findings: string[][]; manifest: string } {
  const files = programs.flatMap((parts, number) =>
    [...parts].map(([name, one]): [string, string] => [`/fuzz/${number}/${name}`, assemble(one)]),
  );
  if (backwards) files.reverse();
  const overlay = new Map(files);
  const paths = [...overlay.keys()].filter((path) => path.endsWith(".ts"));
  const { reported, analysis } = check({ cwd: "/fuzz", paths, overlay });
  const lineOf = (file: string, line: number): string =>
    overlay.get(`/fuzz/${file}`)?.split("\n")[line - 1]?.trim() ?? "";
  const findings = programs.map((_, number) =>
    reported
      .map(({ diagnostic }) => diagnostic)
      .filter(({ file }) => file.startsWith(`${number}/`))
      .map(
        ({ file, line, rule, message, chain }) =>
          `${file} "${lineOf(file, line)}" ${rule}: ${message} [${chain.map((link) => `${link.file} ${lineOf(link.file, link.line)}`).join(" < ")}]`,
      )
      .sort(),
  );
  return { findings, manifest: writeManifest(manifestOf(analysis, { root: "/fuzz", tool: "fuzz" })) };
}

/** The same files with their declarations in the order of `keys`, the workflow among them or not. */
function permuted(files: ReadonlyMap<string, FileParts>, keys: readonly number[]): Map<string, FileParts> {
  return new Map(
    [...files].map(([name, file]) => {
      const sorted = file.declarations
        .map((text, index) => ({ text, key: keys[index % keys.length] ?? 0, index }))
        .sort((a, b) => a.key - b.key || b.index - a.index)
        .map(({ text }) => text);
      const functions = sorted.filter((text) => text.includes("function "));
      const others = sorted.filter((text) => !text.includes("function "));
      // Functions are hoisted: they may stand behind the workflow. Variables may not.
      return [name, { ...file, declarations: others, last: [...file.last, ...functions] }];
    }),
  );
}

function firstDifference(a: string, b: string): string {
  const [ours, theirs] = [a.split("\n"), b.split("\n")];
  const at = ours.findIndex((line, index) => line !== theirs[index]);
  return `${ours.slice(Math.max(0, at - 3), at + 3).join("\n")}\n---\n${theirs.slice(Math.max(0, at - 3), at + 3).join("\n")}`;
}
