/**
 * Facts whose costly part is found when it is first read: the type checker, and files that only an annotation
 * leads to. To a reader they are plain facts; JSON holds what has been read so far.
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

/** Everything of a function that is known at once. */
export type KnownOfFunction = Omit<FunctionFacts, "returnType" | "returnAnnotation" | "writtenReturn">;

export class LazyFunction implements FunctionFacts {
  readonly id: FunctionId;
  readonly name: string;
  readonly file: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly async: boolean;
  readonly generator: boolean;
  readonly arrow: boolean;
  readonly params: readonly ParamFacts[];
  readonly body: readonly Stmt[];
  readonly owner: FunctionId | null;
  readonly classId: ClassId | null;
  readonly declared: "pure" | "effectful" | null;
  readonly #asking: Asking;
  readonly #node: Node | null;
  readonly #written: WrittenReturn | null;
  #returnType: TypeFacts | null | undefined;
  #returnAnnotation: TypeRef | null | undefined;
  #writtenReturn: FunctionFacts["writtenReturn"];
  constructor(known: KnownOfFunction, asking: Asking, node: Node | null, written: WrittenReturn | null) {
    this.id = known.id;
    this.name = known.name;
    this.file = known.file;
    this.span = known.span;
    this.nameSpan = known.nameSpan;
    this.async = known.async;
    this.generator = known.generator;
    this.arrow = known.arrow;
    this.params = known.params;
    this.body = known.body;
    this.owner = known.owner;
    this.classId = known.classId;
    this.declared = known.declared;
    this.#asking = asking;
    this.#node = node;
    this.#written = written;
  }
  get returnType(): TypeFacts | null {
    if (this.#asking === null || this.#node === null) return null;
    if (this.#returnType === undefined) {
      const known = this.#written !== null || this.generator || !givesNothing(this.body) ? null : VOID;
      this.#returnType = known ?? this.#asking.types.awaitedReturn(this.#asking.unit, this.#node);
    }
    return this.#returnType;
  }
  get returnAnnotation(): TypeRef | null {
    if (this.#returnAnnotation === undefined) this.#returnAnnotation = this.#written?.ref() ?? null;
    return this.#returnAnnotation;
  }
  get writtenReturn(): "data" | "promise" | "unsure" | null {
    return (this.#writtenReturn ??= this.#written?.holds() ?? null);
  }
}

export class LazyFile implements FileFacts {
  readonly #exports: Once<Readonly<Record<string, Ref>>>;
  constructor(
    readonly path: string,
    readonly hash: string,
    readonly lineStarts: readonly number[],
    readonly module: FunctionId,
    readonly functions: readonly FunctionFacts[],
    readonly classes: readonly ClassFacts[],
    readonly bindings: readonly BindingFacts[],
    readonly suppressions: readonly SuppressionFacts[],
    readonly syntaxErrors: FileFacts["syntaxErrors"],
    exports: () => Readonly<Record<string, Ref>>,
  ) {
    this.#exports = new Once(exports);
  }
  get exports(): Readonly<Record<string, Ref>> {
    return this.#exports.value;
  }
}
