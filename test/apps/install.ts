import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const APPS = join(ROOT, "fixtures/apps");
const PACKAGES = ["runtime", "compiler", "lint-plugin"];

/** Every tool that the examples use, in one folder: one install serves all of them. */
const TOOLS: Readonly<Record<string, string>> = {
  "@babel/cli": "^7.28.0",
  "@babel/core": "^7.29.0",
  "@babel/preset-typescript": "^7.28.0",
  "@farmfe/cli": "^1.0.0",
  "@farmfe/core": "^1.7.0",
  "@rspack/cli": "^2.0.0",
  "@rspack/core": "^2.0.0",
  "@types/node": "^20.19.0",
  esbuild: "^0.28.0",
  "esbuild-loader": "^4.0.0",
  eslint: "^10.15.0",
  "eslint-9": "npm:eslint@^9.39.0",
  oxlint: "^1.94.0",
  rivetkit: "2.3.19",
  rolldown: "^1.3.0",
  rollup: "^4.68.0",
  "ts-patch": "^3.3.0",
  tsx: "^4.23.0",
  typescript: "~5.9.3",
  "typescript-6": "npm:typescript@~6.0.3",
  "typescript-7": "npm:typescript@7.0.2",
  "typescript-eslint": "^8.74.0",
  vite: "^7.3.0",
  vitest: "^4.1.0",
  webpack: "^5.113.0",
  "webpack-cli": "^6.0.0",
};

/** What a process gave. */
export interface Outcome {
  readonly code: number | null;
  /** stdout and stderr, without colours. */
  readonly output: string;
}

/** Runs a program in a folder, without a terminal. */
export function run(folder: string, command: string, ...args: readonly string[]): Outcome {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", CI: "1", NODE_OPTIONS: "" };
  const result = spawnSync(command, args, { cwd: folder, encoding: "utf8", env, timeout: 240_000 });
  if (result.error) throw result.error;
  return { code: result.status, output: stripVTControlCharacters(`${result.stdout}${result.stderr}`) };
}

/**
 * A folder with all tools and the packages of this repository, installed from the registry and from tarballs as
 * `npm pack` makes them: outside of the repository, whose own packages are not in sight there. Tools stay from run to
 * run; the packages are installed anew.
 */
export function installTools(): string {
  const folder = join(realpathSync(tmpdir()), `stepproof-apps-${hashOf(ROOT).slice(0, 8)}`);
  const stamp = hashOf(JSON.stringify(TOOLS));
  const stampFile = join(folder, "node_modules/.tools");
  if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "apps", private: true, version: "0.0.0", devDependencies: TOOLS }),
    );
    must(run(folder, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"));
  }
  const tarballs = PACKAGES.map((name) => {
    if (!existsSync(join(ROOT, name, "dist/index.d.ts")))
      throw new Error(`${name} is not built: run npm run build first.`);
    return join(
      folder,
      must(run(join(ROOT, name), "npm", "pack", "--silent", "--pack-destination", folder)).trim(),
    );
  });
  must(
    run(folder, "npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs),
  );
  writeFileSync(stampFile, stamp);
  return folder;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function must({ code, output }: Outcome): string {
  if (code !== 0) throw new Error(output);
  return output;
}

/**
 * Lays an example out in a folder of its own.
 * @param more files on top; `null` takes one away.
 * @param typescript another TypeScript of the tools, as the one that the project has.
 */
export function layOut(
  tools: string,
  app: string,
  more: Readonly<Record<string, string | null>> = {},
  typescript?: "typescript-6" | "typescript-7",
): string {
  const folder = join(tools, "projects", app);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(APPS, "common"), folder, { recursive: true });
  const own = join(APPS, `with-${app.replace(/@.*$/, "")}`);
  cpSync(own, folder, { recursive: true });
  for (const [name, text] of Object.entries(more)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
  }
  if (typescript !== undefined) {
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(join(tools, "node_modules", typescript), join(folder, "node_modules/typescript"));
  }
  return folder;
}

/** The program of a tool. */
export function bin(tools: string, name: string): string {
  return join(tools, "node_modules/.bin", name);
}
