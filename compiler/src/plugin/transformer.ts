import { dirname } from "node:path";
import type ts from "typescript";
import { KeptCheck, type KeptCheckOptions } from "../index.js";
import { configNow } from "./config-of.js";
import { fails } from "./finding-text.js";
import { faultsOf, policyOf, type PluginOptions } from "./options.js";
import { carryTransformer } from "./typescript/carry-transformer.js";
import { reportOf, type ProgramReport } from "./typescript/program-report.js";
import { unsupported } from "./typescript/supported.js";
import { toTsDiagnostic } from "./typescript/to-ts-diagnostic.js";

/** An entry of `plugins` in a tsconfig, as ts-patch hands it over. */
export type TransformerOptions = Omit<PluginOptions, "tsconfig" | "root">;

/** Keys of the entry that are ts-patch's own. */
const OF_TS_PATCH = ["transform", "transformProgram", "name", "import", "type", "after", "afterDeclarations"];

/** Programs that this plugin sits in already: listed twice, it works once. */
const entered = new WeakSet<ts.Program>();

/** What was told through a TypeScript: watch and `-b` make many programs. */
const toldBy = new WeakMap<typeof ts, Set<string>>();

/** A check of a program that is watched, and how it is made, written out. */
interface Watched {
  readonly how: string;
  readonly check: KeptCheck;
}

/** Checks of programs that are watched, one for each tsconfig: a config that was edited replaces the one before. */
const watchedBy = new WeakMap<typeof ts, Map<string, Watched>>();

/**
 * A program transformer of ts-patch: `{ "transform": "stepproof/transformer", "transformProgram": true }`.
 *
 * Findings are global diagnostics. That is where they are right under `--noEmit`, `-b`, `incremental` and watch
 * alike: what is said per file is kept in `.tsbuildinfo` and not asked again when the body of a helper in another
 * file changes. Type errors are added, since tsc asks for them only when there is no global diagnostic.
 */
export default function transformProgram(
  program: ts.Program,
  host: ts.CompilerHost | undefined,
  options: TransformerOptions,
  { ts: typescript }: { readonly ts: typeof ts },
): ts.Program {
  const told = toldBy.get(typescript) ?? new Set<string>();
  toldBy.set(typescript, told);
  const tell = (message: string): void => {
    if (told.has(message)) return;
    told.add(message);
    typescript.sys.write(`stepproof: ${message}\n`);
  };
  const cannot = unsupported(typescript);
  if (cannot !== null) {
    tell(cannot);
    return program;
  }
  if (entered.has(program)) {
    tell("the plugin is listed twice in this tsconfig; it works once.");
    return program;
  }
  entered.add(program);
  for (const fault of faultsOf(options, OF_TS_PATCH)) tell(`${fault}. It is left out.`);

  const compilerOptions = program.getCompilerOptions();
  const root = slashed(program.getCurrentDirectory());
  const configFile = compilerOptions["configFilePath"];
  const folder = typeof configFile === "string" ? dirname(configFile) : root;
  const config = configNow(folder, options.config, tell);
  const policy = policyOf(options, config);
  let report: ProgramReport | null = null;
  const look = (): ProgramReport => {
    if (report === null) {
      const check = checkOf(typescript, compilerOptions, {
        cwd: root,
        config,
        strict: policy.strict,
        typescript,
        onNote: tell,
        ...(policy.emit && compilerOptions.noEmit !== true ? { carryFrom: root } : {}),
      });
      report = reportOf(program, { root, config, check }, tell);
      write(report);
    }
    return report;
  };

  const globalDiagnostics = program.getGlobalDiagnostics.bind(program);
  program.getGlobalDiagnostics = (token) => {
    const own = globalDiagnostics(token);
    const findings = look()
      .reported.filter((one) => fails(one.diagnostic, policy.failOn))
      .flatMap((one) => toTsDiagnostic(one, program, typescript) ?? []);
    return findings.length === 0
      ? own
      : [...own, ...program.getSemanticDiagnostics(undefined, token), ...findings];
  };

  const emit = program.emit.bind(program);
  program.emit = (file, writeFile, token, onlyDeclarations, transformers) => {
    if (!policy.emit || onlyDeclarations === true)
      return emit(file, writeFile, token, onlyDeclarations, transformers);
    const carry = carryTransformer(typescript, (path) => look().callsIn(path));
    return emit(file, writeFile, token, onlyDeclarations, {
      ...transformers,
      before: [carry, ...(transformers?.before ?? [])],
    });
  };
  return program;

  /** What does not fail the build is written beside it: tsc fails on any diagnostic that it is given. */
  function write({ reported }: ProgramReport): void {
    const shown = reported
      .filter((one) => !fails(one.diagnostic, policy.failOn))
      .flatMap((one) => toTsDiagnostic(one, program, typescript) ?? []);
    if (shown.length === 0) return;
    const format =
      compilerOptions["pretty"] === true ? "formatDiagnosticsWithColorAndContext" : "formatDiagnostics";
    typescript.sys.write(
      typescript[format](shown, {
        getCurrentDirectory: () => root,
        getCanonicalFileName: (name) => host?.getCanonicalFileName(name) ?? name,
        getNewLine: () => typescript.sys.newLine,
      }),
    );
  }
}

/**
 * What is kept from program to program: under `--watch` each edit makes a new one, and only the workflows that it can
 * concern are looked at again. Without it there is one program, and nothing is kept.
 */
function checkOf(
  typescript: typeof ts,
  compilerOptions: ts.CompilerOptions,
  how: KeptCheckOptions,
): KeptCheck {
  if (compilerOptions["watch"] !== true) return new KeptCheck({ ...how, keepsFirst: false });
  const known = watchedBy.get(typescript) ?? new Map<string, Watched>();
  watchedBy.set(typescript, known);
  const project = String(compilerOptions["configFilePath"]);
  const { typescript: _, onNote: __, ...rest } = how;
  const written = JSON.stringify(rest);
  const before = known.get(project);
  const watched = before?.how === written ? before : { how: written, check: new KeptCheck(how) };
  known.set(project, watched);
  return watched.check;
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/").replace(/(.)\/$/, "$1");
}
