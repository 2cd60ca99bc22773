import type { Block, EntryKind, MessageNode, RemovedNode, VersionCheckNode } from "./format.js";
import { askedAs } from "./asked-as.js";
import type { Choose } from "./explore.js";
import type { GuardNode } from "./guard-matching.js";
import { gateKey, type InstanceName } from "./names.js";
import { branchKeys, DEADLINE_KIND, messageEntries, type RecordedItem } from "./recorded.js";
import type { SettledArms } from "./settled-choices.js";
import { canPass } from "./passable.js";
import {
  hasOwnErrorOnly,
  goesWell,
  walkScope,
  type EntryNode,
  type Question,
  type ScopeEnd,
  type WalkLimits,
} from "./walk.js";

/** What one run of the old code records in one scope, and the answers that led to it. */
export interface OldRun {
  readonly items: readonly RecordedItem[];
  /** Answers by guard (its id) or question key, and occurrence: `3#0`, `timeout w#0`. */
  readonly answers: ReadonlyMap<string, OldAnswer>;
  /** The guards that were answered, for people, in order, with the number of items recorded before. */
  readonly assumed: readonly { readonly text: string; readonly answer: number; readonly after: number }[];
  /** Versions of the gates when the item at that index was recorded. */
  readonly gatesAt: (index: number) => Gates;
  readonly end: ScopeEnd;
  /** Index of the last item that the old code found when it started; -1 when it started afresh. */
  readonly first: number;
  /** Gates that were pinned below their latest version: only instances of still older code have them. */
  readonly pinned: readonly { readonly key: string; readonly version: number; readonly at: number }[];
}

export interface OldAnswer {
  readonly answer: number;
  /** What was asked, see `askedAs`. */
  readonly asked: string | null;
  /** Nothing asked: a step whose error nobody catches went well, else the code would have ended there. */
  readonly implied?: true;
}

/** Versions by gate key, those of outer scopes included. */
export type Gates = ReadonlyMap<string, number>;

export interface OldRunInput {
  readonly block: Block;
  readonly functions: Readonly<Record<string, Block>>;
  readonly limits: WalkLimits;
  readonly gates: Gates;
  /** Gates that the new code declares removed: their older versions have drained, says the author. */
  readonly retired: (key: string) => boolean;
  /** Ids of guards, for `answers`. */
  readonly idOf: (guard: GuardNode) => number | null;
  /** Choices that are not asked about, with their arms. */
  readonly settled?: SettledArms;
  readonly choose: Choose;
}

/** More versions of one gate are not told apart: the latest, and the lowest ones. */
const MOST_VERSIONS = 6;

