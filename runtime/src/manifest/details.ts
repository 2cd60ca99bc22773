import type { ChangeKind } from "./change-kinds.js";
import { builtAlike } from "./branch-sets.js";
import type { BranchesNode, MessageNode, StepNode, WorkflowManifest } from "./format.js";
import { hash64 } from "./hash.js";
import { branchKeys } from "./recorded.js";
import { describe, placeText, quote } from "./phrases.js";
import type { ScopeSites, Site } from "./sites.js";
import type { Difference } from "./structure.js";
import { readsOld } from "./type-texts.js";

/** What differs in an entry that both versions have under one name and kind. */
export function compareDetails(old: Site, now: Site, scope: ScopeSites): Difference[] {
  const found: Difference[] = [];
  const path = [...old.scope.path, old.name];
  const add = (kind: ChangeKind, what: string, before: unknown, after: unknown): void => {
    found.push({
      kind,
      path,
      message: `${what} of ${describe(old.node)} ${placeText(old)}changed${before === null && after === null ? "" : ` from ${text(before)} to ${text(after)}`}`,
      before: before === null && after === null ? null : text(before),
      after: before === null && after === null ? null : text(after),
      old,
      now,
      scope,
    });
  };
  const [a, b] = [old.node, now.node];
  if (a.kind === "step" && b.kind === "step") compareSteps(a, b, add);
  else if (a.kind === "message" && b.kind === "message") compareMessages(a, b, add);
  else if (a.kind === "loop" && b.kind === "loop") {
    if (!readsOld(a.stateType, b.stateType))
      add("loop-state-type-changed", "the type of the state", a.stateType, b.stateType);
    if (a.pruneInterval !== b.pruneInterval)
      add("loop-pruning-changed", "the pruning", a.pruneInterval, b.pruneInterval);
  } else if (a.kind === "version_check" && b.kind === "version_check") {
    const [was, is] = [a.latest ?? 0, b.latest ?? 0];
    if (was !== is) add(is > was ? "gate-raised" : "gate-lowered", "the latest version", was, is);
  } else if (a.kind === "try" && b.kind === "try") {
    if (text(a.catches) !== text(b.catches))
      add("catch-changed", "the caught failures", a.catches, b.catches);
  } else if ((a.kind === "join" || a.kind === "race") && (b.kind === "join" || b.kind === "race")) {
    const names = [branchKeys(a), branchKeys(b)] as const;
    const open = a.open || b.open;
    const differ = open
      ? text(patterns(a)) !== text(patterns(b)) || a.open !== b.open
      : text(names[0]) !== text(names[1]);
    if (!differ && !builtAlike(a, b)) {
      const what = `the way to compute the set of branches of ${describe(a)} ${placeText(old)}changed`;
      found.push({ kind: "branches-changed", path, message: what, ...waysText(a, b), old, now, scope });
    }
    if (differ)
      add(
        "branches-changed",
        "the set of branches",
        open ? patterns(a) : names[0],
        open ? patterns(b) : names[1],
      );
  }
  return found;
}

type Add = (kind: ChangeKind, what: string, before: unknown, after: unknown) => void;

function compareSteps(a: StepNode, b: StepNode, add: Add): void {
  if (b.outputUsed && !readsOld(a.outputType, b.outputType)) {
    add("output-type-changed", "the type of the output", a.outputType, b.outputType);
  }
  if (text(a.catches) !== text(b.catches)) add("catch-changed", "the caught failures", a.catches, b.catches);
  if (a.rollback !== b.rollback)
    add("rollback-changed", "the rollback handler", a.rollback ? "one" : "none", b.rollback ? "one" : "none");
  if (text(sorted(a.options)) !== text(sorted(b.options)))
    add("step-options-changed", "the options", sorted(a.options), sorted(b.options));
  if (a.body !== b.body) add("step-body-changed", "the body", null, null);
}

function compareMessages(a: MessageNode, b: MessageNode, add: Add): void {
  if (a.timeout !== b.timeout) {
    const words = { no: "none", yes: "one", maybe: "one that depends on data" };
    add("queue-timeout-changed", "the timeout", words[a.timeout], words[b.timeout]);
  }
  if (text(a.queues) !== text(b.queues))
    add("queue-names-changed", "the queues", a.queues ?? "all", b.queues ?? "all");
  if (a.count !== b.count)
    add("queue-count-changed", "the number of messages", a.count ?? "unknown", b.count ?? "unknown");
  if (a.method !== b.method || a.completable !== b.completable) {
    const how = (node: MessageNode): string => `${node.method}${node.completable ? ", completable" : ""}`;
    add("queue-method-changed", "the call", how(a), how(b));
  }
}

/** Engine, state and queues. */
export function workflowDetails(before: WorkflowManifest, after: WorkflowManifest): Difference[] {
  const found: Difference[] = [];
  const add = (
    kind: ChangeKind,
    path: readonly string[],
    message: string,
    was: unknown,
    is: unknown,
  ): void => {
    found.push({
      kind,
      path,
      message,
      before: was === null ? null : text(was),
      after: is === null ? null : text(is),
      old: null,
      now: null,
      scope: null,
    });
  };
  if (before.engine !== after.engine) {
    add(
      "engine-changed",
      [],
      `the engine changed from ${before.engine} to ${after.engine}; they keep histories in different stores`,
      before.engine,
      after.engine,
    );
  }
  if (!readsOld(before.stateType, after.stateType)) {
    add(
      "state-type-changed",
      [],
      `the type of the actor's state changed from ${text(before.stateType)} to ${text(after.stateType)}; stored states have the old shape`,
      before.stateType,
      after.stateType,
    );
  }
  for (const [name, queue] of Object.entries(before.queues)) {
    const twin = Object.hasOwn(after.queues, name) ? after.queues[name] : undefined;
    if (twin === undefined) {
      add(
        "queue-removed",
        [name],
        `queue ${quote(name)} is gone; messages that wait in it are never taken`,
        queue.bodyType,
        null,
      );
    } else if (!readsOld(queue.bodyType, twin.bodyType)) {
      add(
        "queue-body-type-changed",
        [name],
        `the messages of queue ${quote(name)} changed from ${text(queue.bodyType)} to ${text(twin.bodyType)}; messages that wait have the old shape`,
        queue.bodyType,
        twin.bodyType,
      );
    }
  }
  for (const [name, queue] of Object.entries(after.queues)) {
    if (!Object.hasOwn(before.queues, name))
      add("queue-added", [name], `new queue ${quote(name)}`, null, queue.bodyType);
  }
  return found;
}

function patterns(node: Extract<Site["node"], { kind: "join" | "race" }>): unknown {
  return node.branches.map((branch) => branch.name);
}

/** Fingerprints of how two sets of branches are computed. */
function waysText(old: BranchesNode, now: BranchesNode): Pick<Difference, "before" | "after"> {
  const [before = "", after = ""] = [old, now].map((node) => hash64(JSON.stringify(node.reads?.ways ?? [])));
  return { before, after };
}

function sorted(record: object): object {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === null ? "none" : JSON.stringify(value);
}
