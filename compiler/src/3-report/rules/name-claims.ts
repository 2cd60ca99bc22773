import type { NamePattern, SkeletonEntry } from "../../2-solve/types.js";

/** A name that an entry takes in its scope; a queue wait takes generated ones as well (design §4.2). */
export interface Claim {
  readonly key: string;
  readonly name: NamePattern;
  readonly entry: SkeletonEntry;
  /** The entry's own name, not a generated one. */
  readonly main: boolean;
}

/** Names that an entry takes, its own first. Nothing when the name can't be read. */
export function claimsOf(entry: SkeletonEntry): readonly Claim[] {
  const { name, op } = entry;
  const claim = (suffix: NamePattern, main: boolean): Claim => {
    const full = joined([...name, ...suffix]);
    return { key: keyOf(full), name: full, entry, main };
  };
  if (name.every((part) => typeof part !== "string") && op.name.source === "unknown") return [];
  if (op.method === "removed") return [];
  // An entry on another scope's context is a finding of its own; it does not take a name here.
  const { scope } = op.activation;
  if (scope && scope.id !== op.context.scope.id) return [];
  const own = claim([], true);
  if (op.entry !== "message") return [own];
  const generated: NamePattern[] = [[":count"], [":", NUMBER]];
  if (op.options["timeout"]) generated.push([":deadline"]);
  return [own, ...generated.map((suffix) => claim(suffix, false))];
}

const NUMBER = { hole: "#", perIteration: false } as const;

/** Whether two claims in one scope meet: certainly, for some values, or a name with a generated one. */
export function clash(a: Claim, b: Claim): "same" | "perhaps" | "generated" | null {
  if (a.entry === b.entry) return null;
  if (!a.main && !b.main) return null;
  if (a.main !== b.main) {
    const [own, generated] = a.main ? [a, b] : [b, a];
    return matches(own.name, generated.name) ? "generated" : null;
  }
  if (a.key !== b.key) return null;
  return a.name.some((part) => typeof part !== "string") ? "perhaps" : "same";
}

/** A written name against a generated one: `letters:0` against `letters:<number>`. */
function matches(own: NamePattern, generated: NamePattern): boolean {
  if (keyOf(own) === keyOf(generated)) return true;
  if (
    own.some((part) => typeof part !== "string") ||
    generated.some((part) => typeof part !== "string" && part.hole !== "#")
  )
    return false;
  const text = own.join("");
  const pattern = generated
    .map((part) => (typeof part === "string" ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : "\\d+"))
    .join("");
  return new RegExp(`^${pattern}$`).test(text);
}

const keyOf = (name: NamePattern): string =>
  name.map((part) => (typeof part === "string" ? JSON.stringify(part) : `{${part.hole}}`)).join("");

function joined(name: NamePattern): NamePattern {
  const out: NamePattern[number][] = [];
  for (const part of name) {
    const last = out[out.length - 1];
    if (typeof part === "string" && typeof last === "string") out[out.length - 1] = last + part;
    else out.push(part);
  }
  return out;
}
