import type { ContextKind, Span, TypeRef } from "../../types.js";
import { referenceTo } from "../program.js";
import type { Run } from "./run.js";
import { rootScope } from "../entries/scope.js";
import { join, only, valueOf, type Value } from "../values/value.js";

/** The kind of context that an annotation names, by the engine's table or the config. */
export function contextKindOf(run: Run, type: TypeRef): ContextKind | null {
  const { options } = run.solver;
  const own = options.contextTypes?.[referenceTo(type.module ?? "", type.name)];
  if (own) return own;
  if (type.module === null) return null;
  const profile = options.engineOfModule(type.module);
  return profile?.contextTypes[type.name] ?? null;
}

/**
 * A value whose annotation says that it is a context, or a thing of the platform (`clock: typeof Date`): where nothing is known of it (a function that
 * nobody calls, or that is called by code that we can't see), the annotation stands for the argument.
 */
export function contextFromAnnotation(run: Run, type: TypeRef, value: Value, span: Span, depth = 0): Value {
  if (!mayBeAnything(value)) return value;
  const kind = contextKindOf(run, type);
  if (kind) {
    const profile =
      (type.module === null ? null : run.solver.options.engineOfModule(type.module)) ??
      run.solver.options.defaultEngine;
    const place = run.place(span);
    const scope = rootScope({
      id: `${kind}~${run.act.function.id}`,
      kind,
      opener: place,
      callback: run.act.function.id,
      label: `\`${run.act.function.name}\``,
      profile,
      workflow: null,
    });
    return join(
      only(value, (atom) => atom.a !== "const"),
      valueOf({ a: "context", key: `x:${scope.id}`, scope, api: [], text: "" }),
    );
  }
  const platform = platformThing(type);
  if (platform !== null && isOpen(value))
    return join(
      only(value, (atom) => atom.a !== "const"),
      valueOf({ a: "known", key: `k:${platform}`, path: platform, from: run.file }),
    );
  // Types may hold themselves (`parent: TreeNode`); contexts lie near the top.
  if (depth >= DEEPEST || !type.members) return value;
  const object = run.solver.object(run.act, run.place(span), "object", null, "typed");
  let known = false;
  for (const [name, member] of Object.entries(type.members)) {
    const part = contextFromAnnotation(run, member, value, span, depth + 1);
    if (part.atoms.every((atom) => atom.a !== "context" && atom.a !== "known")) continue;
    known = true;
    run.write(object.field(name), part);
  }
  if (!known) return value;
  run.write(object.rest, value);
  return join(value, valueOf({ a: "object", key: `o:${object.id}`, obj: object }));
}

const DEEPEST = 3;

/** Types of the platform that in effect have one value: whoever is given a `ProcessEnv` is given `process.env`. */
const PLATFORM_THINGS: Readonly<Record<string, string>> = {
  "NodeJS.ProcessEnv": "process.env",
  ProcessEnv: "process.env",
  "NodeJS.Process": "process",
  Process: "process",
  DateConstructor: "Date",
  Math: "Math",
  Performance: "performance",
  Crypto: "crypto",
  Console: "console",
};

const platformThing = (type: TypeRef): string | null =>
  type.module === null || FROM_PLATFORM.test(type.module) ? (PLATFORM_THINGS[type.name] ?? null) : null;
const FROM_PLATFORM = /^(?:@types\/node|node:.*|process)?$/;

/** Nobody says what it is. */
const isOpen = (value: Value): boolean =>
  (value.open || value.isBottom) && value.atoms.every((atom) => atom.a === "const");

/** Nothing is known of it, not even that it is missing. */
const mayBeAnything = (value: Value): boolean =>
  (value.open || value.data || value.isBottom) &&
  value.atoms.every((atom) => atom.a !== "context" && atom.a !== "object" && atom.a !== "closure");
