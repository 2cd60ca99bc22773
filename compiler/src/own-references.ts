import { dirname, resolve } from "node:path";
import type { Config } from "./config.js";

/** What a config says of functions and types, with files of the user's own by their absolute path. */
export type OwnReferences = Pick<Config, "pure" | "effectful" | "factories" | "contextTypes">;

/**
 * `./src/flows.ts#durable` → `/app/src/flows#durable`: relative to the config, without the extension, since an import
 * may write another one or none. References to packages stay as they are.
 */
export function ownReferences(config: Config): OwnReferences {
  const { path } = config;
  if (path === null) return config;
  const folder = dirname(path);
  const absolute = (reference: string): string => {
    const [module = "", name = ""] = reference.split("#");
    if (!module.startsWith(".")) return reference;
    const file = resolve(folder, module).replaceAll("\\", "/");
    return `${withoutExtension(file)}#${name}`;
  };
  const keys = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [absolute(key), value]));
  return {
    pure: config.pure.map(absolute),
    effectful: config.effectful.map(absolute),
    factories: keys(config.factories),
    contextTypes: keys(config.contextTypes),
  };
}

const withoutExtension = (file: string): string => file.replace(/\.[cm]?[jt]sx?$/, "");
