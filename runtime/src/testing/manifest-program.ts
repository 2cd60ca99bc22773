import type { PlainStepContext } from "../engine/engine.js";
import type { WorkflowContext } from "../engine/context.js";
import { Loop } from "../engine/loop.js";
import type {
  Block,
  BranchesNode,
  ChoiceNode,
  ExitNode,
  GateTest,
  ManifestNode,
  MessageNode,
  Reads,
  RepeatNode,
  WorkflowManifest,
} from "../manifest/format.js";
import { askedAs } from "../manifest/asked-as.js";
import { instanceName, keyText, patternText } from "../manifest/names.js";
import { armOfVersion, canThrow, goesWell, hasOwnErrorOnly, type EntryNode } from "../manifest/walk.js";

/** A point at which the manifest leaves open how the code goes on. */
export interface OpenQuestion {
  /** Names of the scopes around, branch names included; iterations are left out. */
  readonly scope: readonly string[];
  /** The guard's text; `timeout NAME` for a wait whose timeout depends on data. */
  readonly text: string;
  /** The same for conditions that are computed alike, whatever their text; see `askedAs`. */
  readonly asked: string;
  /** Number of answers. A native loop has two: 0 = another turn, 1 = no more. */
  readonly options: number;
  /** Of a native loop: the turns that were taken; `null` for anything else. */
  readonly turn: number | null;
}

export interface ManifestProgramOptions {
  readonly decide: (question: OpenQuestion) => number;
  /** Steps fail where `decide` says so, also where nobody catches it; by default only where it is caught. */
  readonly stepsFail?: boolean;
  /** Told the name of each step that runs. */
  readonly onStep?: (name: string) => void;
  /**
   * Which branch of a join or race is to come first, by its path; the others take their time, as long as `pause`
   * lasts. Without it all are as fast as they can be.
   */
  readonly favoured?: (branch: readonly string[]) => boolean;
  /** Resolves when `ms` have passed on the engine's clock. Needed with `favoured`. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Turns of `ctx.loop` in one run, all loops together; then the run stands still. Default 20. */
  readonly mostTurns?: number;
}

type Context = WorkflowContext<PlainStepContext>;

/** An exit on its way to where it leads. */
class Leaving {
  constructor(
    readonly how: ExitNode["how"],
    readonly depth: number,
  ) {}
}

/** How long such a program sleeps; a hundred times as long it waits for messages. In ms. */
const WAIT = 10;
/** How long a step, a sleep or a wait lasts in a branch that is not to come first, in ms. */
const SLOW = 15_000;
/** A queue to which nothing is sent. */
const SILENT = "\u0000silent";
const MOST_CALLS = 3;
const standStill = (): Promise<never> => new Promise(() => undefined);

interface Place {
  readonly ctx: Context;
  readonly scope: readonly string[];
  readonly gates: Map<string, number>;
  readonly turns: readonly number[];
  readonly calls: number;
  /** True in a branch that is not to come first. */
  readonly slow: boolean;
  /** True where an error leads into a `catch` of this scope. */
  readonly catching: boolean;
}

/** What a scope hands to the scopes in it. */
type Around = Pick<Place, "gates" | "slow">;
const NOTHING_AROUND: Around = { gates: new Map(), slow: false };

/**
 * A workflow function that makes the entries which a manifest describes; step bodies do nothing. Holes in
 * names are filled with the expression's text and the turn (`item-${i}#0`), as in a witness.
 */
export function programOf(
  workflow: WorkflowManifest,
  options: ManifestProgramOptions,
): (ctx: Context) => Promise<void> {
  return async (ctx) => void (await new Program(workflow, options).scope(workflow.body, ctx, []));
}

class Program {
  private loopTurns = 0;

  constructor(
    private readonly workflow: WorkflowManifest,
    private readonly options: ManifestProgramOptions,
  ) {}

  /** Runs the body of a scope; gives how it ended. */
  async scope(
    block: Block,
    ctx: Context,
    scope: readonly string[],
    { gates, slow }: Around = NOTHING_AROUND,
  ): Promise<ExitNode["how"]> {
    try {
      await this.block(block, {
        ctx,
        scope,
        gates: new Map(gates),
        turns: [],
        calls: 0,
        slow,
        catching: false,
      });
      return "return";
    } catch (exit) {
      if (!(exit instanceof Leaving)) throw exit;
      if (exit.how === "throw") throw new Error("The workflow throws here.", { cause: exit });
      return exit.how;
    }
  }

  private async block(block: Block, place: Place): Promise<void> {
    for (const node of block) await this.node(node, place);
  }

