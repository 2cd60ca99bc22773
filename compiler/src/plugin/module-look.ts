import { isAbsolute, resolve } from "node:path";
import { Session, type ModuleReport } from "../index.js";
import { configNow } from "./config-of.js";
import { split, textOf } from "./finding-text.js";
import { faultsOf, policyOf, type PluginOptions, type Policy } from "./options.js";
import { warn } from "./warn.js";

/** A module as a tool without warnings of its own takes it. */
export interface LoadedModule {
  readonly report: ModuleReport;
  /** The text of the findings that fail it; empty when none does. */
  readonly failure: string;
  readonly policy: Policy;
}

/** Looks at the modules of one project, for tools that compile at once. Opens the project with the first module. */
export class ModuleLook {
  private open: { readonly session: Session; readonly policy: Policy } | null = null;

  /** @param more keys of `options` that are the caller's own. */
  constructor(
    private readonly options: PluginOptions,
    more: readonly string[],
  ) {
    for (const fault of faultsOf(options, more)) warn(`${fault}. It is left out.`);
  }

  /**
   * Warns of what does not fail the module.
   * @param path absolute.
   * @param folder of the tool, absolute: where the project is, unless the options say.
   */
  module(path: string, text: string, folder: string): LoadedModule {
    const { session, policy } = (this.open ??= this.start(resolve(folder, this.options.root ?? ".")));
    const report = session.module(
      (isAbsolute(path) ? path : resolve(folder, path)).replaceAll("\\", "/"),
      text,
    );
    const { failing, others } = split(report.reported, policy.failOn);
    for (const one of others) warn(textOf(one));
    return { report, policy, failure: failing.map(textOf).join("\n\n") };
  }

  private start(root: string): { readonly session: Session; readonly policy: Policy } {
    const { options } = this;
    const config = configNow(root, options.config, warn);
    const policy = policyOf(options, config);
    const session = new Session({
      root: root.replaceAll("\\", "/"),
      config,
      strict: policy.strict,
      onProblem: warn,
      ...(options.tsconfig === undefined ? {} : { tsconfig: resolve(root, options.tsconfig) }),
    });
    return { session, policy };
  }
}
