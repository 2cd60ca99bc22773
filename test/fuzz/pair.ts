import {
  diffManifests,
  MANIFEST_FORMAT_VERSION,
  type DiffResult,
  type Manifest,
  type WorkflowManifest,
} from "../../runtime/src/manifest/index.js";
import type { Block } from "./program/tree.js";

/** A program, another that takes its place, what the compiler makes of both, and what the diff says. */
export interface Pair {
  readonly old: Block;
  readonly now: Block;
  readonly before: WorkflowManifest;
  readonly after: WorkflowManifest;
  readonly diff: DiffResult;
}

export type Change = DiffResult["workflows"][number]["changes"][number];

export function diffOf(before: WorkflowManifest, after: WorkflowManifest): DiffResult {
  return diffManifests(manifest(before), manifest(after));
}

const manifest = (program: WorkflowManifest): Manifest => ({
  formatVersion: MANIFEST_FORMAT_VERSION,
  tool: "fuzz",
  workflows: { program },
});

export const breakingIn = (diff: DiffResult): readonly Change[] =>
  (diff.workflows[0]?.changes ?? []).filter(({ level }) => level === "breaking");

/** @throws when the list has no such number. */
export function at<T>(list: readonly T[], index: number): T {
  const one = list[index];
  if (one === undefined) throw new Error(`There is no number ${index} among ${list.length}.`);
  return one;
}
