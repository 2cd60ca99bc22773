import type ts from "typescript";
import { folderOf } from "../disk.js";
import type { Files } from "../files.js";
import { PLATFORM_LIB, PLATFORM_LIB_NAME, isLeftOut, withRuntimeTypes } from "../platform-lib.js";
import type { ProgramRequest } from "../lazy-program.js";
import type {
  NativeChecker,
  NativeFileSystem,
  NativeModules,
  NativeProcess,
  NativeProgram,
} from "./native-api.js";
import { writtenOptions } from "./native-options.js";

export interface OpenedNative {
  readonly server: NativeProcess;
  readonly program: NativeProgram;
  readonly checker: NativeChecker;
}

/** TypeScript 7's own libs lie in the package of its binary. */
const OWN_LIB = /\/@typescript\/typescript-[^/]+\/lib\/lib\.[^/]*\.d\.ts$/;

/**
 * Starts TypeScript 7 on the same program that `lazyProgram` makes: the same roots, options and libs, told by a tsconfig
 * that exists for the process only. It reads through `files`, so that unsaved text is seen and every look is noted.
 * @throws {Error} when the process can't be started, or refuses the options.
 */
export function openNativeProgram(
  { sync }: NativeModules,
  { files, options: given, roots, references }: Omit<ProgramRequest, "unit" | "memory">,
): OpenedNative {
  const [root = files.cwd] = roots;
  const options = withRuntimeTypes(given, folderOf(root), files);
  const folder =
    options.configFilePath === undefined
      ? files.cwd.replace(/\/$/, "")
      : folderOf(String(options.configFilePath));
  const config = `${folder}/tsconfig.stepproof-native.json`;
  const platform = `${folder}/${PLATFORM_LIB_NAME}`;
  const made = new Map([
    [config, tsconfig(options, roots, references, platform)],
    [platform, PLATFORM_LIB],
  ]);
  const server = new sync.API({ cwd: files.cwd, fs: fileSystem(files, made) });
  try {
    const project = server.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error("it did not open the project");
    const { program, checker } = project;
    const refused = [...program.getConfigFileParsingDiagnostics(), ...program.getProgramDiagnostics()].find(
      ({ code }) => code >= 5000 && code < 6000,
    );
    if (refused !== undefined) throw new Error(refused.text);
    return { server, program, checker };
  } catch (error) {
    server.close();
    throw error;
  }
}

function tsconfig(
  options: ts.CompilerOptions,
  roots: readonly string[],
  references: readonly ts.ProjectReference[],
  platform: string,
): string {
  const noLib = options.noLib === true;
  return JSON.stringify({
    compilerOptions: { ...writtenOptions(options), ...(noLib ? {} : { lib: ["esnext"] }) },
    files: noLib ? roots : [...roots, platform],
    references: references.map(({ path }) => ({ path })),
  });
}

function fileSystem(files: Files, made: ReadonlyMap<string, string>): NativeFileSystem {
  return {
    readFile: (path) => {
      if (OWN_LIB.test(path)) return isLeftOut(path) ? "" : undefined;
      return made.get(path) ?? files.read(path) ?? null;
    },
    fileExists: (path) => (OWN_LIB.test(path) ? undefined : made.has(path) || files.fileExists(path)),
    directoryExists: (path) => files.directoryExists(path),
    realpath: (path) => (made.has(path) || OWN_LIB.test(path) ? path : files.realpath(path)),
    // Files are listed in the config, so that only folders are ever looked through.
    getAccessibleEntries: (path) => ({ files: [], directories: files.directories(path) }),
  };
}
