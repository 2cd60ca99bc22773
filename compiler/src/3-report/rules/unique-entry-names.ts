import type {
  Analysis,
  Finding,
  Place,
  Rule,
  SkeletonBlock,
  SkeletonEntry,
  SkeletonNode,
} from "../../2-solve/types.js";
import { differsIn } from "../../2-solve/values/loops.js";
import { namePerIndex } from "../fixes/index.js";
import { isShared, onceGuards, outlivesTurns } from "./once-guards.js";
import { claimsOf, clash, nameByTurn, type Claim } from "./name-claims.js";
import { printedName } from "./printed-name.js";
import { repeatedByRecursion } from "./recursive-names.js";

/**
 * A name may be used once per scope on any one path: two statements in a row, or one statement in a native
 * loop, may not share it; arms of a choice may.
 */
export const uniqueEntryNames: Rule = (analysis, report) => {
  for (const workflow of analysis.workflows)
    for (const scope of scopesOf([workflow.skeleton.body, ...Object.values(workflow.skeleton.functions)]))
      new Paths(analysis, report).walk(scope, new Map());
  for (const workflow of analysis.workflows)
    for (const entry of repeatedByRecursion(workflow.skeleton)) {
      const [route] = analysis.routesTo(entry.op);
      report({
        rule: "unique-entry-names",
        message: `The name ${printedName(entry.name)} is used again when this function calls itself, where the engine refuses it`,
        place: entry.op.place,
        chain: route?.chain ?? [],
        help: "Put what differs from call to call into the name (`` `visit-${path}` ``), or make the recursion a `ctx.loop`.",
      });
    }
};

/** Every block that is a scope of its own. */
function* scopesOf(blocks: readonly SkeletonBlock[]): Generator<SkeletonBlock> {
  for (const block of blocks) {
    yield block;
    yield* innerScopes(block);
  }
}
function* innerScopes(block: SkeletonBlock): Generator<SkeletonBlock> {
  for (const node of block) {
    if (node.kind === "entry") yield* scopesOf(node.bodies.map((each) => each.body));
    if (node.kind === "choice") for (const arm of node.arms) yield* innerScopes(arm);
    if (node.kind === "repeat" || node.kind === "inline") yield* innerScopes(node.body);
  }
}

/** Entries passed on the way, by claim. `null` = no path leads here. */
type Seen = ReadonlyMap<string, Claim> | null;

/** Where paths leave a block early. */
interface Exits {
  readonly loops: { continues: Seen; breaks: Seen }[];
  readonly inlines: Seen[];
}

class Paths {
  private readonly exits: Exits = { loops: [], inlines: [] };

  constructor(
    private readonly analysis: Analysis,
    private readonly report: (finding: Finding) => void,
  ) {}

  walk(block: SkeletonBlock, seen: Seen): Seen {
    let now = seen;
    for (const node of block) {
      if (now === null) return null;
      now = this.node(node, now);
    }
    return now;
  }

  private node(node: SkeletonNode, seen: ReadonlyMap<string, Claim>): Seen {
    switch (node.kind) {
      case "entry":
        return this.entry(node, seen);
      case "choice":
        return node.arms.map((arm) => this.walk(arm, seen)).reduce(merge, null);
      case "repeat":
        return this.repeat(node, seen);
      case "inline": {
        this.exits.inlines.push(null);
        const after = this.walk(node.body, seen);
        return merge(after, this.exits.inlines.pop() ?? null);
      }
      case "exit":
        this.leave(node, seen);
        return null;
      case "call":
        return seen;
    }
  }

  private leave(node: Extract<SkeletonNode, { kind: "exit" }>, seen: Seen): void {
    const { loops, inlines } = this.exits;
    if (node.how === "return" && inlines.length > 0)
      inlines[inlines.length - 1] = merge(inlines.at(-1) ?? null, seen);
    const loop = loops[loops.length - 1 - node.depth];
    if (node.how === "continue" && loop) loop.continues = merge(loop.continues, seen);
    if (node.how === "break" && loop) loop.breaks = merge(loop.breaks, seen);
  }

  private entry(node: SkeletonEntry, seen: ReadonlyMap<string, Claim>): Seen {
    const after = new Map(seen);
    let told = false;
    for (const claim of claimsOf(node)) {
      for (const other of seen.values()) {
        const how = told ? null : clash(claim, other);
        if (!how || isOneOfOnce(claim, other)) continue;
        if (how === "perhaps" && (isOfRecursion(claim, other) || isCounted(claim))) continue;
        told = true;
        this.tellTwice(node, claim, other, how);
      }
      if (!after.has(claim.key)) after.set(claim.key, claim);
    }
    return after;
  }

