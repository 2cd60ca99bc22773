import { closest, distance } from "fastest-levenshtein";
import { ConfigError } from "./config-error.js";
import { ENGINES } from "./engines/index.js";
import { RULES } from "./3-report/rules.js";
import type { ContextKind, EngineProfile, Severity } from "./types.js";

export { ConfigError, type ConfigErrorCode } from "./config-error.js";

/** `stepproof.config.{ts,js,json}` as people write it; every key may be left out. */
export interface UserConfig {
  /** Severity by rule: `"error"`, `"warning"` or `"off"`. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  /** Functions that are pure although they do not look it: `package#export`, `./file#export`, `performance.now`, with `*`. */
  readonly pure?: readonly string[];
  /** Functions that act or vary although they do not look it. */
  readonly effectful?: readonly string[];
  /** Own functions that make a workflow: `@acme/flows#durable` → the engine's export that it stands for. */
  readonly factories?: Readonly<Record<string, string>>;
  /** Own context types: `@acme/flows#FlowContext` → the kind of context. */
  readonly contextTypes?: Readonly<Record<string, ContextKind>>;
  /** Replay rules to judge by, whatever is imported. */
  readonly engine?: EngineProfile["name"];
  /** Globs of files to check when the command names none, relative to the config. */
  readonly include?: readonly string[];
  /** Globs of files that are never checked. */
  readonly exclude?: readonly string[];
  /** Baseline file, relative to the config: its findings stay silent. */
  readonly baseline?: string;
  /** From which severity on a plugin or the loader fails the tool that it sits in; default `"error"`. */
  readonly failOn?: FailOn;
  /** Whether plugins and the loader put manifests into the emitted code; default `true`. */
  readonly emit?: boolean;
  /** Whether the project's own TypeScript 7 is asked about types, if it is one that is known; default `false`. */
  readonly native?: boolean;
}

export type FailOn = "error" | "warning" | "never";

/** A validated config; what was left out is empty. */
export interface Config {
  /** Absolute path of the file, or `null` when there is none. */
  readonly path: string | null;
  readonly rules: Readonly<Record<string, Severity | "off">>;
  readonly pure: readonly string[];
  readonly effectful: readonly string[];
  readonly factories: Readonly<Record<string, string>>;
  readonly contextTypes: Readonly<Record<string, ContextKind>>;
  readonly engine: EngineProfile["name"] | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly baseline: string | null;
  readonly failOn: FailOn;
  readonly emit: boolean;
  readonly native: boolean;
}

/** For `stepproof.config.ts`: gives the object back, so that editors complete and check it. */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}

/** What holds without a config file. */
export const NO_CONFIG: Config = {
  path: null,
  rules: {},
  pure: [],
  effectful: [],
  factories: {},
  contextTypes: {},
  engine: null,
  include: [],
  exclude: [],
  baseline: null,
  failOn: "error",
  emit: true,
  native: false,
};

const CONTEXT_KINDS: readonly ContextKind[] = [
  "workflow",
  "loop",
  "branch",
  "try",
  "step",
  "rollback",
  "actor",
];

const FAIL_ON: readonly FailOn[] = ["error", "warning", "never"];

/** Checks one key's value and gives it back, or tells what is wrong by means of `fail`. */
type Check = (value: unknown, fail: (what: string) => never) => unknown;

const CHECKS: Readonly<Record<keyof UserConfig, Check>> = {
  rules: (value, fail) =>
    recordOf(value, fail, (rule, severity) => {
      oneOf(
        rule,
        RULES.map((row) => row.slug),
        (what) => fail(`"rules": ${what}`),
        "a rule",
      );
      oneOf(
        severity,
        ["error", "warning", "off"],
        (what) => fail(`"rules"."${rule}": ${what}`),
        "a severity",
      );
    }),
  pure: references("pure"),
  effectful: references("effectful"),
  factories: (value, fail) =>
    recordOf(value, fail, (key, target) => {
      reference(key, (what) => fail(`"factories": ${what}`));
      oneOf(
        target,
        definitionNames(),
        (what) => fail(`"factories"."${key}": ${what}`),
        "a function that makes workflows",
      );
    }),
  contextTypes: (value, fail) =>
    recordOf(value, fail, (key, kind) => {
      reference(key, (what) => fail(`"contextTypes": ${what}`));
      oneOf(kind, CONTEXT_KINDS, (what) => fail(`"contextTypes"."${key}": ${what}`), "a kind of context");
    }),
  engine: (value, fail) =>
    oneOf(value, Object.keys(ENGINES), (what) => fail(`"engine": ${what}`), "an engine"),
  include: texts("include"),
  exclude: texts("exclude"),
  baseline: (value, fail) =>
    typeof value === "string" && value !== "" ? value : fail(`"baseline" must be a path`),
  failOn: (value, fail) => oneOf(value, FAIL_ON, (what) => fail(`"failOn": ${what}`), "a severity"),
  emit: yesOrNo("emit"),
  native: yesOrNo("native"),
};

