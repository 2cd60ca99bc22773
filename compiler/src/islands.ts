import type { Analysis } from "./2-solve/types.js";
import { onlyLists } from "./2-solve/only-lists.js";
import { engineOfModule } from "./engines/index.js";
import { reachedFrom, type Notes } from "./host/noted-host.js";

/**
 * Files with workflows that have no code in common with any other: what runs in them is analysed alone as it is with
 * all others. Paths are absolute; plain data.
 */
export interface Island {
  /** Files that may hold workflows. Sorted. */
  readonly roots: readonly string[];
  /** Files whose code was followed; no other island has them. Sorted. */
  readonly files: readonly string[];
  /** Files whose text decides what is found here, those of types included; islands may share them. Sorted. */
  readonly reads: readonly string[];
  /** Names of the classes in the files: rules know a class by its name. */
  readonly classes: readonly string[];
  /**
   * Whether the type checker was asked: `imports` when its answers hang on `reads` and on what files declare for all,
   * `program` when the text of any file may count.
   */
  readonly types: "none" | "imports" | "program";
  /** It only lists workflows of others in a `setup`: all that it does to them is to name them. */
  readonly isRegistry: boolean;
}

/**
 * The islands of an analysis.
 * @param roots that were analysed.
 * @param notes of the host that they were read through.
 * @param importsOfTypes gives the imports of the type checker's program, asked only when that was; `null` when it can't tell.
 */
export function islandsOf(
  analysis: Analysis,
  roots: readonly string[],
  notes: Notes,
  importsOfTypes: () => ReadonlyMap<string, readonly string[]> | null,
): readonly Island[] {
  const imports = notes.typed.size === 0 ? null : importsOfTypes();
  const reached = new Map(roots.map((root) => [root, reachedFrom([root], notes.leadsTo)]));
  const registries = new Set(
    roots.filter((root) => {
      const facts = analysis.files.get(root);
      const isUsed = [...reached].some(([other, files]) => other !== root && files.has(root));
      return facts !== undefined && !isUsed && onlyLists(facts, engineOfModule);
    }),
  );
  const groups = new Groups(roots.filter((root) => !registries.has(root)));
  for (const [root, files] of reached) {
    if (registries.has(root)) continue;
    for (const path of files) {
      const facts = analysis.files.get(path);
      if (facts === undefined) continue;
      groups.share(root, path);
      for (const { name } of facts.classes) groups.share(root, `class ${name}`);
    }
  }
  const taken = new Set<string>();
  const islandOf = (members: readonly string[], isRegistry: boolean): Island => {
    const reads = new Set(members.flatMap((root) => [...(reached.get(root) ?? [])]));
    const files = [...reads].filter((path) => analysis.files.has(path) && !taken.has(path)).sort();
    for (const file of files) taken.add(file);
    const typed = [...notes.typed.keys()].filter((path) => reads.has(path));
    const types =
      typed.length === 0
        ? "none"
        : imports === null || typed.some((path) => notes.typed.get(path) === "program")
          ? "program"
          : "imports";
    const typesFrom = types === "imports" && imports !== null ? reachedFrom(typed, imports) : [];
    return {
      roots: members,
      files,
      reads: [...new Set([...reads, ...typesFrom])].sort(),
      classes: files.flatMap((path) => analysis.files.get(path)?.classes.map(({ name }) => name) ?? []),
      types,
      isRegistry,
    };
  };
  const islands = [
    ...groups.all().map((members) => islandOf(members, false)),
    // What they name belongs to others; what is left is theirs.
    ...[...registries].map((root) => islandOf([root], true)),
  ];
  // Code that no import leads to could be anyone's.
  return taken.size === analysis.files.size ? islands : [];
}

/** Roots that are one group as soon as they share something. */
class Groups {
  private readonly leader = new Map<string, string>();
  private readonly ownerOf = new Map<string, string>();

  constructor(private readonly roots: readonly string[]) {}

  share(root: string, thing: string): void {
    const owner = this.ownerOf.get(thing);
    if (owner === undefined) this.ownerOf.set(thing, root);
    else this.leader.set(this.lead(root), this.lead(owner));
  }

  all(): readonly (readonly string[])[] {
    const groups = new Map<string, string[]>();
    for (const root of this.roots) {
      const leader = this.lead(root);
      const group = groups.get(leader);
      if (group === undefined) groups.set(leader, [root]);
      else group.push(root);
    }
    return [...groups.values()].map((group) => group.sort());
  }

  private lead(root: string): string {
    let at = root;
    for (let next = this.leader.get(at); next !== undefined && next !== at; next = this.leader.get(at))
      at = next;
    return at;
  }
}
