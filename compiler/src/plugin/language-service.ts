import { dirname } from "node:path";
import type ts from "typescript";
import { KeptCheck, withoutKnown, type Reported } from "../index.js";
import { configNow } from "./config-of.js";
import { faultsOf, policyOf, type PluginOptions } from "./options.js";
import { unsupported } from "./typescript/supported.js";
import { toTsDiagnostic } from "./typescript/to-ts-diagnostic.js";

interface PluginInfo {
  readonly languageService: ts.LanguageService;
  readonly languageServiceHost: { getCurrentDirectory(): string };
  readonly project: {
    getProjectName(): string;
    readonly projectService: { readonly logger: { info(text: string): void } };
  };
  readonly config: Omit<PluginOptions, "tsconfig" | "root" | "emit" | "failOn"> & { readonly name: string };
}

/** Services that this plugin sits in already: listed twice, it works once. */
const entered = new WeakSet<ts.LanguageService>();

/**
 * A plugin of the language service, for editors on TypeScript 6 and older:
 * `"plugins": [{ "name": "stepproof/language-service" }]`. The same findings as the command, while typing, with
 * their fixes. After an edit only the workflows that it can concern are looked at again (see `KeptCheck`).
 */
export default function init({ typescript }: { readonly typescript: typeof ts }) {
  return { create: (info: PluginInfo): ts.LanguageService => enter(info, typescript) };
}

function enter(info: PluginInfo, typescript: typeof ts): ts.LanguageService {
  const service = info.languageService;
  if (entered.has(service)) return service;
  const { logger } = info.project.projectService;
  const log = (message: string): void => {
    logger.info(`stepproof: ${message}`);
  };
  const cannot = unsupported(typescript);
  if (cannot !== null) {
    log(cannot);
    return service;
  }
  for (const fault of faultsOf(info.config, ["name", "transform", "transformProgram"]))
    log(`${fault}. It is left out.`);
  const findings = findingsOf(info, typescript, log);
  const own: Partial<ts.LanguageService> = {
    getSemanticDiagnostics(fileName) {
      const before = service.getSemanticDiagnostics(fileName);
      const program = service.getProgram();
      if (program === undefined) return before;
      const mine = findings(program).filter((one) => one.finding.place.file === fileName);
      return [...before, ...mine.flatMap((one) => toTsDiagnostic(one, program, typescript) ?? [])];
    },
    getCodeFixesAtPosition(fileName, start, end, codes, format, preferences) {
      const before = service.getCodeFixesAtPosition(fileName, start, end, codes, format, preferences);
      const program = service.getProgram();
      if (program === undefined) return before;
      const here = findings(program).filter(
        ({ finding, diagnostic }) =>
          finding.place.file === fileName &&
          codes.includes(diagnostic.code) &&
          finding.place.span[0] === start &&
          finding.place.span[1] === end,
      );
      return [...before, ...here.flatMap((one) => codeFixOf(one))];
    },
  };
  const wrapped = Object.assign(Object.create(service) as ts.LanguageService, own);
  entered.add(wrapped);
  return wrapped;
}

/** The findings of a program; what did not change since the last one is not looked at again. */
function findingsOf(
  info: PluginInfo,
  typescript: typeof ts,
  log: (message: string) => void,
): (program: ts.Program) => readonly Reported[] {
  const root = info.languageServiceHost.getCurrentDirectory().replaceAll("\\", "/");
  const name = info.project.getProjectName();
  const config = configNow(name.endsWith(".json") ? dirname(name) : root, info.config.config, log);
  const { strict } = policyOf(info.config, config);
  const check = new KeptCheck({ cwd: root, config, strict, typescript, onNote: once(log) });
  const held = new WeakMap<ts.Program, readonly Reported[]>();
  return (program) => {
    let reported = held.get(program);
    if (reported === undefined) {
      try {
        reported = withoutKnown(check.reported(program), config, root);
      } catch (error) {
        // An editor must go on without us; the command shows the fault.
        log(error instanceof Error ? (error.stack ?? error.message) : String(error));
        reported = [];
      }
      held.set(program, reported);
    }
    return reported;
  };
}

function codeFixOf({ finding }: Reported): ts.CodeFixAction[] {
  const { fix } = finding;
  if (fix === undefined) return [];
  const files = [...new Set(fix.edits.map((edit) => edit.file))];
  return [
    {
      fixName: "stepproof",
      description: fix.title,
      changes: files.map((fileName) => ({
        fileName,
        textChanges: fix.edits
          .filter((edit) => edit.file === fileName)
          .map(({ span, text }) => ({ span: { start: span[0], length: span[1] - span[0] }, newText: text })),
      })),
    },
  ];
}

/** Tells each message once. */
function once(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) tell(message);
    told.add(message);
  };
}
