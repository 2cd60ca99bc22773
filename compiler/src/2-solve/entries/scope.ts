import type { ContextKind, EngineProfile, FunctionId, Place } from "../../types.js";
import type { Scope } from "../types.js";

/** A scope and what solving needs to know beside it. */
export interface ScopeNode extends Scope {
  readonly parent: ScopeNode | null;
  readonly profile: EngineProfile;
  /** The definition, or `null` for a helper that nobody calls. */
  readonly workflow: string | null;
}

/** The scope that a workflow's run (or a helper's annotated parameter) starts with. */
export const rootScope = (parts: {
  readonly id: string;
  readonly kind: ContextKind;
  readonly opener: Place;
  readonly callback: FunctionId | null;
  readonly label: string;
  readonly profile: EngineProfile;
  readonly workflow: string | null;
}): ScopeNode => ({ ...parts, parent: null });

/**
 * The scope of an entry's callback. A scope that is opened again inside itself (recursion) is the same
 * scope: chains stay finite.
 */
export function openScope(
  parent: ScopeNode,
  kind: ContextKind,
  opener: Place,
  detail: string,
  callback: FunctionId | null,
  label: string,
): ScopeNode {
  const own = `${kind}@${opener.file}:${opener.span[0]}${detail === "" ? "" : `#${detail}`}`;
  for (let scope: ScopeNode | null = parent; scope; scope = scope.parent)
    if (scope.id.endsWith(`>${own}`)) return scope;
  return {
    id: `${parent.id}>${own}`,
    kind,
    parent,
    opener,
    callback,
    label,
    profile: parent.profile,
    workflow: parent.workflow,
  };
}

/** True when `inner` lies in `outer` (or is it). */
export function within(inner: Scope, outer: Scope): boolean {
  for (let scope: Scope | null = inner; scope; scope = scope.parent) if (scope.id === outer.id) return true;
  return false;
}
