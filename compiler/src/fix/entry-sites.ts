import type { EntryOperation, SkeletonBlock, WorkflowAnalysis } from "../2-solve/types.js";
import { nodeName } from "../manifest/skeleton-block.js";
import { patternText } from "../../../runtime/src/manifest/index.js";
import type { FunctionFacts } from "../types.js";

/** Where an entry of the manifest is written. */
export interface EntrySite {
  readonly op: EntryOperation;
  /** True when the statement is reached by one way only, so that a change of it changes nothing else. */
  readonly alone: boolean;
}

/** A scope of the manifest in the source: its callback, when it is written as one function. */
export interface ScopeSource {
  readonly callback: FunctionFacts | null;
  /** How the scope's context is called in it. */
  readonly context: string | null;
}

/** The entries and scopes of one workflow by their path in the manifest. */
export class EntrySites {
  private readonly sites = new Map<string, EntryOperation[]>();
  private readonly scopes = new Map<string, ScopeSource>();
  private readonly uses = new Map<string, number>();

  constructor(workflow: WorkflowAnalysis) {
    const [run] = workflow.run;
    this.scope([], workflow.skeleton.body, workflow.run.length === 1 ? (run?.function ?? null) : null);
    for (const body of Object.values(workflow.skeleton.functions)) this.block(body, []);
  }

  /** `null` when there is none, or when the name is written at more than one place of the scope. */
  find(scope: readonly string[], name: string): EntrySite | null {
    const ops = this.sites.get(JSON.stringify([scope, name])) ?? [];
    const places = new Set(ops.map(placeKey));
    const [op] = ops;
    if (op === undefined || places.size !== 1) return null;
    return { op, alone: this.uses.get(placeKey(op)) === 1 };
  }

  scopeAt(path: readonly string[]): ScopeSource | null {
    return this.scopes.get(JSON.stringify(path)) ?? null;
  }

  private scope(path: readonly string[], body: SkeletonBlock, callback: FunctionFacts | null): void {
    const direct = this.block(body, path).find((op) => op.activation.function === callback);
    this.scopes.set(JSON.stringify(path), { callback, context: direct?.context.text ?? null });
  }

  private block(block: SkeletonBlock, path: readonly string[]): EntryOperation[] {
    return block.flatMap((node): EntryOperation[] => {
      switch (node.kind) {
        case "entry":
          this.entry(node, path);
          return [node.op];
        case "choice":
          return node.arms.flatMap((arm) => this.block(arm, path));
        case "repeat":
        case "inline":
          return this.block(node.body, path);
        default:
          return [];
      }
    });
  }

  private entry(entry: Extract<SkeletonBlock[number], { kind: "entry" }>, path: readonly string[]): void {
    const name = patternText(nodeName(entry));
    const key = JSON.stringify([path, name]);
    this.sites.set(key, [...(this.sites.get(key) ?? []), entry.op]);
    this.uses.set(placeKey(entry.op), (this.uses.get(placeKey(entry.op)) ?? 0) + 1);
    for (const inner of entry.bodies) {
      const branch = inner.name === null ? [] : [patternText(inner.name)];
      const callback = entry.op.callbacks.find(
        (one) => one.role !== "rollback" && (one.name === null || patternText(one.name) === branch[0]),
      );
      const only = callback?.activations.length === 1 ? callback.activations[0]?.function : null;
      this.scope([...path, name, ...branch], inner.body, only ?? null);
    }
  }
}

function placeKey(op: EntryOperation): string {
  return `${op.place.file}:${op.place.span.join()}`;
}