  private async node(node: ManifestNode, place: Place): Promise<void> {
    switch (node.kind) {
      case "choice": {
        if (node.caught === true) return this.caught(node, place);
        const version = this.version(node.guard.gate, place);
        const arm =
          node.guard.gate !== null && version !== undefined
            ? armOfVersion(node.guard.gate, version)
            : this.decide(node.guard.text, node.arms.length, null, place, node.guard.reads);
        return this.block(node.arms[arm] ?? [], place);
      }
      case "repeat":
        return this.repeat(node, place);
      case "exit":
        throw new Leaving(node.how, node.depth);
      case "inline":
        return this.returning(node.body, place);
      case "call": {
        if (place.calls >= MOST_CALLS) return standStill();
        const { functions } = this.workflow;
        const body = Object.hasOwn(functions, node.to) ? (functions[node.to] ?? []) : [];
        const turns = [...place.turns, place.calls];
        return this.returning(body, { ...place, calls: place.calls + 1, turns });
      }
      default:
        await this.entry(node, place);
        if (place.catching ? canThrow(node) : this.options.stepsFail === true && hasOwnErrorOnly(node)) {
          const text = goesWell(node, instanceName(node.name, place.turns));
          if (this.decide(text, 2, null, place) === 1) throw new Leaving("throw", 0);
        }
    }
  }

  private async caught(node: ChoiceNode, place: Place): Promise<void> {
    try {
      await this.block(node.arms[0] ?? [], { ...place, catching: true });
    } catch (exit) {
      if (!(exit instanceof Leaving) || exit.how !== "throw") throw exit;
      await this.block(node.arms[1] ?? [], place);
    }
  }

  private version(gate: GateTest | null, place: Place): number | undefined {
    return gate === null ? undefined : place.gates.get(instanceName(gate.name, place.turns).key);
  }

  private decide(
    text: string,
    options: number,
    turn: number | null,
    { scope, gates }: Place,
    reads?: Reads,
  ): number {
    const asked = askedAs({ text, ...(reads && { reads }) }, gates) ?? text;
    return this.options.decide({ scope, text, asked, options, turn }) % options;
  }

  private async returning(block: Block, place: Place): Promise<void> {
    try {
      await this.block(block, place);
    } catch (exit) {
      if (!(exit instanceof Leaving) || exit.how !== "return") throw exit;
    }
  }

  private async repeat(node: RepeatNode, place: Place): Promise<void> {
    const counted = node.guard.source === "constant";
    for (let turn = 0; node.times === null || turn < node.times; turn++) {
      if (!counted && this.decide(node.guard.text, 2, turn, place, node.guard.reads) === 1) return;
      try {
        await this.block(node.body, { ...place, turns: [...place.turns, turn] });
      } catch (exit) {
        if (!(exit instanceof Leaving) || (exit.how !== "break" && exit.how !== "continue")) throw exit;
        if (exit.depth > 0) throw new Leaving(exit.how, exit.depth - 1);
        if (exit.how === "break") return;
      }
    }
  }

  private async entry(node: EntryNode, place: Place): Promise<void> {
    const { ctx, turns } = place;
    const { key } = instanceName(node.name, turns);
    const name = keyText(key);
    const inner = [...place.scope, name];
    switch (node.kind) {
      case "step":
        await ctx.step(name, async () => {
          if (place.slow) await this.options.pause?.(SLOW);
          this.options.onStep?.(name);
        });
        return;
      case "sleep":
        await ctx.sleep(name, place.slow ? SLOW : WAIT);
        return;
      case "rollback_checkpoint":
        await ctx.rollbackCheckpoint(name);
        return;
      case "message":
        await this.message(node, name, place);
        return;
      case "removed":
        await ctx.removed(name, node.was as "step");
        return;
      case "version_check":
        place.gates.set(key, await ctx.getVersion(name, node.latest ?? 1));
        return;
      case "try":
        await ctx.try(name, (block) => this.scope(node.body, block as Context, inner, place));
        return;
      case "loop":
        await ctx.loop(name, async (turn) => {
          if (++this.loopTurns > (this.options.mostTurns ?? 20)) await standStill();
          const how = await this.scope(node.body, turn as Context, inner, place);
          return how === "loop_break" ? Loop.break(undefined) : undefined;
        });
        return;
      case "join":
      case "race":
        await this.branches(node, name, inner, place);
    }
  }

  private async message(node: MessageNode, name: string, place: Place): Promise<void> {
    const waits =
      node.timeout === "yes" ||
      (node.timeout === "maybe" && this.decide(`timeout ${name}`, 2, null, place, node.reads) === 0);
    const names = place.slow ? [SILENT] : node.queues;
    await place.ctx.queue.nextBatch(name, {
      ...(names === null ? {} : { names }),
      ...(node.count === null ? {} : { count: node.count }),
      ...(waits ? { timeout: place.slow ? SLOW : WAIT * 100 } : {}),
    });
  }

  private async branches(
    node: BranchesNode,
    name: string,
    scope: readonly string[],
    { ctx, gates, slow }: Place,
  ): Promise<void> {
    const paths = node.branches.map((branch) => [...scope, patternText(branch.name)]);
    const first = paths.map((path) => this.options.favoured?.(path) === true);
    const branches = node.branches.map((branch, index) => {
      const around = { gates, slow: slow || (first.includes(true) && first[index] === false) };
      const run = async (inner: unknown): Promise<unknown> => {
        const how = await this.scope(branch.body, inner as Context, paths[index] ?? scope, around);
        // One that has nothing to wait for would come first all the same.
        if (around.slow) await this.options.pause?.(SLOW);
        return how;
      };
      return { name: patternText(branch.name), run };
    });
    if (node.kind === "race") await ctx.race(name, branches);
    else await ctx.join(name, Object.fromEntries(branches.map((branch) => [branch.name, branch])));
  }
}
