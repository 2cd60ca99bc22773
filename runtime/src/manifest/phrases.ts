import { patternText } from "./names.js";
import type { Site } from "./sites.js";
import type { EntryNode } from "./walk.js";

/** Names longer than this are shortened in messages. */
const LONGEST_NAME = 80;

/** `step "charge"`, `queue wait "orders"`, `version gate "v2"`. `name`: of one entry of several that the node makes. */
export function describe(node: EntryNode, name: string = patternText(node.name)): string {
  return `${WORDS[node.kind]} ${quote(name)}${node.kind === "removed" ? ` as ${node.was}` : ""}`;
}

const WORDS: Readonly<Record<EntryNode["kind"], string>> = {
  step: "step",
  sleep: "sleep",
  message: "queue wait",
  loop: "loop",
  try: "try block",
  join: "join",
  race: "race",
  rollback_checkpoint: "rollback checkpoint",
  removed: "removed",
  version_check: "version gate",
};

/** In quotes, on one line, shortened. */
export function quote(name: string): string {
  return JSON.stringify(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
}

/** `in "hooks" ` or nothing for the root. */
export function placeText(site: Site | null): string {
  const path = site?.scope.path ?? [];
  return path.length === 0 ? "" : `in ${quote(path.join("/"))} `;
}

/** `["hooks", "parse"]` as people read it. */
export function pathText(path: readonly string[]): string {
  return path.map((part) => quote(part).slice(1, -1)).join("/");
}
