/**
 * The replay contract (design §4) once more, as plainly as can be: a workflow that is a manifest is run
 * on recorded data, crashed, and run again. Written apart from `replay.ts`, to hold it to account.
 */
import type { Block, ManifestNode, WorkflowManifest } from "../format.js";

export class Diverged extends Error {}
/** The run stops here: crashed, or it has done enough. */
export class Stopped extends Error {}
class Left {
  constructor(
    readonly how: string,
    readonly depth: number,
  ) {}
}

export interface Stored {
  readonly kind: string;
  readonly version?: number;
  readonly branches?: readonly string[];
  done?: boolean;
  iteration?: number;
  readonly body?: string;
}

/** Answer of a guard in a scope: the arm, or the number of turns. */
export type Data = (text: string, scope: string) => number;

const SEPARATOR = "\n";

export class Simulator {
  /** Bodies of the steps that ran in this run, which history did not hold. */
  readonly ran: string[] = [];
  /** True when a branch of a race never ended, for the data at hand, and another one won. */
  cutShort = false;
  private readonly before: ReadonlySet<string>;
  private readonly visited = new Set<string>();
  private left: number;
  /** True where an error leads into a `catch` of the scope at hand. */
  private catching = false;

  constructor(
    readonly workflow: WorkflowManifest,
    /** By path; changed by the run. */
    readonly history: Map<string, Stored>,
    private readonly data: Data,
    private readonly options: { readonly records: number; readonly turn: boolean },
  ) {
    this.before = new Set(history.keys());
    this.left = options.records;
  }

  /** @throws Diverged, Stopped */
  run(): void {
    this.scope(this.workflow.body, "");
  }

  private scope(block: Block, path: string): string {
    const gates = new Map<string, number>();
    let end = "end";
    const { catching } = this;
    this.catching = false;
    try {
      this.block(block, path, gates, []);
    } catch (left) {
      if (!(left instanceof Left)) throw left;
      end = left.how;
    } finally {
      this.catching = catching;
    }
    const missed = this.unvisited(path);
    if (end !== "throw" && missed.length > 0) throw new Diverged(`end of ${path}: ${missed.join()}`);
    return end;
  }

  private block(block: Block, path: string, gates: Map<string, number>, turns: readonly number[]): void {
    for (const node of block) this.node(node, path, gates, turns);
  }

  private node(node: ManifestNode, path: string, gates: Map<string, number>, turns: readonly number[]): void {
    switch (node.kind) {
      case "choice": {
        if (node.caught === true) {
          this.caught(node.arms[0] ?? [], node.arms[1] ?? [], path, gates, turns);
          return;
        }
        const version = node.guard.gate === null ? undefined : gates.get(node.guard.gate.name.join(""));
        const arm =
          version === undefined
            ? this.data(node.guard.text, path) % node.arms.length
            : (node.guard.gate?.arms.findIndex(
                ({ from, to }) => version >= from && version <= (to ?? Infinity),
              ) ?? 0);
        this.block(node.arms[arm] ?? [], path, gates, turns);
        return;
      }
      case "repeat": {
        const count = node.times ?? this.data(node.guard.text, path) % 3;
        for (let turn = 0; turn < count; turn++) {
          try {
            this.block(node.body, path, gates, [...turns, turn]);
          } catch (left) {
            if (!(left instanceof Left) || (left.how !== "break" && left.how !== "continue")) throw left;
            if (left.depth > 0) throw new Left(left.how, left.depth - 1);
            if (left.how === "break") break;
          }
        }
        return;
      }
      case "exit":
        throw new Left(node.how, node.depth);
      case "inline":
      case "call":
        throw new Error("not generated");
      default: {
        const name = this.entry(node, path, gates, turns);
        const quiet = ["sleep", "rollback_checkpoint", "removed", "version_check"].includes(node.kind);
        const word = node.kind === "message" ? "queue wait" : node.kind;
        if (this.catching && !quiet && this.data(`${word} "${name}" goes well`, path) % 2 === 1)
          throw new Left("throw", 0);
      }
    }
  }

  private caught(
    block: Block,
    handler: Block,
    path: string,
    gates: Map<string, number>,
    turns: readonly number[],
  ): void {
    const { catching } = this;
    this.catching = true;
    try {
      this.block(block, path, gates, turns);
    } catch (left) {
      if (!(left instanceof Left) || left.how !== "throw") throw left;
      this.catching = catching;
      this.block(handler, path, gates, turns);
    } finally {
      this.catching = catching;
    }
  }

