import type {
  BindingFacts,
  BindingId,
  ClassFacts,
  ClassId,
  FactsSource,
  FileFacts,
  FunctionFacts,
  FunctionId,
  PackageEntry,
} from "../types.js";

/** Files whose code is somebody else's: nothing is reported in them. */
export const isPackageFile = (path: string): boolean => path.includes("/node_modules/");

/** The facts by id. Files are read when one of their things is first asked for. */
export class Program {
  readonly files = new Map<string, FileFacts>();
  private readonly missing = new Set<string>();
  private readonly functions = new Map<FunctionId, FunctionFacts>();
  private readonly classes = new Map<ClassId, ClassFacts>();
  private readonly bindings = new Map<BindingId, BindingFacts>();

  constructor(readonly source: FactsSource) {}

  file(path: string): FileFacts | null {
    const known = this.files.get(path);
    if (known || this.missing.has(path)) return known ?? null;
    const file = this.source.file(path);
    if (!file) {
      this.missing.add(path);
      return null;
    }
    this.files.set(path, file);
    for (const fn of file.functions) this.functions.set(fn.id, fn);
    for (const cls of file.classes) this.classes.set(cls.id, cls);
    for (const binding of file.bindings) this.bindings.set(binding.id, binding);
    return file;
  }

  packageFile(module: string, from: string): PackageEntry | null {
    return this.source.packageFile(module, from);
  }

  fn(id: FunctionId): FunctionFacts | null {
    const known = this.functions.get(id);
    if (known) return known;
    this.file(fileOf(id));
    return this.functions.get(id) ?? null;
  }
  cls(id: ClassId): ClassFacts | null {
    const known = this.classes.get(id);
    if (known) return known;
    this.file(fileOf(id));
    return this.classes.get(id) ?? null;
  }
  binding(id: BindingId): BindingFacts | null {
    const known = this.bindings.get(id);
    if (known) return known;
    this.file(fileOf(id));
    return this.bindings.get(id) ?? null;
  }

  /** The function that a module variable holds from its declaration on: `function f` and `const f = () => …`. */
  functionOfBinding(id: BindingId): FunctionFacts | null {
    const file = this.file(fileOf(id));
    const module = file && this.fn(file.module);
    for (const stmt of module?.body ?? []) {
      if (stmt.s === "function" && stmt.binding === id) return this.fn(stmt.id);
      if (stmt.s === "declare")
        for (const { pattern, init } of stmt.items)
          if (pattern.p === "binding" && pattern.id === id)
            return init?.k === "function" ? this.fn(init.id) : null;
    }
    return null;
  }
}

/** How a config names what a file of the program exports: `/app/src/flows#durable`, without the extension. */
export const referenceTo = (file: string, name: string): string =>
  `${file.replace(/\.[cm]?[jt]sx?$/, "")}#${name}`;

/** The file of an id: what stands before its last `:`. */
export const fileOf = (id: string): string => id.slice(0, id.lastIndexOf(":"));
