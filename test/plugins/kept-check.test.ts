import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { checkProgram, KeptCheck, NO_CONFIG, type Reported } from "stepproof";
import { readFixtures } from "../check/fixture.js";
import { layOut } from "../check/lay-out.js";
import { TSCONFIG } from "../check/run-check.js";

const EDITS = Number(process.env["STEPPROOF_EDITS"] ?? 8);
const AREA = fileURLToPath(new URL("../../.tmp/check/kept", import.meta.url));

/** A language service over files whose texts a test edits, as an editor does. */
class Editor {
  readonly texts = new Map<string, string>();
  private readonly versions = new Map<string, number>();
  private readonly service: ts.LanguageService;

  constructor(options: ts.CompilerOptions) {
    this.service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [...this.texts.keys()],
      getScriptVersion: (file) => String(this.versions.get(file) ?? 0),
      getScriptSnapshot: (file) => {
        const text = this.texts.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => AREA,
      getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
      fileExists: (path) => this.texts.has(path) || ts.sys.fileExists(path),
      readFile: (path) => this.texts.get(path) ?? ts.sys.readFile(path),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path),
      realpath: (path) => ts.sys.realpath?.(path) ?? path,
    });
  }

  edit(file: string, text: string): void {
    this.texts.set(file, text);
    this.versions.set(file, (this.versions.get(file) ?? 0) + 1);
  }

  program(): ts.Program {
    const program = this.service.getProgram();
    if (program === undefined) throw new Error("The service has no program.");
    return program;
  }
}

const linesOf = (reported: readonly Reported[]): string[] =>
  reported
    .map(({ diagnostic: one }) => `${one.file}:${one.line}:${one.column} ${one.rule}: ${one.message}`)
    .sort();

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("a check that is kept from edit to edit", () => {
  let editor: Editor;
  let kept: KeptCheck;
  const fresh = (program: ts.Program): readonly Reported[] =>
    checkProgram({ program, typescript: ts, cwd: AREA, config: NO_CONFIG }).reported;

  beforeAll(() => {
    rmSync(AREA, { recursive: true, force: true });
    mkdirSync(AREA, { recursive: true });
    const { options } = ts.parseJsonConfigFileContent({ ...TSCONFIG, files: [] }, ts.sys, AREA);
    editor = new Editor(options);
    // Programs of several files, and as many of one.
    for (const fixture of readFixtures().filter(({ files }, index) => files.length > 1 || index % 16 === 0)) {
      const folder = layOut(fixture, "kept");
      for (const { path, text } of fixture.files)
        if (/\.[cm]?tsx?$/.test(path) && !/^(node_modules|vendor)\//.test(path))
          editor.edit(join(folder, path), text);
    }
    // Names that another file gives.
    editor.edit(
      join(AREA, "named.ts"),
      'import { workflow } from "@stepproof/runtime";\nimport { now } from "./now";\nexport const a = workflow({ run: async () => { now(); } });\n',
    );
    editor.edit(join(AREA, "now.ts"), "export const now = () => Date.now();\n");
    editor.edit(
      join(AREA, "registry.ts"),
      'import { setup } from "@stepproof/runtime";\nimport { a } from "./named";\nexport const registry = setup({ use: { billing: a } });\n',
    );
    for (const [path, text] of editor.texts) writeFileSync(path, text);
    kept = new KeptCheck({ cwd: AREA, config: NO_CONFIG, strict: false, typescript: ts });
  });

  test("begins with what a check of the whole finds", () => {
    const program = editor.program();
    expect(linesOf(kept.reported(program))).toEqual(linesOf(fresh(program)));
  });

  test("solves next to nothing when a file comes, changes or goes that no workflow reaches", () => {
    const before = kept.lookAt(editor.program());
    const unrelated = join(AREA, "unrelated.ts");
    for (const edit of [
      () => editor.edit(unrelated, "export const x = 1;\n"),
      () => editor.edit(unrelated, "export const x = 2;\n"),
      () => editor.texts.delete(unrelated),
    ]) {
      edit();
      const { solved, reported } = kept.lookAt(editor.program());
      // Of more than a hundred; some call what any file of the program could implement.
      expect(solved).toBeLessThan(5);
      expect(linesOf(reported)).toEqual(linesOf(before.reported));
    }
  });

  test("a helper's edit is seen in the workflow that reaches it, under the name that the registry gives", () => {
    const now = join(AREA, "now.ts");
    const named = (): string[] =>
      linesOf(kept.reported(editor.program())).filter((line) => line.startsWith("named.ts"));
    editor.edit(now, "export const now = () => Math.random();\n");
    expect(named()).toEqual([expect.stringContaining("workflow `billing` reaches it through `now`")]);
    editor.edit(now, "export const now = () => 1;\n");
    expect(named()).toEqual([]);
  });

  test(`after each of ${EDITS} edits it tells what a check of the whole tells`, () => {
    const pick = numbers(7);
    const files = [...editor.texts.keys()].sort();
    for (let edit = 0; edit < EDITS; edit++) {
      const file = files[pick(files.length)] ?? "";
      const lines = (editor.texts.get(file) ?? "").split("\n");
      const at = pick(lines.length);
      const what = pick(3);
      if (what === 0) lines.splice(at, 1);
      else if (what === 1) lines.splice(at, 0, "// edited");
      else lines.splice(at, 0, lines[at] ?? "");
      editor.edit(file, lines.join("\n"));
      const program = editor.program();
      expect(
        linesOf(kept.reported(program)),
        `seed 7, edit ${edit}: ${file}:${at + 1}, kind ${what}`,
      ).toEqual(linesOf(fresh(program)));
    }
  });
});
