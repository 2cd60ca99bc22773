import type ts from "typescript";
import { moduleName } from "./modules.js";
import type { Syntax, TypeModel } from "./type-model.js";

/**
 * The module that a declaration outside the program belongs to: the package's name, the module that a
 * `declare module "fs"` names, or `""` for the platform (TypeScript's libs, and the globals of `@types/node` and its like).
 */
export function moduleOfDeclaration(declaration: ts.Node, { isLibrary, syntax }: TypeModel): string {
  const file = declaration.getSourceFile();
  for (
    let node = declaration.parent as ts.Node | undefined;
    node !== undefined;
    node = node.parent as ts.Node | undefined
  ) {
    if (syntax.isModuleDeclaration(node) && syntax.isStringLiteral(node.name))
      return moduleName(node.name.text);
    if (syntax.isGlobalAugmentation(node)) return "";
  }
  if (isLibrary(file)) return "";
  const name = packageName(file.fileName);
  if (name === null) return "";
  const isModule = syntax.isExternalModule(file);
  if (name.startsWith("@types/"))
    return isModule
      ? typedPackage(name.slice("@types/".length))
      : platformTypes(name.slice("@types/".length));
  return PLATFORM.has(name) ? "" : name;
}

/** Packages of types for globals of the platform. */
const PLATFORM = new Set(["undici-types", "bun-types", "@cloudflare/workers-types", "@webgpu/types"]);

function platformTypes(name: string): string {
  return ["node", "bun", "deno", "web", "dom"].some(
    (platform) => name === platform || name.startsWith(`${platform}-`),
  )
    ? ""
    : typedPackage(name);
}

/** `@types/babel__core` describes `@babel/core`. */
function typedPackage(name: string): string {
  const at = name.indexOf("__");
  return at > 0 ? `@${name.slice(0, at)}/${name.slice(at + 2)}` : name;
}

/** The package that a path lies in: `/…/node_modules/@scope/name/x.d.ts` → `@scope/name`. */
export function packageName(path: string): string | null {
  const at = path.lastIndexOf("/node_modules/");
  if (at < 0) return null;
  const [first = "", second = ""] = path.slice(at + "/node_modules/".length).split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** The name of the type around a member's declaration, with its namespaces: `Pool`, `NodeJS.Process`. */
export function typeNameAround(declaration: ts.Node, syntax: Syntax): string | null {
  const names: string[] = [];
  for (
    let node = declaration.parent as ts.Node | undefined;
    node !== undefined;
    node = node.parent as ts.Node | undefined
  ) {
    const name = nameOfType(node, names.length === 0, syntax);
    if (name !== null) names.unshift(name);
  }
  return names.length === 0 ? null : names.join(".");
}

function nameOfType(node: ts.Node, innermost: boolean, syntax: Syntax): string | null {
  const named =
    syntax.isClassLike(node) ||
    syntax.isInterfaceDeclaration(node) ||
    (syntax.isModuleDeclaration(node) && !syntax.isGlobalAugmentation(node)) ||
    (innermost && (syntax.isTypeAliasDeclaration(node) || syntax.isVariableDeclaration(node)));
  return named && node.name !== undefined && syntax.isIdentifier(node.name) ? node.name.text : null;
}
