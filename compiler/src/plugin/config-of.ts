import { resolve } from "node:path";
import { isInputError, loadConfig, loadConfigNow, NO_CONFIG, type Config } from "../index.js";

/**
 * The config for a project; one that can't be used is told and left out, so that the host tool goes on.
 * @param given relative to `root`.
 */
export function configNow(root: string, given: string | undefined, tell: (message: string) => void): Config {
  try {
    return loadConfigNow(root, given === undefined ? undefined : resolve(root, given));
  } catch (error) {
    return withoutConfig(error, tell);
  }
}

/** The same, without blocking: configs may await at their top level. */
export async function configLater(
  root: string,
  given: string | undefined,
  tell: (message: string) => void,
): Promise<Config> {
  try {
    return await loadConfig(root, given === undefined ? undefined : resolve(root, given));
  } catch (error) {
    return withoutConfig(error, tell);
  }
}

function withoutConfig(error: unknown, tell: (message: string) => void): Config {
  if (!isInputError(error)) throw error;
  tell(`${error.message} This config is left out.`);
  return NO_CONFIG;
}
