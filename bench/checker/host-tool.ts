/**
 * One tool on a project, in a process of its own; prints the CPU that it took from the state where the program exists
 * (user, in ms). Called by `run.ts`.
 *
 *   npx tsx bench/checker/host-tool.ts FOLDER tsc|tsc-plugin|eslint|eslint-stepproof|eslint-no-floating-promises
 */
import { ESLint } from "eslint";
import ts from "typescript";
import tseslint from "typescript-eslint";

const [folder = ".", tool = ""] = process.argv.slice(2);
const read = ts.readConfigFile(`${folder}/tsconfig.json`, (path) => ts.sys.readFile(path)) as {
  config: unknown;
};
const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, ts.sys, folder);
const host = ts.createCompilerHost(options);
host.getCurrentDirectory = () => folder;

let begin = process.cpuUsage().user;
if (tool.startsWith("tsc")) await asTsc(tool === "tsc-plugin");
else await asEslint(tool);
console.log(JSON.stringify({ ms: (process.cpuUsage().user - begin) / 1000 }));

/** What `tsc --noEmit` and, with ts-patch, `tspc --noEmit` do: make the program, ask for what they print. */
async function asTsc(plugin: boolean): Promise<void> {
  let program = ts.createProgram(fileNames, options, host);
  if (plugin) {
    const { default: enter } = await import("../../compiler/dist/transformer.cjs" as string).then(
      (module: { default: { default: Enter } }) => module.default,
    );
    program = enter(
      program,
      host,
      { failOn: "never" },
      { ts: { ...ts, sys: { ...ts.sys, write: () => undefined } } },
    );
  }
  program.getSyntacticDiagnostics();
  program.getGlobalDiagnostics();
  program.getSemanticDiagnostics();
}

type Enter = (
  program: ts.Program,
  host: ts.CompilerHost,
  options: object,
  extra: { ts: typeof ts },
) => ts.Program;

async function asEslint(which: string): Promise<void> {
  const program = ts.createProgram(fileNames, options, host);
  program.getTypeChecker();
  const { default: stepproof } = await import("eslint-plugin-stepproof");
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    ignore: false,
    overrideConfig: [
      {
        files: ["**/*.ts"],
        // The parser's own types are of another release of ESLint's.
        languageOptions: { parser: tseslint.parser as never, parserOptions: { programs: [program] } },
        linterOptions: { reportUnusedDisableDirectives: "off" },
      },
      ...(which === "eslint-stepproof" ? [stepproof.configs.recommended] : []),
      ...(which === "eslint-no-floating-promises"
        ? [
            {
              plugins: { t: tseslint.plugin as never },
              rules: { "t/no-floating-promises": "error" as const },
            },
          ]
        : []),
    ],
  });
  begin = process.cpuUsage().user;
  await eslint.lintFiles(fileNames);
}