  /** What a turn leaves behind it meets again in the next one. */
  private repeat(node: Extract<SkeletonNode, { kind: "repeat" }>, seen: ReadonlyMap<string, Claim>): Seen {
    this.exits.loops.push({ continues: null, breaks: null });
    const end = this.walk(node.body, seen);
    const { continues, breaks } = this.exits.loops.pop() ?? { continues: null, breaks: null };
    const again = merge(end, continues);
    const told = new Set<SkeletonEntry>();
    const turns = turnsByName(node);
    if (node.times === null || node.times > 1)
      for (const [key, claim] of again ?? []) {
        if (seen.has(key) || !claim.main || told.has(claim.entry)) continue;
        if (claim.entry.variesIn.some((loops) => differsIn(loops, node.loop))) {
          const twice = claim.entry.turns?.loop === node.loop ? firstRepeated(nameByTurn(claim.entry)) : null;
          if (twice === null) continue;
          told.add(claim.entry);
          this.tellRepeated(claim.entry, node, twice);
          continue;
        }
        if ((turns.get(key) ?? MANY) <= 1) continue;
        // Each turn calls another one of several functions.
        if (isAnotherEachTurn(node, claim)) continue;
        if (onceGuards(claim.entry, node.calls).some((guard) => outlivesTurns(guard, node.place))) continue;
        told.add(claim.entry);
        this.tellRepeated(claim.entry, node);
      }
    const skipped = node.endless ? null : seen;
    return [again, breaks].reduce(merge, skipped);
  }

  private tellTwice(
    node: SkeletonEntry,
    claim: Claim,
    other: Claim,
    how: "same" | "perhaps" | "generated",
  ): void {
    const first = other.entry;
    const at = firstDifference(node, first);
    const name = printedName(node.name);
    this.tell(node, ownPlace(node, at), {
      message:
        how === "generated"
          ? `The name ${printedName(claim.main ? claim.name : other.name)} is one that the queue wait ${printedName((claim.main ? other : claim).entry.name)} keeps for itself (\`name:count\`, \`name:0\` …)`
          : how === "perhaps"
            ? `The name ${name} is made in two places of one scope: for equal values the second is refused`
            : `The name ${name} is used twice in one scope, so the second \`${node.op.method}\` is refused`,
      help: "Give each entry of a scope its own name; two arms of an `if` may share one.",
      ...(how === "perhaps" ? { severity: "warning" as const } : {}),
      also: { place: first.calls[at]?.place ?? first.op.place, label: `${name} is used here first` },
    });
  }

  /** @param twice the name that two turns have in common, when each turn has a name of its own. */
  private tellRepeated(
    entry: SkeletonEntry,
    loop: Extract<SkeletonNode, { kind: "repeat" }>,
    twice: string | null = null,
  ): void {
    const batch = entry.op.method === "next" || entry.op.method === "nextBatch";
    const fix =
      entry.calls.length === loop.calls
        ? namePerIndex(this.analysis, entry.op, loop.place, loop.times)
        : null;
    this.tell(entry, ownPlace(entry, loop.calls), {
      ...(fix === null ? {} : { fix }),
      message:
        twice === null
          ? `The name ${printedName(entry.name)} is used again in the second turn of this loop, where the engine refuses it`
          : `The name ${printedName([twice])} is used in two turns of this loop: the engine refuses the second`,
      help: batch
        ? "Name it per index (`` `name-${i}` ``), or take several messages at once with `queue.nextBatch(name, { count })`."
        : "Name it per turn (`` `name-${i}` ``), or make the loop a `ctx.loop`: each of its iterations is a scope of its own.",
      also: { place: loop.place, label: "the native loop" },
    });
  }

  private tell(
    entry: SkeletonEntry,
    place: Place,
    said: Pick<Finding, "message" | "help" | "severity" | "fix"> & {
      readonly also: Finding["chain"][number];
    },
  ): void {
    const [route] = this.analysis.routesTo(entry.op);
    const { also, ...remark } = said;
    this.report({ rule: "unique-entry-names", place, chain: [...(route?.chain ?? []), also], ...remark });
  }
}

/**
 * Each turn calls another one of several functions (or objects), and none of the others takes this name; or one
 * closure of many, whose name has a part of its own.
 */
