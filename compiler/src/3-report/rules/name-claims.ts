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

/** All names that an entry can have, when the code says them. */
function textsOf({ name, entry }: Claim): readonly string[] | null {
  if (name.every((part) => typeof part === "string")) return [name.join("")];
  const byTurn = nameByTurn(entry);
  return byTurn && [...byTurn.values()];
}

/** Whether two claims in one scope meet: certainly, for some values, or a name with a generated one. */
export function clash(a: Claim, b: Claim): "same" | "perhaps" | "generated" | null {
  if (a.entry === b.entry) return null;
  if (!a.main && !b.main) return null;
  if (a.main !== b.main) {
    const [own, generated] = a.main ? [a, b] : [b, a];
    return matches(own.name, generated.name) ? "generated" : null;
  }
  const [one, other] = [textsOf(a), textsOf(b)];
  // `part-${i}` of a loop over constants and `part-2` written out.
  if (one && other) return one.some((text) => other.includes(text)) ? "same" : null;
  if (a.key !== b.key) return null;
  return a.name.some((part) => typeof part !== "string") ? "perhaps" : "same";
}

/**
 * What a name is in each turn of the innermost loop, by turn, when the code says it: `stage-${name}` of a loop over
 * `["clean", "score"]`. `null` = it does not.
 */
export function nameByTurn({ name, turns }: SkeletonEntry): ReadonlyMap<number, string> | null {
  const count = Math.max(
    0,
    ...name.map((part) => (typeof part === "string" ? 0 : (part.values?.length ?? 0))),
  );
  if (count === 0 || name.some((part) => typeof part !== "string" && part.values?.length !== count))
    return null;
  const texts = new Map<number, string>();
  for (let turn = 0; turn < count; turn++) {
    if (turns && !turns.turns.includes(turn)) continue;
    texts.set(
      turn,
      name.map((part) => (typeof part === "string" ? part : (part.values?.[turn] ?? ""))).join(""),
    );
  }
  return texts;
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