  private entry(
    node: Exclude<ManifestNode, { kind: "choice" | "repeat" | "exit" | "inline" | "call" }>,
    scope: string,
    gates: Map<string, number>,
    turns: readonly number[],
  ): string {
    const name = node.name
      .map((part) =>
        typeof part === "string" ? part : (part.values?.[turns.at(-1) ?? 0] ?? turns.join(".")),
      )
      .join("");
    const path = scope + SEPARATOR + name;
    switch (node.kind) {
      case "step":
        if (this.visit(path, "step") === null) {
          const missed = this.unvisited(scope).filter((one) => !this.declared(scope, one));
          if (missed.length > 0) throw new Diverged(`new step ${path}: ${missed.join()}`);
          this.ran.push(node.body);
          this.record(path, { kind: "step", body: node.body });
        }
        return name;
      case "sleep":
      case "rollback_checkpoint":
        if (this.visit(path, node.kind) === null) this.record(path, { kind: node.kind });
        return name;
      case "message":
        this.message(node.timeout === "yes", path);
        return name;
      case "removed": {
        const covered = [...this.history.keys()].filter((one) => isGenerated(one, path));
        if (node.was === "message") covered.forEach((one) => this.visited.add(one));
        const found = this.history.get(path);
        this.visited.add(path);
        if (found === undefined) this.record(path, { kind: "removed" });
        else if (found.kind !== node.was && found.kind !== "removed") throw new Diverged(`removed ${path}`);
        return name;
      }
      case "version_check": {
        const found = this.visit(path, "version_check");
        const version = found?.version ?? (this.unvisited(scope).length > 0 ? 1 : (node.latest ?? 1));
        if (found === null) this.record(path, { kind: "version_check", version });
        gates.set(name, version);
        return name;
      }
      case "try":
        this.scope(node.body, path);
        return name;
      case "loop":
        this.loop(node.body, path);
        return name;
      case "join":
      case "race":
        this.branches(node, path);
        return name;
    }
  }

  private message(timeout: boolean, path: string): void {
    const count = this.visit(`${path}:count`, "message");
    if (timeout && this.visit(`${path}:deadline`, "sleep") === null)
      this.record(`${path}:deadline`, { kind: "sleep" });
    if (count !== null) {
      this.visited.add(`${path}:0`);
      return;
    }
    this.history.set(`${path}:0`, { kind: "message" });
    this.visited.add(`${path}:0`);
    this.record(`${path}:count`, { kind: "message" });
  }

  private loop(body: Block, path: string): void {
    const found = this.visit(path, "loop");
    if (found?.done === true) return;
    if (found === null) this.record(path, { kind: "loop", iteration: 0 });
    for (let turns = 0; ; turns++) {
      if (turns > 3) throw new Stopped("enough iterations");
      const stored = this.history.get(path);
      const iteration = stored?.iteration ?? 0;
      const end = this.scope(body, `${path}${SEPARATOR}~${iteration}`);
      if (end === "throw") throw new Left("throw", 0);
      if (stored !== undefined && end === "loop_break") stored.done = true;
      if (end === "loop_break") return;
      if (stored !== undefined) stored.iteration = iteration + 1;
    }
  }

  private branches(node: Extract<ManifestNode, { branches: unknown }>, path: string): void {
    const names = node.branches.map((branch) => branch.name.join("")).sort();
    const found = this.visit(path, node.kind);
    if (found !== null && found.branches?.join() !== names.join()) throw new Diverged(`branches of ${path}`);
    if (found?.done === true) return;
    if (found === null) this.record(path, { kind: node.kind, branches: names });
    const order = this.options.turn ? [...node.branches].reverse() : node.branches;
    let endless: Stopped | null = null;
    let ended = false;
    for (const branch of order) {
      try {
        this.scope(branch.body, path + SEPARATOR + branch.name.join(""));
        ended = true;
      } catch (stop) {
        if (!(stop instanceof Stopped) || this.left <= 0) throw stop;
        endless = stop;
      }
    }
    // A race is over with its first branch, a join with its last.
    if (endless !== null && (node.kind === "join" || !ended)) throw endless;
    this.cutShort ||= endless !== null;
    const stored = this.history.get(path);
    if (stored !== undefined) stored.done = true;
  }

  private visit(path: string, kind: string): Stored | null {
    this.visited.add(path);
    const found = this.history.get(path);
    if (found === undefined) return null;
    if (found.kind !== kind) throw new Diverged(`${path} is a ${found.kind}, not a ${kind}`);
    return found;
  }

  private record(path: string, entry: Stored): void {
    if (this.left <= 0) throw new Stopped("crash");
    this.left -= 1;
    this.history.set(path, entry);
  }

  /** Recorded by an earlier run, directly in the scope, not visited in this one. */
  private unvisited(scope: string): string[] {
    return [...this.before].filter((path) => {
      const at = path.lastIndexOf(SEPARATOR);
      return path.slice(0, at) === scope && !path.slice(at + 1).startsWith("~") && !this.visited.has(path);
    });
  }

  private declared(scope: string, path: string): boolean {
    const segments = scope.split(SEPARATOR).slice(1);
    return removedIn(this.workflow.body, segments).some(
      (name) => path === scope + SEPARATOR + name || isGenerated(path, scope + SEPARATOR + name),
    );
  }
}

function isGenerated(path: string, wait: string): boolean {
  return path.startsWith(`${wait}:`) && /^(count|deadline|\d+)$/.test(path.slice(wait.length + 1));
}

/** Names that the code of the scope at `segments` declares removed. */
function removedIn(block: Block, segments: readonly string[]): string[] {
  const [first, ...rest] = segments;
  return block.flatMap((node): string[] => {
    switch (node.kind) {
      case "choice":
        return node.arms.flatMap((arm) => removedIn(arm, segments));
      case "repeat":
        return removedIn(node.body, segments);
      case "removed":
        return first === undefined ? [node.name.join("")] : [];
      case "loop":
        return node.name.join("") === first ? removedIn(node.body, rest.slice(1)) : [];
      case "try":
        return node.name.join("") === first ? removedIn(node.body, rest) : [];
      case "join":
      case "race":
        return node.name.join("") === first
          ? node.branches
              .filter((one) => one.name.join("") === rest[0])
              .flatMap((one) => removedIn(one.body, rest.slice(1)))
          : [];
      default:
        return [];
    }
  });
}
