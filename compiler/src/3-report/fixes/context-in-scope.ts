import type { Activation, Analysis, Scope } from "../../2-solve/types.js";
import type { BindingFacts, FileFacts, FunctionFacts } from "../../types.js";

/**
 * The name under which a scope's own context can be used where an activation's code stands: the first parameter of
 * the scope's callback, when no other variable hides it. `null` when there is no such name.
 */
export function contextInScope(
  analysis: Analysis,
  activation: Activation,
  scope: Scope | null,
): BindingFacts | null {
  const file = analysis.files.get(activation.function.file);
  const callback = file && scope ? callbackOf(analysis, file, activation.function, scope) : null;
  const pattern = callback?.params[0]?.pattern;
  if (!file || !callback || pattern?.p !== "binding") return null;
  const parameter = file.bindings.find((one) => one.id === pattern.id) ?? null;
  if (parameter === null) return null;
  const between = functionsFrom(analysis, activation.function, callback);
  const hidden = file.bindings.some(
    (one) => one.id !== parameter.id && one.name === parameter.name && between.has(one.owner),
  );
  return hidden ? null : parameter;
}

/** The callback that opened the scope, when the code is written in it; of the root, the function with the context. */
function callbackOf(
  analysis: Analysis,
  file: FileFacts,
  fn: FunctionFacts,
  scope: Scope,
): FunctionFacts | null {
  const callback =
    scope.callback === null
      ? (analysis.workflows.find((one) => one.root.id === scope.id)?.run[0]?.function ?? null)
      : analysis.functionOf(scope.callback);
  if (callback?.file !== file.path) return null;
  return functionsFrom(analysis, fn, callback).has(callback.id) ? callback : null;
}

/** The function and those around it, out to `last`; empty when `last` is not around it. */
function functionsFrom(analysis: Analysis, fn: FunctionFacts, last: FunctionFacts): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at: FunctionFacts | null = fn; at; at = at.owner === null ? null : analysis.functionOf(at.owner)) {
    found.add(at.id);
    if (at.id === last.id) return found;
  }
  return new Set();
}
