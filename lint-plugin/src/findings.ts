import {
  check,
  checkProgram,
  NO_CONFIG,
  parseConfig,
  type CheckResult,
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
}

type Program = NonNullable<Parameters<typeof checkProgram>[0]["program"]>;

/** One analysis per program and config; a program is made anew when a text changes. */
const ofPrograms = new WeakMap<object, Map<Config, CheckResult>>();
/** Without a program: one analysis per text. */
const ofTexts = new WeakMap<object, Map<Config, CheckResult>>();
const configs = new WeakMap<object, Config>();

/**
 * The findings in one linted file. With type information the program at hand is analysed, once for all of its
 * files; without, the file's text (unsaved text too) together with what it imports from disk.
 * @throws {ConfigError} when `settings.stepproof` is not a valid config.
 */
export function findingsIn(file: LintedFile): readonly Reported[] {
  const path = file.filename.replaceAll("\\", "/");
  const result = resultFor(file, path);
  return result.reported.filter((one) => one.finding.place.file === path);
}

function resultFor(file: LintedFile, path: string): CheckResult {
  const cwd = file.cwd.replaceAll("\\", "/");
  const config = configOf(file.settings);
  const { program } = file.sourceCode.parserServices as { readonly program?: Program | null };
  if (program)
    return remembered(ofPrograms, program, config, () =>
      checkProgram({ program, cwd, config, strict: true }),
    );
  const overlay = new Map([[path, file.sourceCode.text]]);
  return remembered(ofTexts, file.sourceCode, config, () =>
    check({ cwd, paths: [path], overlay, config, strict: true }),
  );
}

function remembered(
  cache: WeakMap<object, Map<Config, CheckResult>>,
  key: object,
  config: Config,
  make: () => CheckResult,
): CheckResult {
  const held = cache.get(key) ?? new Map<Config, CheckResult>();
  cache.set(key, held);
  const result = held.get(config) ?? make();
  held.set(config, result);
  return result;
}

/** `settings.stepproof` holds what `stepproof.config` would; severities are ESLint's matter, so `rules` is left out. */
function configOf(settings: Readonly<Record<string, unknown>>): Config {
  const given = settings["stepproof"];
  if (given === undefined || given === null) return NO_CONFIG;
  if (typeof given !== "object") return parseConfig(given, "settings.stepproof");
  const known = configs.get(given);
  if (known) return known;
  const config = { ...parseConfig(given, "settings.stepproof"), rules: {} };
  configs.set(given, config);
  return config;
}
