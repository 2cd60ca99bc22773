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
  private readonly functions = new Map<FunctionId, FunctionFacts | null>();
  private readonly classes = new Map<ClassId, ClassFacts | null>();
  private readonly bindings = new Map<BindingId, BindingFacts | null>();

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
    return file;
  }

  packageFile(module: string, from: string): PackageEntry | null {
    return this.source.packageFile(module, from);
  }

  fn(id: FunctionId): FunctionFacts | null {
    let fn = this.functions.get(id);
    if (fn === undefined) this.functions.set(id, (fn = this.file(fileOf(id))?.function(id) ?? null));
    return fn;
  }
  cls(id: ClassId): ClassFacts | null {
    let cls = this.classes.get(id);
    if (cls === undefined) this.classes.set(id, (cls = this.file(fileOf(id))?.class(id) ?? null));
    return cls;
  }
  binding(id: BindingId): BindingFacts | null {
    let binding = this.bindings.get(id);
    if (binding === undefined) this.bindings.set(id, (binding = this.file(fileOf(id))?.binding(id) ?? null));
    return binding;
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
