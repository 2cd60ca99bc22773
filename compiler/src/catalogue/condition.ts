import type { ArgShape, CatalogueCondition, CatalogueUse } from "../types.js";

/** True when the use is one that the condition speaks of; a row without one speaks of calls, `new` and tags. */
export function holds(condition: CatalogueCondition | undefined, use: CatalogueUse): boolean {
  const form = condition?.form;
  if (form === undefined ? use.form === "read" || use.form === "write" : form !== use.form) return false;
  if (condition === undefined) return true;
  const args = use.args === undefined ? [] : use.args;
  if (condition.maxArgs !== undefined && (args === null || args.length > condition.maxArgs)) return false;
  if (condition.minArgs !== undefined && args !== null && args.length < condition.minArgs) return false;
  if (condition.lacks && !(args !== null && lacks(args[condition.lacks[0]], condition.lacks[1])))
    return false;
  if (condition.has && !(args !== null && has(args[condition.has[0]], condition.has[1], condition.has[2])))
    return false;
  return true;
}

/** How many things a condition asks for: of two rows that hold, the one that asks for more is the answer. */
export function strictness(condition: CatalogueCondition | undefined): number {
  if (condition === undefined) return 0;
  const { has: property } = condition;
  return Object.keys(condition).length + (property?.[2] === undefined ? 0 : 1);
}

/** A thing that is not known lacks nothing and has nothing, so that doubt raises no alarm. */
function lacks(arg: ArgShape | undefined, property: string | undefined): boolean {
  if (arg === undefined || arg.is === "undefined") return true;
  return property !== undefined && arg.is === "object" && !arg.open && !Object.hasOwn(arg.props, property);
}

function has(arg: ArgShape | undefined, property: string, value: string | undefined): boolean {
  if (arg?.is !== "object" || !Object.hasOwn(arg.props, property)) return false;
  return value === undefined || arg.props[property]?.toLowerCase() === value.toLowerCase();
}
