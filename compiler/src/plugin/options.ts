import type { Config, FailOn } from "../index.js";

/** What every plugin takes; all may be left out. */
export interface PluginOptions {
  /** The project's folder; else where the host tool says it works. */
  readonly root?: string;
  /** The tsconfig that names the files, relative to `root`; else the nearest. */
  readonly tsconfig?: string;
  /** The config file, relative to `root`; else the nearest `stepproof.config.*`. */
  readonly config?: string;
  /** Also report calls that could not be followed. */
  readonly strict?: boolean;
  /** From which severity on the host tool fails; default `"error"`. */
  readonly failOn?: FailOn;
  /** Whether manifests go into the emitted code; default `true`. */
  readonly emit?: boolean;
}

/** What holds after the plugin's options, then the config, then the defaults. */
export interface Policy {
  readonly failOn: FailOn;
  readonly emit: boolean;
  readonly strict: boolean;
}

/** Options of the plugin win over the config. */
export function policyOf(options: PluginOptions, config: Config): Policy {
  return {
    failOn: options.failOn ?? config.failOn,
    emit: options.emit ?? config.emit,
    strict: options.strict ?? false,
  };
}

const FAIL_ON: readonly unknown[] = ["error", "warning", "never"];
const CHECKS: Readonly<Record<keyof PluginOptions, (value: unknown) => boolean>> = {
  root: isText,
  tsconfig: isText,
  config: isText,
  strict: isFlag,
  failOn: (value) => FAIL_ON.includes(value),
  emit: isFlag,
};

/**
 * What is wrong with the options of a plugin, one sentence each; empty when all is well.
 * @param more keys that the host tool, or this plugin alone, puts in as well.
 */
export function faultsOf(options: object, more: readonly string[]): string[] {
  return Object.entries(options).flatMap(([key, value]) => {
    if (value === undefined || more.includes(key)) return [];
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key as keyof PluginOptions] : undefined;
    if (check === undefined)
      return [`there is no option "${key}" (known: ${Object.keys(CHECKS).join(", ")})`];
    return check(value) ? [] : [`the option "${key}" can't be ${JSON.stringify(value)}`];
  });
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}
