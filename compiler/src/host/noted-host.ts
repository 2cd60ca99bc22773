import type { Host } from "./host.js";
import { isInPackage } from "./source-unit.js";
import type { TypeQuestions } from "./type-questions.js";

/** What a host was asked about the files of a program. */
export interface Notes {
  /** By file: the files that its imports, and the type checker's answers about it, led to. */
  readonly leadsTo: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Files about which the type checker was asked. Its answers hang on the files that such a file imports, and so on;
   * or on the whole program, where it may have looked for who implements something.
   */
  readonly typed: ReadonlyMap<string, "imports" | "program">;
  /** By file: what was answered about it besides its text. */
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
}

/** One answer, with the means to ask again. */
export interface Answer {
  readonly gave: string;
  again(host: Host): string;
}

/** A host that answers like another and notes which file led to which. */
export function noteReads(host: Host): { readonly host: Host; readonly notes: Notes } {
  const leadsTo = new Map<string, Set<string>>();
  const typed = new Map<string, "imports" | "program">();
  const answers = new Map<string, Answer[]>();
  const note = (from: string, to: string): void => {
    let known = leadsTo.get(from);
    if (known === undefined) leadsTo.set(from, (known = new Set()));
    known.add(to);
  };
  const keep = (about: string, answer: Answer): void => {
    const known = answers.get(about);
    if (known === undefined) answers.set(about, [answer]);
    else known.push(answer);
  };
  const { modules, types } = host;
  return {
    notes: { leadsTo, typed, answers },
    host: {
      ...host,
      modules: {
        resolve(specifier, fromFile, how) {
          const target = modules.resolve(specifier, fromFile, how);
          if (target.kind === "file") note(fromFile, target.path);
          keep(fromFile, {
            gave: JSON.stringify(target),
            again: (now) => JSON.stringify(now.modules.resolve(specifier, fromFile, how)),
          });
          return target;
        },
        implementation(specifier, fromFile, how) {
          const path = modules.implementation(specifier, fromFile, how);
          if (path !== null) note(fromFile, path);
          keep(fromFile, {
            gave: String(path),
            again: (now) => String(now.modules.implementation(specifier, fromFile, how)),
          });
          return path;
        },
      },
      packageOf(path) {
        const owner = host.packageOf(path);
        keep(path, { gave: JSON.stringify(owner), again: (now) => JSON.stringify(now.packageOf(path)) });
        return owner;
      },
      types: noteTypes(types, typed, note),
    },
  };
}

function noteTypes(
  types: TypeQuestions,
  typed: Map<string, "imports" | "program">,
  note: (from: string, to: string) => void,
): TypeQuestions {
  const asked =
    <A extends [{ readonly path: string }, ...unknown[]], T>(question: (...args: A) => T) =>
    (...args: A): T => {
      const [{ path }] = args;
      if (!isInPackage(path) && !typed.has(path)) typed.set(path, "imports");
      return question(...args);
    };
  return {
    member: asked((unit, name) => {
      const decl = types.member(unit, name);
      if (decl?.in !== "external") typed.set(unit.path, "program");
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
    imports: () => types.imports(),
  };
}

/** The files, and what they lead to, and so on. */
export function reachedFrom(
  files: Iterable<string>,
  leadsTo: ReadonlyMap<string, Iterable<string>>,
): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) for (const next of leadsTo.get(file) ?? []) reached.add(next);
  return reached;
}
