import type { ContextMember, Span } from "../../types.js";
import { MUTATORS } from "../evaluate/mutators.js";
import type { Run } from "../evaluate/run.js";
import type { AccessOperation, ValueInfo } from "../types.js";
import { DATA, valueOf, type Atom, type Value } from "../values/value.js";

type ContextAtom = Extract<Atom, { a: "context" }>;

export interface ContextSite {
  readonly span: Span;
  /** The context as written. */
  readonly text: string;
  /** `callee` = the path is about to be called: nothing is told yet. */
  readonly mode: "read" | "write" | "callee";
  readonly args: readonly ValueInfo[];
}

/** What the engine's table says of a path of a context; `rest` = names behind the member. */
export function memberAt(
  atom: ContextAtom,
  path: readonly string[],
): {
  readonly member: ContextMember;
  readonly at: readonly string[];
  readonly rest: readonly string[];
} | null {
  const all = [...atom.api, ...path];
  const { contexts } = atom.scope.profile;
  return (
    lookup(contexts[atom.scope.kind], all) ??
    // Not there at run time, but told as what it is meant to be: `c.client()` in a rollback, `step.sleep()`.
    lookup(contexts.step, all) ??
    (atom.scope.kind === "actor" ? null : lookup(contexts.workflow, all))
  );
}

type Members = Readonly<Record<string, ContextMember>>;

function lookup(table: Members, path: readonly string[]): ReturnType<typeof memberAt> {
  let members = table;
  for (let index = 0; index < path.length; index += 1) {
    const member = members[path[index] ?? ""];
    if (!member) return null;
    if (member.is !== "group") return { member, at: path.slice(0, index + 1), rest: path.slice(index + 1) };
    members = member.members;
  }
  return null;
}

/**
 * Reads (or writes) a path of a context. Actor APIs are told as one access; entries give a value that can
 * be called. `null` when the table knows nothing of it.
 */
export function contextMember(
  run: Run,
  atom: ContextAtom,
  path: readonly string[],
  site: ContextSite,
): Value | null {
  const found = memberAt(atom, path);
  if (!found) {
    // A group (`ctx.queue`) on its way to a member.
    const group = isGroup(atom, path);
    return group ? valueOf(contextAtom(atom, [...atom.api, ...path], site.text)) : null;
  }
  const { member, at, rest } = found;
  switch (member.is) {
    case "stable":
      return site.mode === "callee" ? valueOf(contextAtom(atom, [...at, ...rest], site.text)) : DATA;
    case "varies":
      return site.mode === "callee" ? valueOf(contextAtom(atom, [...at, ...rest], site.text)) : DATA;
    case "entry": {
      const value = valueOf(contextAtom(atom, at, site.text));
      const [method] = rest;
      if (method === undefined) return value;
      return ["call", "apply", "bind"].includes(method)
        ? valueOf({ a: "method", key: `m:${method}:${value.key}`, name: method, self: value })
        : DATA;
    }
    case "group":
      return null;
    case "actor": {
      if (site.mode !== "callee")
        recordAccess(run, atom, at, rest, site, site.mode === "write" ? "write" : "read");
      return valueOf(contextAtom(atom, [...at, ...rest].slice(0, 6), site.text));
    }
  }
}

function isGroup(atom: ContextAtom, path: readonly string[]): boolean {
  let members: Members = {
    ...atom.scope.profile.contexts.workflow,
    ...atom.scope.profile.contexts[atom.scope.kind],
  };
  for (const name of [...atom.api, ...path]) {
    const member = members[name];
    if (member?.is !== "group") return false;
    members = member.members;
  }
  return true;
}

export function contextAtom(atom: ContextAtom, api: readonly string[], text: string): ContextAtom {
  return { ...atom, api, text, key: `x:${atom.scope.id}${api.length === 0 ? "" : `:${api.join(".")}`}` };
}

/** Tells that an actor API is used. */
export function recordAccess(
  run: Run,
  atom: ContextAtom,
  at: readonly string[],
  rest: readonly string[],
  site: Pick<ContextSite, "span" | "text" | "args">,
  mode: "read" | "write" | "call",
  origin: string | null = null,
): void {
  const { solver } = run;
  const changes = mode === "call" && MUTATORS.has(rest[rest.length - 1] ?? "");
  run.record<AccessOperation>({
    kind: "access",
    ...run.base(run.place(site.span)),
    api: at.join("."),
    context: { scope: atom.scope, text: site.text },
    path: rest,
    mode: changes ? "write" : mode,
    args: site.args,
    get use() {
      return origin === null ? { how: "none" as const } : solver.useOf(origin);
    },
  });
}
