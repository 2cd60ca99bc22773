import type ts from "typescript";
import { typescript } from "../typescript.js";

/** Options that decide what modules are found and what types things have; the rest is about output. */
const KEPT = [
  "allowArbitraryExtensions",
  "allowImportingTsExtensions",
  "allowJs",
  "allowSyntheticDefaultImports",
  "allowUmdGlobalAccess",
  "checkJs",
  "customConditions",
  "esModuleInterop",
  "exactOptionalPropertyTypes",
  "experimentalDecorators",
  "isolatedModules",
  "jsxFactory",
  "jsxFragmentFactory",
  "jsxImportSource",
  "maxNodeModuleJsDepth",
  "moduleSuffixes",
  "noImplicitAny",
  "noImplicitThis",
  "noLib",
  "noResolve",
  "noUncheckedIndexedAccess",
  "noUncheckedSideEffectImports",
  "preserveSymlinks",
  "resolveJsonModule",
  "resolvePackageJsonExports",
  "resolvePackageJsonImports",
  "rootDirs",
  "skipLibCheck",
  "strict",
  "strictBindCallApply",
  "strictBuiltinIteratorReturn",
  "strictFunctionTypes",
  "strictNullChecks",
  "strictPropertyInitialization",
  "typeRoots",
  "types",
  "useDefineForClassFields",
  "useUnknownInCatchVariables",
  "verbatimModuleSyntax",
] as const satisfies readonly (keyof ts.CompilerOptions)[];

/**
 * Parsed options as they are written in a tsconfig, for a compiler that reads nothing else. `lib` is left to the
 * caller. `baseUrl`, which TypeScript 7 has no more, is written as the paths that it stands for.
 */
export function writtenOptions(options: ts.CompilerOptions): Record<string, unknown> {
  const { ModuleKind, ModuleResolutionKind, ModuleDetectionKind, JsxEmit, ScriptTarget } = typescript;
  return {
    ...Object.fromEntries(
      KEPT.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
    ),
    ...written("target", options.target, ScriptTarget),
    ...written("module", options.module, ModuleKind),
    ...written("moduleResolution", options.moduleResolution, ModuleResolutionKind),
    ...written("moduleDetection", options.moduleDetection, ModuleDetectionKind),
    ...written("jsx", options.jsx, JSX_NAMES(JsxEmit)),
    ...paths(options),
    noEmit: true,
  };
}

function written(
  name: string,
  value: number | undefined,
  names: Readonly<Record<number, string>>,
): Record<string, string> {
  const text = value === undefined ? undefined : names[value];
  return text === undefined ? {} : { [name]: text.toLowerCase() };
}

const JSX_NAMES = (kinds: typeof ts.JsxEmit): Readonly<Record<number, string>> => ({
  [kinds.Preserve]: "preserve",
  [kinds.React]: "react",
  [kinds.ReactJSX]: "react-jsx",
  [kinds.ReactJSXDev]: "react-jsxdev",
  [kinds.ReactNative]: "react-native",
});

function paths(options: ts.CompilerOptions): { readonly paths?: Record<string, readonly string[]> } {
  const { baseUrl } = options;
  // Paths are relative to the config that holds them, which the parser keeps for itself.
  const from = baseUrl ?? (options["pathsBasePath"] as string | undefined);
  const all = Object.entries(options.paths ?? {}).map(
    ([pattern, targets]) => [pattern, targets.map((target) => absolute(target, from))] as const,
  );
  if (baseUrl !== undefined) {
    const star = all.find(([pattern]) => pattern === "*");
    if (star === undefined) all.push(["*", [`${baseUrl}/*`]]);
    else star[1].push(`${baseUrl}/*`);
  }
  return all.length === 0 ? {} : { paths: Object.fromEntries(all) };
}

function absolute(target: string, from: string | undefined): string {
  return from === undefined || /^(?:\/|[A-Za-z]:)/.test(target) ? target : `${from}/${target}`;
}
