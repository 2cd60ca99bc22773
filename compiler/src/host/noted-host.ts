import type { Host } from "./host.js";
import { isInPackage } from "./source-unit.js";
import type { TypeQuestions } from "./type-questions.js";

/** What a host was asked about the files of a program. */
export interface Notes {
  /** By file: the files that its imports, and the type checker's answers about it, led to. */
  readonly leadsTo: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files about which the type checker was asked: its answers can hang on any other file. */
  readonly typed: ReadonlySet<string>;
}

/** A host that answers like another and notes which file led to which. */
export function noteReads(host: Host): { readonly host: Host; readonly notes: Notes } {
  const leadsTo = new Map<string, Set<string>>();
  const typed = new Set<string>();
  const note = (from: string, to: string): void => {
    let known = leadsTo.get(from);
    if (known === undefined) leadsTo.set(from, (known = new Set()));
    known.add(to);
  };
  const { modules, types } = host;
  return {
    notes: { leadsTo, typed },
    host: {
      ...host,
      modules: {
        resolve(specifier, fromFile, how) {
          const target = modules.resolve(specifier, fromFile, how);
          if (target.kind === "file") note(fromFile, target.path);
          return target;
        },
        implementation(specifier, fromFile, how) {
          const path = modules.implementation(specifier, fromFile, how);
          if (path !== null) note(fromFile, path);
          return path;
        },
      },
      types: noteTypes(types, typed, note),
    },
  };
}

function noteTypes(
  types: TypeQuestions,
  typed: Set<string>,
  note: (from: string, to: string) => void,
): TypeQuestions {
  const asked =
    <A extends [{ readonly path: string }, ...unknown[]], T>(question: (...args: A) => T) =>
    (...args: A): T => {
      if (!isInPackage(args[0].path)) typed.add(args[0].path);
      return question(...args);
    };
  return {
    member: asked((unit, name) => {
      const decl = types.member(unit, name);
      if (decl?.in === "program")
        for (const id of decl.functions) note(unit.path, id.slice(0, id.lastIndexOf(":")));
      return decl;
    }),
    namedType: asked((unit, node) => {
      const type = types.namedType(unit, node);
      if (type !== null) note(unit.path, type.module);
      return type;
    }),
    valueType: asked((unit, expression) => types.valueType(unit, expression)),
    awaitedReturn: asked((unit, fn) => types.awaitedReturn(unit, fn)),
    casesCover: asked((unit, statement) => types.casesCover(unit, statement)),
    writtenType: asked((unit, type) => types.writtenType(unit, type)),
  };
}

/** The files, and what they lead to, and so on. */
export function reachedFrom(files: Iterable<string>, { leadsTo }: Notes): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) for (const next of leadsTo.get(file) ?? []) reached.add(next);
  return reached;
}
