import { emitWarning } from "node:process";
import {
  check,
  isInputError,
  KeptCheck,
  loadConfigNow,
  mentionsEngine,
  NO_CONFIG,
  parseConfig,
  type Config,
  type Reported,
} from "stepproof";
import type { SourceCode } from "eslint";

/** What a rule needs of its context; the part that ESLint 9, ESLint 10 and oxlint share. */
export interface LintedFile {
  /** Absolute path. */
  readonly filename: string;
  readonly cwd: string;
  readonly sourceCode: SourceCode;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly languageOptions?: { readonly parser?: object | undefined };
}

type Program = Parameters<KeptCheck["reported"]>[0];

/** One analysis per program and config; a program is made anew when a text changes. */
const ofPrograms = new WeakMap<object, Map<Config, readonly Reported[]>>();
/** Without a program: one analysis per text. */
const ofTexts = new WeakMap<object, Map<Config, readonly Reported[]>>();
/** What is kept from program to program. */
const checks = new WeakMap<Config, Map<string, KeptCheck>>();
/** Configs by the parser of a run (one object for all of its files), then by settings or folder. */
const ofRuns = new WeakMap<object, Run>();

/** Stands for the parser of hosts that do not name one (oxlint). */
const NO_PARSER = {};

/** What is kept for one run of the host. */
interface Run {
  readonly configs: Map<unknown, Config>;
  readonly told: Set<string>;
}

/**
 * The findings in one linted file. With type information the program at hand is analysed, once for all of its
 * files; without, the file's text (unsaved text too) together with what it imports from disk.
 */
export function findingsIn(file: LintedFile): readonly Reported[] {
  const path = file.filename.replaceAll("\\", "/");
  const { text } = file.sourceCode;
  const config = configOf(file);
  const { program } = file.sourceCode.parserServices as { readonly program?: Program | null };
  if (!program && !mentionsEngine(text, config)) return [];
  const run = runOf(file);
  if (!program) tell(run, WITHOUT_TYPES);
  try {
    return reportedIn(file, config, program ?? null).filter((one) => one.finding.place.file === path);
  } catch (error) {
    if (!isInputError(error)) throw error;
    tell(run, error.message);
    return [];
  }
}

const WITHOUT_TYPES =
  "no type information: each file is analysed by itself, with what it imports from disk. With parserOptions: { projectService: true } (typescript-eslint) all files share one analysis.";

/** Once for each run: ESLint has no place for what is no finding. */
function tell(run: Run, message: string): void {
  if (run.told.has(message)) return;
  run.told.add(message);
  emitWarning(message, "Stepproof");
}

function runOf(file: LintedFile): Run {
  const key = file.languageOptions?.parser ?? NO_PARSER;
  const run = ofRuns.get(key) ?? {
    configs: new Map<unknown, Config>(),
    told: new Set<string>(),
  };
  ofRuns.set(key, run);
  return run;
}

function reportedIn(file: LintedFile, config: Config, program: Program | null): readonly Reported[] {
  const cwd = file.cwd.replaceAll("\\", "/");
  if (program)
    return remembered(ofPrograms, program, config, () =>
      keptCheck(program, config, cwd, (message) => tell(runOf(file), message)).reported(program),
    );
  const path = file.filename.replaceAll("\\", "/");
  const overlay = new Map([[path, file.sourceCode.text]]);
  return remembered(
    ofTexts,
    file.sourceCode,
    config,
    () =>
      check({
        cwd,
        paths: [path],
        overlay,
        config,
        strict: true,
        onNote: (message) => {
          tell(runOf(file), message);
        },
      }).reported,
  );
}

/** One per config and project: an editor makes a new program of it at each edit, a run of the command makes one. */
function keptCheck(
  program: Program,
  config: Config,
  cwd: string,
  onNote: (message: string) => void,
): KeptCheck {
  const ofConfig = checks.get(config) ?? new Map<string, KeptCheck>();
  checks.set(config, ofConfig);
  const key = `${cwd}\n${String(program.getCompilerOptions()["configFilePath"] ?? "")}`;
  const kept = ofConfig.get(key) ?? new KeptCheck({ cwd, config, strict: true, keepsFirst: false, onNote });
  ofConfig.set(key, kept);
  return kept;
}

function remembered(
  cache: WeakMap<object, Map<Config, readonly Reported[]>>,
  key: object,
  config: Config,
  make: () => readonly Reported[],
): readonly Reported[] {
  const held = cache.get(key) ?? new Map<Config, readonly Reported[]>();
  cache.set(key, held);
  const result = held.get(config) ?? make();
  held.set(config, result);
  return result;
}

/**
 * `settings.stepproof`, which holds what `stepproof.config` would, else that file. Severities are ESLint's matter, so
 * `rules` is left out. What can't be used is told once.
 */
function configOf(file: LintedFile): Config {
  const given = file.settings["stepproof"] ?? null;
  const run = runOf(file);
  const key = given ?? file.cwd;
  const known = run.configs.get(key);
  if (known) return known;
  let config = NO_CONFIG;
  try {
    config = given === null ? loadConfigNow(file.cwd) : parseConfig(given, "settings.stepproof");
  } catch (error) {
    if (!isInputError(error)) throw error;
    tell(run, `${error.message} This config is left out.`);
  }
  config = { ...config, rules: {} };
  run.configs.set(key, config);
  return config;
}
