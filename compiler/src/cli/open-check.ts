import { resolve } from "node:path";
import type { AnalyzeRequest } from "../analyze.js";
import type { CheckRequest } from "../check.js";
import type { Config } from "../config.js";
import { loadConfig } from "../load-config.js";
import type { EngineProfile } from "../types.js";
import { nativeByEnvironment, workingDirectory } from "./terminal.js";

/** What the commands that read sources have in common. */
export interface SourceArguments {
  readonly project?: string;
  readonly config?: string;
  readonly engine?: string;
  readonly strict?: boolean;
  readonly native?: boolean;
}

/**
 * The config that counts: the given or the nearest file, with the command line on top.
 * @throws {ConfigError} when it can't be used.
 */
export async function openConfig(args: SourceArguments): Promise<Config> {
  const config = await loadConfig(
    workingDirectory(),
    args.config === undefined ? undefined : resolve(args.config),
  );
  return {
    ...config,
    // commander let only known names pass.
    ...(args.engine === undefined ? {} : { engine: args.engine as EngineProfile["name"] }),
    native: args.native ?? nativeByEnvironment() ?? config.native,
  };
}

/** What to analyse, from the command line. `paths` are relative to `cwd`. */
export function sourceRequest(
  paths: readonly string[],
  args: SourceArguments,
  config: Config,
  cwd: string,
): AnalyzeRequest {
  return { cwd, paths, config, ...(args.project === undefined ? {} : { tsconfig: args.project }) };
}

/**
 * Reads the config; what to check by it and the command line.
 * @param paths as written on the command line, relative to the working directory.
 * @throws {ConfigError} when the config can't be used.
 */
export async function openCheck(
  paths: readonly string[],
  args: SourceArguments,
): Promise<{ config: Config; request: CheckRequest }> {
  const config = await openConfig(args);
  const request = { ...sourceRequest(paths, args, config, workingDirectory()), strict: args.strict === true };
  return { config, request };
}