/**
 * Validates what a config file holds.
 * @param raw its value, as read.
 * @param path of the file, for messages and as `Config.path`.
 * @throws {ConfigError} `config-invalid` for the first key or value that is not known, with the nearest one.
 */
export function parseConfig(raw: unknown, path: string): Config {
  const fail = (what: string): never => {
    throw new ConfigError("config-invalid", `${path}: ${what}${what.endsWith("?") ? "" : "."}`);
  };
  if (!isRecord(raw)) return fail(`the config must be an object, not ${describe(raw)}`);
  const keys = Object.keys(CHECKS);
  for (const [key, value] of Object.entries(raw)) {
    if (key === "$schema") continue;
    if (!isKey(key)) return fail(`there is no key "${key}"${suggestion(key, keys)}`);
    if (value !== undefined) CHECKS[key](value, fail);
  }
  // Every key was checked above.
  const config = raw as UserConfig;
  const given = Object.fromEntries(
    Object.entries(config).filter(([key, value]) => key !== "$schema" && value !== undefined),
  );
  return { ...NO_CONFIG, ...given, path };
}

function isKey(key: string): key is keyof UserConfig {
  return Object.hasOwn(CHECKS, key);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordOf(
  value: unknown,
  fail: (what: string) => never,
  check: (key: string, item: unknown) => void,
): unknown {
  if (!isRecord(value)) return fail(`expected an object, found ${describe(value)}`);
  for (const [key, item] of Object.entries(value)) check(key, item);
  return value;
}

function yesOrNo(key: string): Check {
  return (value, fail) => (typeof value === "boolean" ? value : fail(`"${key}" must be true or false`));
}

function texts(key: string): Check {
  return (value, fail) =>
    Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "")
      ? value
      : fail(
          `"${key}" must be a list of texts, ${Array.isArray(value) ? `but holds ${described(value)}` : `not ${describe(value)}`}`,
        );
}

function references(key: string): Check {
  return (value, fail) => {
    const list = texts(key)(value, fail) as string[];
    for (const item of list) {
      if (/^[A-Za-z_$][\w$]*(\.[\w$*]+)+$/.test(item)) continue;
      reference(item, (what) => fail(`"${key}": ${what}, or of a global, "performance.now"`));
    }
    return list;
  };
}

/** `package#export` or `./file#export`; `*` stands for anything on either side. */
function reference(text: string, fail: (what: string) => never): void {
  const [module, name, ...rest] = text.split("#");
  if (module && name && rest.length === 0) return;
  fail(
    `"${text}" is not of the form "package#export" ("./file#export" for a file of yours; "*" stands for any text)`,
  );
}

function oneOf(
  value: unknown,
  known: readonly string[],
  fail: (what: string) => never,
  noun: string,
): unknown {
  if (typeof value === "string" && known.includes(value)) return value;
  const near = typeof value === "string" ? suggestion(value, known) : "";
  // One word to choose is more help than all; and nobody reads dozens.
  const list =
    near !== ""
      ? ""
      : ` (known: ${known.slice(0, MOST_LISTED).join(", ")}${known.length > MOST_LISTED ? " …" : ""})`;
  return fail(`${describe(value)} is not ${noun}${near}${list}`);
}

/** Words of a list in a message. */
const MOST_LISTED = 12;

function definitionNames(): string[] {
  const names = Object.values(ENGINES).flatMap((engine) =>
    Object.entries(engine.exports).flatMap(([name, what]) => (what.is === "definition" ? [name] : [])),
  );
  return [...new Set(names)].sort();
}

/** `; did you mean "x"?` when a known word is near. */
function suggestion(word: string, known: readonly string[]): string {
  const near = closest(word, [...known]);
  return near && distance(word, near) <= Math.max(2, Math.floor(near.length / 3))
    ? `; did you mean "${near}"?`
    : "";
}

/** The first item of a list that is no text. */
const described = (list: readonly unknown[]): string => {
  const wrong: unknown = list.find((item) => typeof item !== "string" || item === "");
  return wrong === "" ? "an empty one" : describe(wrong);
};

function describe(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (Array.isArray(value)) return "a list";
  return value === null || typeof value !== "object" ? String(value) : "an object";
}
