import { watch as watchFiles } from "chokidar";
import { isInputError } from "../input-error.js";
import { printNote } from "./terminal.js";

/** Files whose change can change a result. */
const RELEVANT =
  /\.[cm]?[jt]sx?$|(^|[\\/])(tsconfig|jsconfig|stepproof)[^\\/]*\.json$|(^|[\\/])package\.json$/;
const SKIPPED = /(^|[\\/])(node_modules|dist|build|coverage|\.[^\\/]+)([\\/]|$)/;

const ENDS = ["SIGINT", "SIGTERM"] as const;

/**
 * Editors write a file in several steps, and a branch switch writes many: one run for all of them. Of a renamed file
 * the watcher tells that it is gone 100 ms after it tells of the new one.
 */
const QUIET_MS = 150;

/**
 * Runs once, and again after every change below a folder, until the process is asked to end (Ctrl-C, SIGTERM).
 * @param run prints its own result; wrong input is told and waited out, any other fault ends the watch.
 */
export async function watch(folder: string, run: () => Promise<unknown>): Promise<void> {
  await new Promise<void>((done, fail) => {
    const watcher = watchFiles(folder, {
      ignoreInitial: true,
      ignored: (path, stats) =>
        SKIPPED.test(path.slice(folder.length)) || (stats?.isFile() === true && !RELEVANT.test(path)),
    });
    let timer: NodeJS.Timeout | null = null;
    let last = Promise.resolve();
    let ended = false;
    const end = (error?: unknown): void => {
      if (ended) return;
      ended = true;
      if (timer) clearTimeout(timer);
      // A run under way goes on to its end: what it starts must be known to those who clean up.
      Promise.all([watcher.close(), last]).then(() => {
        for (const signal of ENDS) process.off(signal, stop);
        if (error === undefined) done();
        else fail(asError(error));
      }, fail);
    };
    const stop = (): void => {
      end();
    };
    const again = (): void => {
      last = last.then(async () => {
        if (ended) return;
        try {
          await run();
        } catch (error) {
          if (!isInputError(error)) return end(error);
          printNote(error.message);
        }
        if (!ended) printNote("watching for changes; Ctrl-C ends.");
      });
    };
    watcher.on("all", () => {
      if (timer) clearTimeout(timer);
      timer = setTimeout(again, QUIET_MS);
    });
    watcher.on("error", end);
    for (const signal of ENDS) process.on(signal, stop);
    // Changes before that would be missed.
    watcher.on("ready", again);
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
