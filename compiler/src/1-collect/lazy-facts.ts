/**
 * Facts whose costly part is found when it is first read: the type checker, and files that only an annotation
 * leads to. To a reader they are plain facts; JSON holds what has been read so far.
 */
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

const nothing = new Once<null>(() => null);

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

export class LazyMember implements MemberExpr {
  readonly k = "member";
  readonly #decl: Once<MemberDecl | null>;
  constructor(
    readonly span: Span,
    readonly object: Expr,
    readonly property: string | null,
    readonly computed: Expr | null,
    readonly optional: boolean,
    readonly propertySpan: Span,
    decl: (() => MemberDecl | null) | null,
  ) {
    this.#decl = decl === null ? nothing : new Once(decl);
  }
  get decl(): MemberDecl | null {
    return this.#decl.value;
  }
}

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

export class LazyProp implements PropFacts {
  readonly #type: Once<TypeFacts | null>;
  constructor(
    readonly kind: PropFacts["kind"],
    readonly key: string | null,
    readonly computed: Expr | null,
    readonly value: Expr,
    readonly span: Span,
    type: (() => TypeFacts | null) | null,
  ) {
    this.#type = type === null ? nothing : new Once(type);
  }
  get type(): TypeFacts | null {
    return this.#type.value;
  }
}

export class LazyParam implements ParamFacts {
  readonly #annotation: Once<TypeRef | null>;
  constructor(
    readonly pattern: Pattern,
    readonly rest: boolean,
    annotation: (() => TypeRef | null) | null,
  ) {
    this.#annotation = annotation === null ? nothing : new Once(annotation);
  }
  get annotation(): TypeRef | null {
    return this.#annotation.value;
  }
}

export class LazyBinding implements BindingFacts {
  readonly #annotation: Once<TypeRef | null>;
  constructor(
    readonly id: BindingId,
    readonly name: string,
    readonly file: string,
    readonly span: Span,
    readonly kind: BindingFacts["kind"],
    readonly owner: FunctionId,
    annotation: (() => TypeRef | null) | null,
  ) {
    this.#annotation = annotation === null ? nothing : new Once(annotation);
  }
  get annotation(): TypeRef | null {
    return this.#annotation.value;
  }
}

/** Everything of a function that is known at once. */
export type KnownOfFunction = Omit<FunctionFacts, "returnType" | "returnAnnotation">;

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
  readonly #returnType: Once<TypeFacts | null>;
  readonly #returnAnnotation: Once<TypeRef | null>;
  constructor(
    known: KnownOfFunction,
    returnType: () => TypeFacts | null,
    returnAnnotation: () => TypeRef | null,
  ) {
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
    this.#returnType = new Once(returnType);
    this.#returnAnnotation = new Once(returnAnnotation);
  }
  get returnType(): TypeFacts | null {
    return this.#returnType.value;
  }
  get returnAnnotation(): TypeRef | null {
    return this.#returnAnnotation.value;
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
