import ts from "typescript";
import { expect, test } from "vitest";
import {
  PLATFORM_LIB,
  PLATFORM_LIB_NAME,
  isPlatformLib,
  libraryFolder,
  withPlatformLib,
} from "./platform-lib.js";

test("the platform lib is right beside the language's libs", () => {
  const options = withPlatformLib({ strict: true });
  const host = ts.createCompilerHost(options);
  const path = `${libraryFolder(options)}/${PLATFORM_LIB_NAME}`;
  const lib = ts.createSourceFile(path, PLATFORM_LIB, ts.ScriptTarget.ESNext);
  const program = ts.createProgram({
    rootNames: [path],
    options,
    host: {
      ...host,
      fileExists: (name) => isPlatformLib(name) || host.fileExists(name),
      getSourceFile: (name, how) => (isPlatformLib(name) ? lib : host.getSourceFile(name, how)),
    },
  });
  expect(program.getSourceFile(path)).toBe(lib);
  expect(program.isSourceFileDefaultLibrary(lib)).toBe(true);
  expect(program.getSemanticDiagnostics(lib).map(({ messageText }) => messageText)).toEqual([]);
});

test("a project without libs stays without", () => {
  expect(withPlatformLib({ noLib: true })).toEqual({ noLib: true });
});
