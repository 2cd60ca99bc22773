import type { Block, NamePattern, WorkflowManifest } from "./format.js";

/**
 * Tells of entries whether the code's manifest has a `removed` for them in their scope: what the engine's
 * `declaresRemoved` setting asks (design §4.6). An entry is named by its path, iterations as numbers. The
 * entries that a queue wait generates are covered by the wait's name.
 */
export function lateRemovals(manifest: WorkflowManifest): (names: readonly (string | number)[]) => boolean {
  return (names) => declaresRemoved(manifest, names);
}

function declaresRemoved(manifest: WorkflowManifest, names: readonly (string | number)[]): boolean {
  const scope = names.filter((name): name is string => typeof name === "string");
  const last = scope.pop();
  if (last === undefined) return false;
  return search(manifest, manifest.body, scope, last, new Set());
}

function search(
  manifest: WorkflowManifest,
  block: Block,
  scope: readonly string[],
  name: string,
  calls: ReadonlySet<string>,
): boolean {
  const deeper = (next: Block, rest: readonly string[]): boolean =>
    search(manifest, next, rest, name, rest === scope ? calls : new Set());
  const [first, ...rest] = scope;
  return block.some((node) => {
    switch (node.kind) {
      case "removed":
        return (
          first === undefined &&
          (matches(node.name, name) ||
            (node.was === "message" && matches(node.name, name.replace(/:(count|deadline|\d+)$/, ""))))
        );
      case "choice":
        return node.arms.some((arm) => deeper(arm, scope));
      case "repeat":
        return deeper(node.body, scope);
      case "call": {
        const called = manifest.functions[node.to];
        return (
          called !== undefined &&
          !calls.has(node.to) &&
          search(manifest, called, scope, name, new Set([...calls, node.to]))
        );
      }
      case "loop":
      case "try":
        return first !== undefined && matches(node.name, first) && deeper(node.body, rest);
      case "join":
      case "race": {
        const [branch, ...below] = rest;
        if (first === undefined || branch === undefined || !matches(node.name, first)) return false;
        return node.branches.some(
          (candidate) => matches(candidate.name, branch) && deeper(candidate.body, below),
        );
      }
      default:
        return false;
    }
  });
}

const matches = (pattern: NamePattern, name: string): boolean => patternRegExp(pattern).test(name);

/** Matches what a pattern can name: holes stand for any text. */
export function patternRegExp(pattern: NamePattern): RegExp {
  const source = pattern
    .map((part) => (typeof part === "string" ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : ".*"))
    .join("");
  return new RegExp(`^${source}$`, "su");
}
