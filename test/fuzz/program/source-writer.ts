import type { Fault, Route } from "./faults.js";
import type { ScopeKind } from "./construct.js";
import { resultOf, type Block, type Name, type Ref } from "./tree.js";

/** Where a function of the program is written. */
export type FileName = "main" | "other";

/** A scope that statements are written into. */
interface Frame {
  readonly context: string;
  readonly kind: ScopeKind;
}

/** Writes TypeScript, line by line. One writer per function; `helper` opens another. */
export class SourceWriter {
  readonly lines: string[] = [];
  private depth = 0;
  private frames: Frame[];

  constructor(
    private readonly shared: SharedText,
    readonly file: FileName,
    frame: Frame,
    private readonly write: (block: Block, to: SourceWriter) => void,
  ) {
    this.frames = [frame];
  }

  get context(): string {
    return this.frame.context;
  }

  get scope(): ScopeKind {
    return this.frame.kind;
  }

  private get frame(): Frame {
    return this.frames.at(-1) ?? { context: "ctx", kind: "program" };
  }

  line(text: string): void {
    this.lines.push("  ".repeat(this.depth) + text);
  }

  /** `head`, the block one level deeper, `tail`. */
  inside(head: string, write: () => void, tail = "}"): void {
    this.line(head);
    this.depth++;
    write();
    this.depth--;
    this.line(tail);
  }

  block(block: Block): void {
    this.write(block, this);
  }

  /** `if (condition) { then } else { otherwise }`, without the `else` when it is empty. */
  arms(condition: string, then: Block, otherwise: Block): void {
    const hasElse = otherwise.length > 0;
    const write = (block: Block) => () => {
      this.block(block);
    };
    this.inside(`if (${condition}) {`, write(then), hasElse ? "} else {" : "}");
    if (!hasElse) return;
    this.depth++;
    this.block(otherwise);
    this.depth--;
    this.line("}");
  }

  /**
   * A function that is a scope, as an expression: `${head}async (c2) => {` … `}${tail}`. Its end gives the
   * block's result unless `end` says otherwise.
   */
  scopeBody(
    kind: ScopeKind,
    block: Block,
    head: string,
    tail: string,
    options: { readonly parameters?: string; readonly end?: () => void } = {},
  ): void {
    const context = this.shared.nextContext();
    this.frames.push({ context, kind });
    this.inside(
      `${head}async (${context}${options.parameters ?? ""}) => {`,
      () => {
        this.block(block);
        if (options.end !== undefined) options.end();
        else this.line(`return ${resultOf(block) ?? "0"};`);
      },
      `}${tail}`,
    );
    this.frames.pop();
  }

  /** `const v3 = `, or nothing when nobody looks at the value. */
  binding(variable: string, as = variable): string {
    return this.shared.used.has(variable) ? `const ${as} = ` : "";
  }

  /** `const v3 = value;`, when somebody looks at it. */
  value(variable: string, value: string): void {
    if (this.shared.used.has(variable)) this.line(`const ${variable} = ${value};`);
  }

  /** Text of a name: a string or a template. */
  name(name: Name, ref: Ref | null): string {
    const holes = [...name.turns, ...(name.byData && ref !== null ? [ref.on] : [])];
    return holes.length === 0
      ? JSON.stringify(name.base)
      : `\`${name.base}${holes.map((hole) => `-\${${hole}}`).join("")}\``;
  }

  /** Writes a function of its own into `file` and gives its name. */
  helper(file: FileName, parameters: readonly string[], block: Block): string {
    const name = `helper${this.shared.nextHelper()}`;
    const to = new SourceWriter(this.shared, file, { context: "ctx", kind: "helper" }, this.write);
    const list = ["ctx: WorkflowContextOf<typeof program>", ...parameters.map((one) => `${one}: number`)];
    to.inside(`async function ${name}(${list.join(", ")}): Promise<number> {`, () => {
      to.block(block);
      to.line(`return ${resultOf(block) ?? "0"};`);
    });
    this.shared.put(file, name, to.lines, this.file);
    return name;
  }

  /** Puts a statement at the top of the file. */
  top(line: string): void {
    this.shared.tops[this.file].push(line);
  }

  /** Writes the function `plantedFault` that holds a fault, where the route says, and imports it. */
  plant(fault: Fault, route: Route): void {
    const inPackage = route === "in a package";
    const parameter = fault.takesContext ? `ctx: WorkflowContextOf<typeof program>` : "";
    const lines = [
      `${fault.isAsync ? "async " : ""}function plantedFault(${inPackage ? "" : parameter}) {`,
      ...(fault.inFunction ?? fault.lines)("ctx").map((line) => `  ${line}`),
      "}",
    ];
    if (inPackage) {
      this.shared.plants.add(this.file);
      this.shared.package = [...(fault.top ?? []), `export ${lines.join("\n")}`];
      return;
    }
    const file = route === "in another file" ? "other" : this.file;
    for (const line of fault.top ?? []) this.shared.tops[file].push(line);
    for (const name of fault.engine ?? []) this.shared.use(file, "engine", name);
    this.shared.put(file, "plantedFault", lines, this.file);
  }

  /** Name of a module's export, which is imported. */
  use(module: "engine" | "world", name: string): string {
    this.shared.use(this.file, module, name);
    return name;
  }
}

/** What the files of one program have in common: imports, helpers, serial numbers. */
export class SharedText {
  /** @param used variables that are looked at. */
  constructor(readonly used: ReadonlySet<string>) {}

  private contexts = 1;
  private helpers = 0;
  readonly functions: Record<FileName, { readonly name: string; readonly lines: readonly string[] }[]> = {
    main: [],
    other: [],
  };
  readonly imports: Record<FileName, Record<"engine" | "world", Set<string>>> = {
    main: { engine: new Set(), world: new Set() },
    other: { engine: new Set(), world: new Set() },
  };
  /** Module-level statements of a file, before its functions. */
  readonly tops: Record<FileName, string[]> = { main: [], other: [] };
  /** Files that call the package `faulty`. */
  readonly plants = new Set<FileName>();
  /** The package `faulty`, whose export `plantedFault` the file with the fault imports. */
  package: readonly string[] | null = null;
  /** Helpers that a file takes from the other one. */
  readonly crossings: Record<FileName, Set<string>> = { main: new Set(), other: new Set() };

  nextContext(): string {
    return `c${++this.contexts}`;
  }

  nextHelper(): number {
    return ++this.helpers;
  }

  use(file: FileName, module: "engine" | "world", name: string): void {
    this.imports[file][module].add(name);
  }

  put(file: FileName, name: string, lines: readonly string[], from: FileName): void {
    this.functions[file].push({ name, lines });
    if (from !== file) this.crossings[from].add(name);
  }
}
