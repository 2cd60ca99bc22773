import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "@babel/core";
import { ESLint } from "eslint";
import ts from "typescript";
import tseslint from "typescript-eslint";
import { createLogger, createServer } from "vite";
import { NO_CONFIG, check } from "stepproof";
import lintPlugin from "eslint-plugin-stepproof";
import babelPlugin from "../../compiler/src/plugin/babel.js";
import languageServicePlugin from "../../compiler/src/plugin/language-service.js";
import transformProgram from "../../compiler/src/plugin/transformer.js";
import vitePlugin from "../../compiler/src/plugin/vite.js";

/** A finding as every tool can tell it. `file` is relative to the project. */
export interface Told {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** A project to be looked at by every tool: a folder with a tsconfig, and its files (absolute). */
export interface Project {
  readonly folder: string;
  readonly files: readonly string[];
}

/** Gives what a tool tells of a project. */
export type Adapter = (project: Project) => Promise<readonly Told[]> | readonly Told[];

/** The package of TypeScript 7. */
const SEVEN = fileURLToPath(new URL("../../fixtures/typescript-7/node_modules/typescript", import.meta.url));

/** By name; the command's own way comes first and is what the others are compared with. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = {
  command: ({ folder }) =>
    check({ cwd: folder, strict: true, tsconfig: `${folder}/tsconfig.json` }).reported.map(
      ({ diagnostic: { file, line, rule, message } }) => ({ file, line, rule, message }),
    ),

  "the checker of TypeScript 7": ({ folder }) => {
    const modules = `${folder}/node_modules`;
    mkdirSync(modules, { recursive: true });
    symlinkSync(SEVEN, `${modules}/typescript`, "dir");
    try {
      return check({
        cwd: folder,
        strict: true,
        tsconfig: `${folder}/tsconfig.json`,
        config: { ...NO_CONFIG, native: true },
        onNote: expectNothing,
      }).reported.map(({ diagnostic: { file, line, rule, message } }) => ({ file, line, rule, message }));
    } finally {
      rmSync(modules, { recursive: true });
    }
  },

  "tsc plugin": ({ folder }) => {
    const { fileNames, options } = tsconfigOf(folder);
    const host = ts.createCompilerHost(options);
    host.getCurrentDirectory = () => folder;
    const program = ts.createProgram(fileNames, options, host);
    // Type errors are asked for with the findings; here they cost much and tell nothing.
    program.getSemanticDiagnostics = () => [];
    return transformProgram(program, host, { failOn: "warning", strict: true }, { ts })
      .getGlobalDiagnostics()
      .flatMap((one) => fromTs(one, folder));
  },

  "language service": ({ folder, files }) => {
    const { fileNames, options } = tsconfigOf(folder);
    const languageServiceHost: ts.LanguageServiceHost = {
      getCompilationSettings: () => options,
      getScriptFileNames: () => fileNames,
      getScriptVersion: () => "1",
      getScriptSnapshot: (file) => {
        const text = ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
      fileExists: (path) => ts.sys.fileExists(path),
      readFile: (path) => ts.sys.readFile(path),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path),
      realpath: (path) => ts.sys.realpath?.(path) ?? path,
    };
    const languageService = ts.createLanguageService(languageServiceHost);
    languageService.getSemanticDiagnostics = () => [];
    const wrapped = languageServicePlugin({ typescript: ts }).create({
      languageService,
      languageServiceHost,
      project: {
        getProjectName: () => `${folder}/tsconfig.json`,
        projectService: { logger: { info: (text) => expectNothing(text) } },
      },
      config: { name: "stepproof/language-service", strict: true },
    });
    return files.flatMap((file) =>
      wrapped.getSemanticDiagnostics(file).flatMap((one) => fromTs(one, folder)),
    );
  },

  "ESLint with types": async ({ folder, files }) => {
    const { fileNames, options } = tsconfigOf(folder);
    const program = ts.createProgram(fileNames, options);
    const eslint = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      ignore: false,
      overrideConfig: [
        {
          files: ["**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}"],
          // The parser's own types are of another release of ESLint's.
          languageOptions: { parser: tseslint.parser as never, parserOptions: { programs: [program] } },
          linterOptions: { reportUnusedDisableDirectives: "off" },
        },
        lintPlugin.configs.strict,
      ],
    });
    const results = await eslint.lintFiles([...files]);
    return results.flatMap(({ filePath, messages }) =>
      messages.flatMap(({ ruleId, line, message }) =>
        // What can't be parsed, ESLint tells itself.
        ruleId === null
          ? []
          : [
              {
                file: relative(filePath, folder),
                line,
                rule: ruleId.replace("stepproof/", ""),
                message: message.split("\n")[0] ?? "",
              },
            ],
      ),
    );
  },

  Babel: ({ folder, files }) => {
    const options = { root: folder, strict: true, failOn: "warning" };
    return files.flatMap((file) => {
      try {
        transformSync(readFileSync(file, "utf8"), {
          filename: file,
          cwd: folder,
          configFile: false,
          babelrc: false,
          code: false,
          parserOpts: { plugins: [...(/\.[cm]?ts$/.test(file) ? [] : ["jsx" as const]), "typescript"] },
          plugins: [[babelPlugin, options]],
        });
        return [];
      } catch (error) {
        return fromText(error instanceof Error ? error.message : String(error), folder);
      }
    });
  },

  Vite: async ({ folder, files }) => {
    const lines: string[] = [];
    const server = await createServer({
      root: folder,
      configFile: false,
      appType: "custom",
      server: { middlewareMode: true, watch: null, ws: false },
      optimizeDeps: { noDiscovery: true },
      customLogger: { ...createLogger("silent"), warn: (text) => void lines.push(text) },
      plugins: [vitePlugin({ strict: true, failOn: "never" })],
    });
    try {
      for (const file of files) {
        await server.environments.ssr.pluginContainer
          .transform(readFileSync(file, "utf8"), file)
          .catch(() => undefined); // a fixture that does not parse is told, then refused
      }
    } finally {
      await server.close();
    }
    return lines.flatMap((text) => fromText(text, folder));
  },
};

function tsconfigOf(folder: string): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, folder);
}

function fromTs(one: ts.Diagnostic, folder: string): Told[] {
  if (one.source !== "stepproof" || one.file === undefined || one.start === undefined) return [];
  const [head = ""] = ts.flattenDiagnosticMessageText(one.messageText, "\n").split("\n");
  const [, rule = "", message = ""] = /^\[([\w-]+)\] (.*)$/.exec(head) ?? [];
  const { line } = one.file.getLineAndCharacterOfPosition(one.start);
  return [{ file: relative(one.file.fileName, folder), line: line + 1, rule, message }];
}

/** Reads `file(line,column): severity TS90001: [rule] message` out of what a tool prints. */
function fromText(text: string, _folder: string): Told[] {
  const pattern = /([^\s()]+)\((\d+),\d+\): (?:error|warning) TS9\d{4}: \[([\w-]+)\] (.*)$/gm;
  return [...text.matchAll(pattern)].map(([, file = "", line = "", rule = "", message = ""]) => ({
    file,
    line: Number(line),
    rule,
    message,
  }));
}

function relative(file: string, folder: string): string {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

function expectNothing(text: string): never {
  throw new Error(`The plugin has logged: ${text}`);
}
