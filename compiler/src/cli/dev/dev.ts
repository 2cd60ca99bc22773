import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Manifest } from "../../../../runtime/src/manifest/format.js";
import type { CheckRequest } from "../../check.js";
import type { Config } from "../../config.js";
import { ProjectMemory } from "../../host/project-memory.js";
import { CHECK_FORMATS } from "../../report/index.js";
import { PREFLIGHT_FORMATS } from "../../report/preflight/index.js";
import { EXIT, type ExitCode } from "../exit.js";
import { openCheck, type SourceArguments } from "../open-check.js";
import { toolVersion } from "../../package.js";
import { preflightOf } from "../preflight.js";
import { printNote, printResult, renderOptions, workingDirectory } from "../terminal.js";
import { watch } from "../watch.js";
import { findEntry } from "./find-entry.js";
import { ServedProcess, type Started } from "./served-process.js";

export interface DevArguments extends SourceArguments {
  readonly port: number;
  /** The database. */
  readonly db: string;
}

/**
 * `stepproof dev`: runs a registry from its sources, checked and transformed; after every change checks again, tells
 * which stored instances the new code would not accept, and starts the process anew. With errors in the sources the
 * process that runs stays. Ends with Ctrl-C.
 * @throws {UsageError} when there is no such module.
 */
export async function devCommand(entry: string | undefined, args: DevArguments): Promise<ExitCode> {
  const cwd = workingDirectory();
  const dev = new Dev(findEntry(entry, cwd), args, cwd);
  try {
    await watch(cwd, () => dev.restart());
  } finally {
    await dev.stop();
  }
  return EXIT.clean;
}

class Dev {
  private served: ServedProcess | null = null;
  private readonly memory = new ProjectMemory();

  constructor(
    private readonly entry: string,
    private readonly args: DevArguments,
    private readonly cwd: string,
  ) {}

  /** Checks the sources as they are now and, if they may run, runs them. */
  async restart(): Promise<void> {
    const { config, request } = await openCheck([], this.args);
    const manifest = await this.checked(request, config);
    if (manifest === null) {
      const left = this.served?.isRunning === true ? "the code of before goes on" : "nothing is running";
      printNote(`not started, because of the findings above; ${left}.`);
      return;
    }
    await this.tellRefused(manifest);
    await this.stop();
    const order = { entry: this.entry, file: resolve(this.args.db), port: this.args.port };
    const { process: served, started } = await ServedProcess.start(order, this.cwd);
    this.served = served;
    this.tell(started);
  }

  async stop(): Promise<void> {
    await this.served?.stop();
    this.served = null;
  }

  /** Shows the findings. The manifest of the sources; `null` when they may not run (`failOn` of the config). */
  private async checked(request: CheckRequest, config: Config): Promise<Manifest | null> {
    const [{ check, toCheckReport }, { manifestOf }] = await Promise.all([
      import("../../check.js"),
      import("../../manifest/index.js"),
    ]);
    const { memory } = this;
    const started = performance.now();
    const result = check({ ...request, memory });
    const report = toCheckReport(result, this.cwd, performance.now() - started);
    for (const note of report.notes) printNote(note);
    if (report.diagnostics.length > 0) await printResult(CHECK_FORMATS.pretty(report, renderOptions()));
    const { errors, warnings } = report.summary;
    const failing = { error: errors, warning: errors + warnings, never: 0 }[config.failOn];
    if (failing > 0) return null;
    return manifestOf(result.analysis, { root: this.cwd, tool: `stepproof ${toolVersion()}` });
  }

  /** Which instances of the database the new code would park. */
  private async tellRefused(manifest: Manifest): Promise<void> {
    const { db } = this.args;
    if (!existsSync(db)) return;
    const report = await preflightOf(db, { manifest, label: "the working tree" });
    if (report.refused.length > 0) await printResult(PREFLIGHT_FORMATS.pretty(report, renderOptions()));
  }

  private tell(started: Started): void {
    const entry = relative(this.cwd, this.entry);
    switch (started.say) {
      case "serving":
        printNote(`${entry} serves ${started.names.join(", ")} on ${started.url}, from ${this.args.db}.`);
        this.served?.onEnd((code, signal) => {
          printNote(
            `${entry} ended (${signal ?? `code ${String(code)}`}); it is started again after the next change.`,
          );
        });
        break;
      case "no-registry":
        printNote(
          `${entry} exports no registry (its exports: ${started.exports.join(", ") || "none"}). Export one: export const registry = setup({ use: { … } }).`,
        );
        break;
      case "unstartable":
        printNote(`${entry} could not be started: ${started.reason}`);
        break;
      case "ended":
        printNote(
          `${entry} ended before it served (${started.signal ?? `code ${String(started.code)}`}); what it printed says why.`,
        );
    }
  }
}
