import type { Analysis } from "../../2-solve/types.js";

/** An entry name that no entry of the program has, as near to `wanted` as can be: `fetch`, `fetch-2` … */
export function newEntryName(analysis: Analysis, wanted: string): string {
  const used = new Set<string>();
  for (const operation of analysis.operations)
    if (operation.kind === "entry")
      for (const name of operation.names)
        used.add(name.map((part) => (typeof part === "string" ? part : "*")).join(""));
  let name = wanted;
  for (let number = 2; used.has(name); number += 1) name = `${wanted}-${number}`;
  return name;
}