/** Runs the old code of one scope once, with the answers that `choose` gives. */
export function runOld(input: OldRunInput): OldRun {
  const items: RecordedItem[] = [];
  const answers = new Map<string, OldAnswer>();
  const occurrences = new Map<string, number>();
  const assumed: { text: string; answer: number; after: number }[] = [];
  const pinned: { key: string; version: number; at: number }[] = [];
  const before: RecordedItem[] = [];
  let gates: Gates = input.gates;
  const gateChanges: { readonly at: number; readonly gates: Gates }[] = [];
  let originals: number | null = null;

  const record = (
    name: InstanceName,
    kind: RecordedItem["kind"],
    node: EntryNode,
    more: Partial<RecordedItem> = {},
  ): void => {
    items.push({ key: name.key, kind, node, version: null, branches: null, crash: true, ...more });
  };

  const recordMessage = (node: MessageNode, name: InstanceName): void => {
    const own = messageEntries(name);
    const deadline =
      node.timeout === "yes" || (node.timeout === "maybe" && decide(timeoutQuestion(node, name)) === 0);
    if (deadline) record(own.deadline, DEADLINE_KIND, node);
    record(own.message(0), "message", node, { crash: false });
    record(own.count, "message", node);
  };

  const recordRemoved = (node: RemovedNode, name: InstanceName): void => {
    originals ??= input.choose(2);
    if (originals === 0) {
      record(name, "removed", node);
      return;
    }
    if (node.was === "message") {
      const own = messageEntries(name);
      for (const entry of [own.message(0), own.count]) {
        before.push({ key: entry.key, kind: "message", node, version: null, branches: null, crash: true });
      }
    } else {
      before.push({
        key: name.key,
        kind: node.was as EntryKind,
        node,
        version: node.was === "version_check" ? 1 : null,
        branches: null,
        crash: true,
      });
    }
  };

  const recordVersion = (node: VersionCheckNode, name: InstanceName): void => {
    const latest = node.latest ?? 2;
    const versions = input.retired(name.key) ? [latest] : versionsOf(latest);
    const version = versions[input.choose(versions.length)] ?? latest;
    const floor = version === 1 && latest > 1;
    // An instance pinned to 1 had run past this point already: it holds at least one later entry.
    record(name, "version_check", node, { version, crash: !floor });
    if (version < latest) pinned.push({ key: name.key, version, at: items.length - 1 });
    gates = new Map(gates).set(gateKey(name), version);
    gateChanges.push({ at: items.length - 1, gates });
  };

  // Overwritten when an error would be caught: then it is asked.
  const goesOn = (key: string): void => {
    const asked = askedAs({ text: key }, gates);
    if (!occurrences.has(key)) answers.set(`${key}#0`, { answer: 0, asked, implied: true });
  };

  const decide = (question: Question): number => {
    const id = question.node === null ? null : input.idOf(question.node);
    const key = id === null ? question.key : String(id);
    const seen = occurrences.get(key) ?? 0;
    occurrences.set(key, seen + 1);
    const { node } = question;
    const settled = node?.kind === "choice" ? input.settled?.get(node) : undefined;
    const answer = settled ?? input.choose(question.options);
    answers.set(`${key}#${seen}`, { answer, asked: questionAsked(question, gates) });
    if (question.text !== null && answer !== question.usual)
      assumed.push({ text: question.text, answer, after: items.length });
    return answer;
  };

  const end = walkScope(input.block, input.functions, input.limits, {
    visit: (node, name) => {
      switch (node.kind) {
        case "message":
          recordMessage(node, name);
          return "on";
        case "removed":
          recordRemoved(node, name);
          return "on";
        case "version_check":
          recordVersion(node, name);
          return "on";
        case "join":
        case "race":
          record(name, node.kind, node, { branches: branchKeys(node) });
          break;
        case "step":
          record(name, node.kind, node);
          if (hasOwnErrorOnly(node)) goesOn(goesWell(node, name));
          break;
        default:
          record(name, node.kind, node);
      }
      return canPass(node, input.functions) ? "on" : "endless";
    },
    decide,
    version: (gate) => gates.get(gateKey(gate)) ?? null,
  });

  return {
    items: [...before, ...items],
    answers,
    assumed: assumed.map((one) => ({ ...one, after: one.after + before.length })),
    gatesAt: (index) =>
      gateChanges.findLast((change) => change.at + before.length <= index)?.gates ?? input.gates,
    end,
    first: before.length - 1,
    pinned: pinned.map((pin) => ({ ...pin, at: pin.at + before.length })),
  };
}

/** Whether a wait with a timeout that depends on data had one; both versions answer alike if they compute it alike. */
export function timeoutQuestion({ reads }: MessageNode, name: InstanceName): Question {
  return { node: null, key: `timeout ${name.key}`, options: 2, text: null, reads, usual: null, arms: [] };
}

/** What a question asks in a run in which the gates have these versions; see `askedAs`. */
export function questionAsked({ key, reads }: Question, gates: Gates): string | null {
  return askedAs({ text: key, ...(reads && { reads }) }, gates);
}

function versionsOf(latest: number): number[] {
  const versions = [latest];
  for (let version = 1; version < latest && versions.length < MOST_VERSIONS; version++)
    versions.push(version);
  return versions;
}
