import { basename, resolve } from "node:path";
import {
  createUnplugin,
  type UnpluginBuildContext,
  type UnpluginContext,
  type UnpluginInstance,
  type UnpluginMessage,
} from "unplugin";
import { CARRY, Session, transformCode, type Diagnostic, type ModuleReport } from "../index.js";
import { configLater } from "./config-of.js";
import { split, textOf } from "./finding-text.js";
import { faultsOf, policyOf, type PluginOptions, type Policy } from "./options.js";

/** Options of the plugins for bundlers. */
export interface BundlerOptions extends PluginOptions {
  /** Emit the manifest as an asset: `true` for `stepproof.manifest.json`, or the asset's name. */
  readonly manifest?: boolean | string;
}

const SOURCE = /\.[cm]?[jt]sx?$/;
const MANIFEST_FILE = "stepproof.manifest.json";

interface Open {
  readonly session: Session;
  readonly policy: Policy;
}

/**
 * One plugin for all bundlers. A module's findings are told when the bundler compiles it: as its warnings, and, from
 * `failOn` on, as one error of that module. Definitions then carry their manifests.
 */
export const stepproof: UnpluginInstance<BundlerOptions | undefined, false> = createUnplugin<
  BundlerOptions | undefined,
  false
>((options = {}, meta) => {
  let root = resolve(options.root ?? ".");
  let serving = false;
  /** Modules that had something to tell or to carry, each with the files that it depends on. */
  const told = new Map<string, ReadonlySet<string>>();
  let open: Promise<Open> | null = null;
  const changes: { readonly path: string; readonly event: "create" | "update" | "delete" }[] = [];
  const problems: string[] = faultsOf(options, ["manifest"]).map((fault) => `${fault}. It is left out.`);
  const tell = (message: string): void => {
    problems.push(message);
  };
  const rootIs = (folder: string | undefined): void => {
    if (folder !== undefined) root = resolve(folder, options.root ?? ".");
  };

  async function start(): Promise<Open> {
    const config = await configLater(root, options.config, tell);
    const policy = policyOf(options, config);
    const session = new Session({
      root: slashed(root),
      config,
      strict: policy.strict,
      onProblem: tell,
      ...(options.tsconfig === undefined ? {} : { tsconfig: resolve(root, options.tsconfig) }),
    });
    return { session, policy };
  }

  return {
    name: "stepproof",
    // Before anything else touches the text: findings and manifests speak of what is written.
    enforce: "pre",
    vite: {
      configResolved(config) {
        rootIs(config.root);
        serving = config.command === "serve";
      },
      // Vite keeps the code of a module when only what it imports has changed; its findings can be others now.
      hotUpdate({ type, file }) {
        const { moduleGraph } = this.environment;
        for (const [path, dependsOn] of told) {
          // A file that comes or goes can be what any import meant.
          if (type === "update" && !dependsOn.has(slashed(file))) continue;
          for (const module of moduleGraph.getModulesByFile(path) ?? []) moduleGraph.invalidateModule(module);
        }
      },
    },
    webpack: (compiler) => {
      rootIs(compiler.context);
    },
    rspack: (compiler) => {
      rootIs(compiler.context);
    },
    esbuild: {
      setup: (build) => {
        rootIs(build.initialOptions.absWorkingDir);
      },
    },
    farm: {
      configResolved: (config: { readonly root?: string }) => {
        rootIs(config.root);
      },
    },

    async buildStart() {
      if (open !== null) (await open).session.refresh();
    },

    watchChange(id, { event }) {
      changes.push({ path: slashed(id), event });
    },

    transform: {
      filter: { id: { include: /\.[cm]?[jt]sx?(?:\?|$)/, exclude: /[\\/]node_modules[\\/]/ } },
      async handler(code, id) {
        const path = pathOf(id);
        // Listed twice, it works once: what carries manifests was looked at before.
        if (path === null || code.includes(CARRY)) return undefined;
        const { session, policy } = await (open ??= start());
        for (const change of changes.splice(0)) session.changed(change.path, change.event);
        const report = session.module(path, code);
        const voice = voiceOf(this);
        for (const problem of problems.splice(0)) voice.warn(`stepproof: ${problem}`);
        if (report.calls.length > 0 || report.reported.length > 0) {
          told.set(path, new Set(report.dependsOn));
          // Farm watches files itself and takes no more.
          if (meta.framework !== "farm") for (const file of report.dependsOn) this.addWatchFile(file);
        }
        if (tellFindings(voice, report, policy, sayer(path, meta.framework))) return undefined;
        return policy.emit ? transformCode(code, path, report.calls) : undefined;
      },
    },

    async buildEnd() {
      const { manifest } = options;
      if (manifest === undefined || manifest === false || serving || open === null) return;
      const text = (await open).session.manifestText();
      if (text === null) return;
      const fileName = manifest === true ? MANIFEST_FILE : manifest;
      this.emitFile({ type: "asset", fileName, name: basename(fileName), source: text });
    },
  };
});

/** The file of a module; `null` for virtual ones and for parts of other files (`app.vue?vue&type=script`). */
function pathOf(id: string): string | null {
  const [path = "", query = ""] = id.split("?");
  if (path.startsWith("\0") || !SOURCE.test(path)) return null;
  return /^(?:[tv]=[^&]*)?$/.test(query) ? slashed(path) : null;
}

/** @returns whether the module fails. */
function tellFindings(
  voice: UnpluginContext,
  { reported }: ModuleReport,
  { failOn }: Policy,
  say: (one: Diagnostic, message: string) => UnpluginMessage | string,
): boolean {
  const { failing, others } = split(reported, failOn);
  for (const one of others) voice.warn(say(one, textOf(one)));
  const [first] = failing;
  if (first === undefined) return false;
  voice.error(say(first, failing.map(textOf).join("\n\n")));
  return true;
}

/** Where warnings and errors go. Unplugin hands Farm objects, which it aborts on: Farm is told itself. */
function voiceOf(context: UnpluginBuildContext & UnpluginContext): UnpluginContext {
  const native = context.getNativeBuildContext?.();
  // Unplugin leaves Farm's context untyped here; it has both methods, for text.
  return native?.framework === "farm" ? (native.context as unknown as UnpluginContext) : context;
}

/** How a bundler is told of a finding: Farm takes text alone, and esbuild would show an empty line as excerpt. */
function sayer(
  id: string,
  framework: string,
): (one: Diagnostic, message: string) => UnpluginMessage | string {
  if (framework === "farm") return (_one, message) => message;
  if (framework === "esbuild") return (_one, message) => ({ id, message });
  return (one, message) => ({ id, message, loc: { file: id, line: one.line, column: one.column - 1 } });
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
