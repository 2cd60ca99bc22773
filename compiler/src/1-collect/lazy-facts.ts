/**
 * Facts whose costly part is found when it is first read: bodies of functions, what the type checker says, and files
 * that only an annotation leads to. To a reader they are plain facts; JSON holds all but the
 * answers that nobody asked for.
 */
import type { Node } from "../host/syntax.js";
import type { SourceUnit } from "../host/source-unit.js";
import type { TypeQuestions } from "../host/type-questions.js";
import type {
  ArgFacts,
  BindingFacts,
  BindingId,
  CallExpr,
  ClassId,
  Expr,
  FileFacts,
  FunctionFacts,
  FunctionId,
  Glance,
  ImportExpr,
  MemberDecl,
  MemberExpr,
  ParamFacts,
  Pattern,
  PropFacts,
  Ref,
  Span,
  Stmt,
  SuppressionFacts,
  TypeFacts,
  TypeRef,
  ClassFacts,
} from "../types.js";
import { givesNothing } from "./gives-nothing.js";

/** Computes once, when first asked. */
export class Once<T> {
  #state: { readonly done: false; readonly compute: () => T } | { readonly done: true; readonly value: T };
  constructor(compute: () => T) {
    this.#state = { done: false, compute };
  }
  get value(): T {
    if (this.#state.done) return this.#state.value;
    const value = this.#state.compute();
    this.#state = { done: true, value };
    return value;
  }
}

/** Who answers for the nodes of one file; `null` where types are never asked (files of packages). */
export type Asking = { readonly types: TypeQuestions; readonly unit: SourceUnit } | null;

type Annotation = (() => TypeRef | null) | null;

/** A written return type, as it is asked for. */
export interface WrittenReturn {
  readonly ref: () => TypeRef | null;
  readonly holds: () => NonNullable<FunctionFacts["writtenReturn"]>;
}

export class LazyTypeRef implements TypeRef {
  readonly classId = null;
  readonly #members: Once<Readonly<Record<string, TypeRef>>>;
  constructor(
    readonly name: string,
    readonly module: string | null,
    readonly args: readonly string[],
    readonly text: string,
    members: () => Readonly<Record<string, TypeRef>>,
  ) {
    this.#members = new Once(members);
  }
  get members(): Readonly<Record<string, TypeRef>> {
    return this.#members.value;
  }
}

// These are made in great numbers, so they hold what they need to ask instead of a function that asks.

export class LazyMember implements MemberExpr {
  readonly k = "member";
  readonly #asking: Asking;
  readonly #name: Node | null;
  #decl: MemberDecl | null | undefined;
  constructor(
    readonly span: Span,
    readonly object: Expr,
    readonly property: string | null,
    readonly computed: Expr | null,
    readonly optional: boolean,
    readonly propertySpan: Span,
    asking: Asking,
    name: Node | null,
  ) {
    this.#asking = asking;
    this.#name = name;
  }
  get decl(): MemberDecl | null {
    if (this.#asking === null || this.#name === null) return null;
    if (this.#decl === undefined) this.#decl = this.#asking.types.member(this.#asking.unit, this.#name);
    return this.#decl;
  }
}

type SwitchStmt = Extract<Stmt, { s: "switch" }>;

export class LazySwitch implements SwitchStmt {
  readonly s = "switch";
  readonly #asking: Asking;
  readonly #node: Node;
  #exhaustive: boolean | undefined;
  constructor(
    readonly value: Expr,
    readonly cases: SwitchStmt["cases"],
    readonly label: string | null,
    readonly span: Span,
    asking: Asking,
    node: Node,
  ) {
    this.#asking = asking;
    this.#node = node;
  }
  get exhaustive(): boolean {
    if (this.#asking === null) return false;
    return (this.#exhaustive ??= this.#asking.types.casesCover(this.#asking.unit, this.#node) ?? false);
  }
}

export class LazyProp implements PropFacts {
  readonly #asking: Asking;
  readonly #node: Node;
  #type: TypeFacts | null | undefined;
  constructor(
    readonly kind: PropFacts["kind"],
    readonly key: string | null,
    readonly computed: Expr | null,
    readonly value: Expr,
    readonly span: Span,
    asking: Asking,
    node: Node,
  ) {
    this.#asking = asking;
    this.#node = node;
  }
  get type(): TypeFacts | null {
    if (this.#asking === null) return null;
    if (this.#type === undefined) this.#type = this.#asking.types.valueType(this.#asking.unit, this.#node);
    return this.#type;
  }
}

/** Only made for calls with type arguments; others are plain. */
export class LazyCall implements CallExpr {
  readonly k = "call";
  readonly #typeArgs: Once<readonly TypeFacts[]>;
  constructor(
    readonly span: Span,
    readonly form: "call" | "new" | "tag",
    readonly callee: Expr,
    readonly args: readonly ArgFacts[],
    readonly optional: boolean,
    typeArgs: () => readonly TypeFacts[],
  ) {
    this.#typeArgs = new Once(typeArgs);
  }
  get typeArgs(): readonly TypeFacts[] {
    return this.#typeArgs.value;
  }
}

/** `import("./x")`: the file is not looked at before someone follows it. */
export class LazyImport implements ImportExpr {
  readonly k = "import";
  readonly #ref: Once<Ref | null>;
  constructor(
    readonly span: Span,
    readonly module: Expr,
    ref: () => Ref | null,
  ) {
    this.#ref = new Once(ref);
  }
  get ref(): Ref | null {
    return this.#ref.value;
  }
}

/** Only made for annotated parameters; others are plain. */
export class LazyParam implements ParamFacts {
  readonly #annotation: Once<TypeRef | null>;
  constructor(
    readonly pattern: Pattern,
    readonly rest: boolean,
    annotation: () => TypeRef | null,
  ) {
    this.#annotation = new Once(annotation);
  }
  get annotation(): TypeRef | null {
    return this.#annotation.value;
  }
}

export class LazyBinding implements BindingFacts {
  #find: Annotation;
  #annotation: TypeRef | null = null;
  constructor(
    readonly id: BindingId,
    readonly name: string,
    readonly file: string,
    readonly span: Span,
    readonly kind: BindingFacts["kind"],
    readonly owner: FunctionId,
    annotation: Annotation,
  ) {
    this.#find = annotation;
  }
  get annotation(): TypeRef | null {
    if (this.#find !== null) {
      this.#annotation = this.#find();
      this.#find = null;
    }
    return this.#annotation;
  }
}

const VOID: TypeFacts = { text: "void", hazards: [] };

/** What is known of a function at its head. */
export type FunctionHead = Omit<
  FunctionFacts,
  "params" | "body" | "glance" | "withInner" | "returnType" | "returnAnnotation" | "writtenReturn"
>;

/** What is known of a function once it is lowered. */
export interface FunctionParts {
  readonly params: readonly ParamFacts[];
  readonly body: readonly Stmt[];
  /** What stands directly in it. */
  readonly inside: readonly Found[];
  readonly written: WrittenReturn | null;
}

/** Where the rest of a function comes from. */
export interface FunctionSource {
  lower(): FunctionParts;
  glance(): Glance;
}

/** A function or class, noted where it was found. */
export type Found =
  { readonly is: "function"; readonly fn: LazyFunction } | { readonly is: "class"; readonly cls: ClassFacts };

export class LazyFunction implements FunctionFacts {
  readonly id: FunctionId;
  readonly name: string;
  readonly file: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly async: boolean;
  readonly generator: boolean;
  readonly arrow: boolean;
  readonly owner: FunctionId | null;
  readonly classId: ClassId | null;
  readonly declared: "pure" | "effectful" | null;
  readonly #asking: Asking;
  readonly #node: Node | null;
  #source: FunctionSource | null;
  #parts: FunctionParts | null = null;
  #glance: Glance | null = null;
  #returnType: TypeFacts | null | undefined;
  #returnAnnotation: TypeRef | null | undefined;
  #writtenReturn: FunctionFacts["writtenReturn"];
  constructor(head: FunctionHead, asking: Asking, node: Node | null, source: FunctionSource) {
    this.id = head.id;
    this.name = head.name;
    this.file = head.file;
    this.span = head.span;
    this.nameSpan = head.nameSpan;
    this.async = head.async;
    this.generator = head.generator;
    this.arrow = head.arrow;
    this.owner = head.owner;
    this.classId = head.classId;
    this.declared = head.declared;
    this.#asking = asking;
    this.#node = node;
    this.#source = source;
  }
  get parts(): FunctionParts {
    if (this.#parts !== null) return this.#parts;
    const source = this.#source;
    if (source === null) throw new Error(`${this.id} is asked for what it holds while that is being found`);
    this.#source = null;
    return (this.#parts = source.lower());
  }
  get params(): readonly ParamFacts[] {
    return this.parts.params;
  }
  get body(): readonly Stmt[] {
    return this.parts.body;
  }
  get glance(): Glance {
    return (this.#glance ??= this.#source?.glance() ?? ANYTHING);
  }
  get withInner(): readonly FunctionFacts[] {
    return [...functionsIn(this.parts.inside), this];
  }
  /** With parameters and body, so that JSON has them. */
  toJSON(): object {
    return { ...this, params: this.params, body: this.body };
  }
  get returnType(): TypeFacts | null {
    if (this.#asking === null || this.#node === null) return null;
    if (this.#returnType === undefined) {
      const known = this.parts.written !== null || this.generator || !givesNothing(this.body) ? null : VOID;
      this.#returnType = known ?? this.#asking.types.awaitedReturn(this.#asking.unit, this.#node);
    }
    return this.#returnType;
  }
  get returnAnnotation(): TypeRef | null {
    if (this.#returnAnnotation === undefined) this.#returnAnnotation = this.parts.written?.ref() ?? null;
    return this.#returnAnnotation;
  }
  get writtenReturn(): "data" | "promise" | "unsure" | null {
    return (this.#writtenReturn ??= this.parts.written?.holds() ?? null);
  }
}

/** Of a text that was not looked at. */
export const ANYTHING: Glance = { assigns: true, methods: new Set(), typedCalls: true, classes: true };

/** A function that is lowered along with what stands around it. */
export const knownParts = (body: readonly Stmt[]): FunctionSource => ({
  lower: () => ({ params: [], body, inside: [], written: null }),
  glance: () => ANYTHING,
});

/** The functions of a list and all in them, inner ones first. */
export const functionsIn = (found: readonly Found[]): FunctionFacts[] =>
  found.flatMap((one) => (one.is === "function" ? one.fn.withInner : []));

/** The classes of a list and all in its functions, in the order in which they are found. */
const classesIn = (found: readonly Found[]): ClassFacts[] =>
  found.flatMap((one) =>
    one.is === "class" ? [one.cls] : one.fn.glance.classes ? classesIn(one.fn.parts.inside) : [],
  );

/** What has been found in a file so far, by id. */
export interface FoundById {
  readonly functions: ReadonlyMap<FunctionId, FunctionFacts>;
  readonly classes: ReadonlyMap<ClassId, ClassFacts>;
  readonly bindings: ReadonlyMap<BindingId, BindingFacts>;
}

export class LazyFile implements FileFacts {
  readonly #exports: Once<Readonly<Record<string, Ref>>>;
  #functions: readonly FunctionFacts[] | null = null;
  #outermost: readonly FunctionFacts[] | null = null;
  constructor(
    readonly path: string,
    readonly hash: string,
    readonly lineStarts: readonly number[],
    readonly module: FunctionId,
    readonly suppressions: readonly SuppressionFacts[],
    readonly syntaxErrors: FileFacts["syntaxErrors"],
    private readonly own: FunctionFacts,
    private readonly found: readonly Found[],
    private readonly byId: FoundById,
    exports: () => Readonly<Record<string, Ref>>,
  ) {
    this.#exports = new Once(exports);
  }
  get exports(): Readonly<Record<string, Ref>> {
    return this.#exports.value;
  }
  get outermost(): readonly FunctionFacts[] {
    return (this.#outermost ??= [
      this.own,
      ...this.found.flatMap((one) => (one.is === "function" ? [one.fn] : [])),
    ]);
  }
  get functions(): readonly FunctionFacts[] {
    return (this.#functions ??= [this.own, ...functionsIn(this.found)]);
  }
  get classes(): readonly ClassFacts[] {
    return classesIn(this.found);
  }
  get bindings(): readonly BindingFacts[] {
    void this.functions;
    return [...this.byId.bindings.values()].sort((a, b) => a.span[0] - b.span[0]);
  }
  function(id: FunctionId): FunctionFacts | null {
    return this.#find(this.byId.functions, id);
  }
  class(id: ClassId): ClassFacts | null {
    return this.#find(this.byId.classes, id);
  }
  binding(id: BindingId): BindingFacts | null {
    return this.#find(this.byId.bindings, id);
  }
  /** With all functions, classes and bindings, so that JSON has them. */
  toJSON(): object {
    const { path, hash, lineStarts, module, functions, classes, bindings, suppressions, syntaxErrors } = this;
    return { path, hash, lineStarts, module, functions, classes, bindings, suppressions, syntaxErrors };
  }
  #find<T>(among: ReadonlyMap<string, T>, id: string): T | null {
    const known = among.get(id);
    if (known !== undefined || this.#functions !== null) return known ?? null;
    void this.functions;
    return among.get(id) ?? null;
  }
}
