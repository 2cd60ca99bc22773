import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { UsageError } from "./exit.js";

/**
 * The commit that a ref names.
 * @throws {UsageError} when git is missing, the folder is in no repository, or there is no such ref.
 */
export function resolveRef(cwd: string, ref: string): string {
  try {
    return git(cwd, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new UsageError("git:REF needs git, and there is no git command here.");
    throw new UsageError(`git knows no commit "${ref}" in ${cwd}${whyNone(cwd)}`);
  }
}

/** The likely reason that a ref is not known. */
function whyNone(cwd: string): string {
  try {
    if (git(cwd, ["rev-list", "--all", "--max-count=1"]).trim() === "")
      return ": nothing is committed in this repository yet.";
  } catch {
    // Asked only to say more of an error that is thrown anyway.
    return ": it is not in a git repository.";
  }
  return ". See git branch --all for what there is; in CI, fetch the whole history (fetch-depth: 0).";
}

/** A file as it was at a commit; `null` when it was not there. `path` is relative to `cwd`. */
export function fileAt(cwd: string, commit: string, path: string): string | null {
  const fromRoot = `${git(cwd, ["rev-parse", "--show-prefix"]).trim()}${path.replaceAll("\\", "/")}`;
  try {
    return git(cwd, ["show", `${commit}:${fromRoot}`]);
  } catch {
    // git says the same of a path that is not there as of one that can't be read; the caller builds it anew.
    return null;
  }
}

/**
 * Runs something on the sources as they were at a commit: a worktree in a temporary folder, with the
 * installed packages of today, removed afterwards.
 * @param run gets the folder in there that stands for `cwd`.
 */
export async function atCommit<T>(
  cwd: string,
  commit: string,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const root = git(cwd, ["rev-parse", "--show-toplevel"]).trim();
  const parent = mkdtempSync(join(tmpdir(), "stepproof-"));
  const tree = join(parent, "tree");
  try {
    git(root, ["worktree", "add", "--detach", "--quiet", tree, commit]);
    const inside = relative(root, cwd);
    for (const folder of new Set(["", inside])) {
      const packages = join(root, folder, "node_modules");
      const link = join(tree, folder, "node_modules");
      if (existsSync(packages) && existsSync(join(tree, folder)) && !existsSync(link))
        symlinkSync(packages, link, "junction");
    }
    return await run(join(tree, inside).replaceAll("\\", "/"));
  } finally {
    git(root, ["worktree", "remove", "--force", tree], "ignore");
    rmSync(parent, { recursive: true, force: true });
  }
}

function git(cwd: string, args: readonly string[], stderr: "pipe" | "ignore" = "pipe"): string {
  return execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", stderr],
    maxBuffer: 1 << 28,
  });
}
