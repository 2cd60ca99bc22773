import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { RenderOptions } from "../report/index.js";
import { toolVersion } from "../package.js";

/** Working directory, absolute with `/`. */
export function workingDirectory(): string {
  return process.cwd().replaceAll("\\", "/");
}

/** Writes a result: the whole text, to stdout, and waits until it is taken. A closed pipe is not an error. */
export async function printResult(text: string): Promise<void> {
  await new Promise<void>((done, fail) => {
    process.stdout.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") fail(error);
      else done();
    });
  });
}

/** Writes a note for people to stderr, where it is never taken for a result. */
export function printNote(text: string): void {
  process.stderr.write(`stepproof: ${text}\n`);
}

/** Shows progress, on a terminal only: the line is overwritten by the next and gone at the end. */
export function progress(text: string | null): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(text === null ? "\r\x1b[K" : `\r\x1b[K${text}`);
}

/** What `STEPPROOF_NATIVE` says (`1` or `0`); `undefined` when it says nothing. */
export function nativeByEnvironment(): boolean | undefined {
  const value = process.env["STEPPROOF_NATIVE"];
  return value === undefined || value === "" ? undefined : value !== "0";
}

/** How to render for the stream that results go to. */
export function renderOptions(): RenderOptions {
  const cwd = workingDirectory();
  return {
    color: wantsColor(process.stdout.isTTY, process.env),
    width: Math.min(process.stdout.columns ?? 100, 120),
    source: (file) => {
      const path = resolve(cwd, file);
      return existsSync(path) ? readFileSync(path, "utf8") : null;
    },
    pathPrefix: prefixFrom(process.env["GITHUB_WORKSPACE"] || repositoryRoot(cwd), cwd),
    toolVersion: toolVersion(),
  };
}

/** `NO_COLOR` beats `FORCE_COLOR` beats the terminal (https://no-color.org). */
export function wantsColor(
  isTerminal: boolean | undefined,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"] !== undefined) return env["FORCE_COLOR"] !== "0";
  return isTerminal === true && env["TERM"] !== "dumb";
}

/** `packages/app/` when the working directory lies there below the root; `""` at the root or outside of it. */
export function prefixFrom(root: string | null, cwd: string): string {
  if (root === null) return "";
  const path = relative(root, cwd).replaceAll("\\", "/");
  return path === "" || path.startsWith("..") || /^[A-Za-z]:/.test(path) ? "" : `${path}/`;
}

function repositoryRoot(folder: string): string | null {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = resolve(folder, "..");
  return above === folder ? null : repositoryRoot(above);
}
