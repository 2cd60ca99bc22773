import type { NamePattern } from "../../2-solve/types.js";

/** A name for people: `"poll"`, `` `item-${…}` ``. */
export function printedName(name: NamePattern): string {
  if (name.every((part) => typeof part === "string")) return `"${name.join("")}"`;
  return `\`${name.map((part) => (typeof part === "string" ? part : "${…}")).join("")}\``;
}