function isAnotherEachTurn(
  loop: Extract<SkeletonNode, { kind: "repeat" }>,
  { key, entry, name }: Claim,
): boolean {
  const varying = entry.calls.filter((call) => differsIn(call.varies, loop.loop));
  if (varying.length === 0) return false;
  if (name.some((part) => typeof part !== "string")) return true;
  if (varying.every((call) => call.targets.length < 2)) return false;
  const takers = new Set<unknown>();
  const look = (block: SkeletonBlock): void => {
    for (const node of block) {
      if (node.kind === "choice") node.arms.forEach(look);
      if (node.kind === "repeat" || node.kind === "inline") look(node.body);
      if (node.kind === "entry" && claimsOf(node).some((one) => one.key === key))
        takers.add(node.op.activation);
    }
  };
  look(loop.body);
  return takers.size < 2;
}

const MANY = Number.POSITIVE_INFINITY;

/** Two calls of a function that runs the entry in the first of them only: `value ??= await ctx.step(…)`. */
function isOneOfOnce(a: Claim, b: Claim): boolean {
  return a.entry.op === b.entry.op && onceGuards(a.entry).some(isShared);
}

/** One entry of a function that calls itself: what is in its name comes from the call, as in turns of a loop. */
function isOfRecursion({ entry }: Claim, other: Claim): boolean {
  const { place } = other.entry.op;
  if (entry.op.place.file !== place.file || entry.op.place.span[0] !== place.span[0]) return false;
  const functions = [...entry.calls.map((call) => call.activation), entry.op.activation].map(
    (activation) => activation.function.id,
  );
  return new Set(functions).size < functions.length && !isSameItem(entry, other.entry);
}

/** Both names are made of the very same recorded values, none of which is an item of a list. */
function isSameItem(a: SkeletonEntry, b: SkeletonEntry): boolean {
  const textOf = ({ op }: SkeletonEntry): string[] =>
    op.name.entries.map(({ place, path }) => `${place.file}:${place.span.join()}/${path.join("/")}`).sort();
  const [one, other] = [textOf(a), textOf(b)];
  return one.length > 0 && one.join() === other.join() && !one.some((text) => text.split("/").includes("[]"));
}

/** `` `job-${++count}` ``: another number each time. */
const isCounted = ({ name }: Claim): boolean =>
  name.some((part) => typeof part !== "string" && /^\w+ [+-]= 1$/.test(part.hole));

/** The first name that a second turn has as well. */
function firstRepeated(names: ReadonlyMap<number, string> | null): string | null {
  const seen = new Set<string>();
  for (const name of names?.values() ?? []) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** In how many turns of a loop each name is used: of a loop over constants, tests of its variable tell. */
function turnsByName(loop: Extract<SkeletonNode, { kind: "repeat" }>): ReadonlyMap<string, number> {
  const found = new Map<string, Set<number> | null>();
  const look = (block: SkeletonBlock): void => {
    for (const node of block) {
      if (node.kind === "choice") node.arms.forEach(look);
      if (node.kind === "repeat" || node.kind === "inline") look(node.body);
      if (node.kind !== "entry") continue;
      const turns = node.turns?.loop === loop.loop ? node.turns.turns : null;
      for (const { key } of claimsOf(node)) {
        const known = found.get(key);
        found.set(key, turns === null || known === null ? null : new Set([...(known ?? []), ...turns]));
      }
    }
  };
  look(loop.body);
  return new Map([...found].map(([key, turns]) => [key, turns?.size ?? MANY]));
}

function merge(a: Seen, b: Seen): Seen {
  if (a === null || b === null) return a ?? b;
  if (a === b) return a;
  const both = new Map(a);
  for (const [key, claim] of b) if (!both.has(key)) both.set(key, claim);
  return both;
}

/** The call at that depth (or the entry itself), or the nearest one around it in code that handles the context. */
function ownPlace(entry: SkeletonEntry, depth: number): Place {
  for (let at = depth; at >= 0; at -= 1) {
    const call = entry.calls[at];
    if (call ? call.activation.own : at === entry.calls.length && entry.op.activation.own)
      return call?.place ?? entry.op.place;
  }
  return entry.calls[0]?.place ?? entry.op.place;
}

/** The first call at which the ways to two entries part. */
function firstDifference(a: SkeletonEntry, b: SkeletonEntry): number {
  let at = 0;
  while (a.calls[at] && a.calls[at] === b.calls[at]) at += 1;
  return at;
}
