import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * A process whose lines can be waited for.
 * @param {string[]} args of node
 * @param {Record<string, string>} env added to ours
 */
export function startProcess(args, env) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = [];
  /** The server's log: shown only when something went wrong. */
  let log = "";
  child.stderr.on("data", (text) => {
    log += text;
  });
  const waiting = [];
  const settle = () => {
    for (const one of [...waiting]) {
      const line = lines.find((text) => text.startsWith(one.start));
      if (line === undefined) continue;
      waiting.splice(waiting.indexOf(one), 1);
      one.found(line);
    }
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    settle();
  });
  child.on("exit", (code, signal) => {
    for (const one of waiting.splice(0))
      one.failed(new Error(`The process ended (${signal ?? code}) before it said "${one.start}".\n${log}`));
  });
  return {
    /** Resolves with the first line that begins so, said before or to come. */
    line: (start) =>
      new Promise((found, failed) => {
        const timer = setTimeout(
          () => failed(new Error(`Nothing said "${start}" within 20 s; said: ${lines.join(" | ")}\n${log}`)),
          20_000,
        );
        waiting.push({
          start,
          found: (line) => {
            clearTimeout(timer);
            found(line);
          },
          failed: (error) => {
            clearTimeout(timer);
            failed(error);
          },
        });
        settle();
      }),
    /** Ends the process as a power cut would, and waits until it is gone. */
    kill: () =>
      new Promise((gone) => {
        child.on("exit", gone);
        child.kill("SIGKILL");
      }),
  };
}
