/**
 * The types that the checker is built on. Imports nothing.
 *
 * The way of the data: source text → `FileFacts` (1-collect; plain data, one per file, cacheable) →
 * `Analysis` (2-solve) → `Diagnostic[]` (3-report). A second front end only has to produce `FileFacts`.
 *
 * Positions are offsets into the file's text (UTF-16 units, end exclusive); `FileFacts.lineStarts`
 * turns them into lines and columns at the very end.
 */

export type Span = readonly [start: number, end: number];
export interface Place {
  /** Absolute path with `/`. */
  readonly file: string;
  readonly span: Span;
}

/** `path:offset` of the thing's own syntax node, so ids are stable for one text and unique in a program. */
export type FunctionId = string;
export type BindingId = string;
export type ClassId = string;

// ---------------------------------------------------------------------------------------------
// Where facts come from. 1-collect implements it; the solver asks, file by file, only for what it reaches.
// ---------------------------------------------------------------------------------------------

export interface FactsSource {
  /** Files whose text mentions an engine package, so that they may hold workflows: absolute, sorted. */
  readonly roots: readonly string[];
  /**
   * The facts of one source file of the program or of a package; lowered when first asked, the same object
   * ever after. `null` when there is no such file. An id's file is what stands before its last `:`.
   *
   * `MemberExpr.decl`, `FunctionFacts.returnType`, `PropFacts.type`, `CallExpr.typeArgs` and `TypeRef.members`
   * are answered when they are first read (getters): reading them is what starts the type checker, so read
   * them only where values don't tell. Don't spread such an object.
   */
  file(path: string): FileFacts | null;
  /**
   * The JavaScript that a package runs for `module` (an import specifier, subpath included) when it is imported
   * from `fromFile`; `null` when it is not installed. `file(entry.file)` gives its facts.
   */
  packageFile(module: string, fromFile: string): PackageEntry | null;
}
export interface PackageEntry {
  /** Absolute path with `/`. */
  readonly file: string;
  readonly name: string;
  readonly version: string | null;
}

// ---------------------------------------------------------------------------------------------
// Facts: one file, lowered. Types are gone, sugar is gone, every name is resolved.
// ---------------------------------------------------------------------------------------------

export interface FileFacts {
  readonly path: string;
  /** Of the text, for caches. */
  readonly hash: string;
  readonly lineStarts: readonly number[];
  /** The module's own statements, as a function without parameters. */
  readonly module: FunctionId;
  /** The module's own function and those that stand in no other: what is known before any of their bodies is read. */
  readonly outermost: readonly FunctionFacts[];
  /** All functions: the module's own first, inner ones before those around them. Reads every body. */
  readonly functions: readonly FunctionFacts[];
  /** All classes. Reads the bodies in which there are some. */
  readonly classes: readonly ClassFacts[];
  /** All bindings. Reads every body. */
  readonly bindings: readonly BindingFacts[];
  /** One of them by its id, wherever it stands; bodies are read only where nothing is known of the id. */
  function(id: FunctionId): FunctionFacts | null;
  class(id: ClassId): ClassFacts | null;
  binding(id: BindingId): BindingFacts | null;
  /** Export name (`default` included) → what it stands for here; re-exports are already followed. */
  readonly exports: Readonly<Record<string, Ref>>;
  readonly suppressions: readonly SuppressionFacts[];
  /** The first parse errors, so that a broken file is told and the others go on. */
  readonly syntaxErrors: readonly { readonly message: string; readonly span: Span }[];
}

/** `// stepproof-ignore-next-line <rule> -- reason` */
export interface SuppressionFacts {
  readonly span: Span;
  /** 1-based line that it silences. */
  readonly line: number;
  readonly rules: readonly string[];
  readonly reason: string | null;
}

export interface FunctionFacts {
  readonly id: FunctionId;
  /** For people: `chooseReviewer`, `Invoice.total`, `run`, or `(anonymous)`. */
  readonly name: string;
  readonly file: string;
  readonly span: Span;
  /** The name, or the head of an arrow: what a chain points at. */
  readonly nameSpan: Span;
  readonly async: boolean;
  readonly generator: boolean;
  /** Arrow functions have the `this` of their owner. */
  readonly arrow: boolean;
  /** Lowered when parameters or body are first read. */
  readonly params: readonly ParamFacts[];
  readonly body: readonly Stmt[];
  /**
   * What a look at the text tells without lowering it, of functions that stand in it too. Of one that is lowered
   * already it rules nothing out: reading that is as cheap.
   */
  readonly glance: Glance;
  /** The functions that stand in it, inner ones first, and itself. Reads their bodies. */
  readonly withInner: readonly FunctionFacts[];
  /** The function around it; the module's for top-level ones; `null` for the module itself. */
  readonly owner: FunctionId | null;
  /** The class it is a member of. */
  readonly classId: ClassId | null;
  /** `@stepproof pure` or `@stepproof effectful` in its doc comment. */
  readonly declared: "pure" | "effectful" | null;
  /** Awaited return type; asked only for callbacks of calls named like an entry. */
  readonly returnType: TypeFacts | null;
  /** The written return type, `Promise` taken off. */
  readonly returnAnnotation?: TypeRef | null;
  /**
   * Whether the written return type tells by itself that only plain data comes back, or a promise of it; `unsure` =
   * the type checker must be asked, `null` = none is written.
   */
  readonly writtenReturn?: "data" | "promise" | "unsure" | null;
}

/** What a function's text can do at most. */
export interface Glance {
  /** It assigns or deletes what is declared outside of it, or what belongs to a `this`. */
  readonly assigns: boolean;
  /** Methods that it calls on such things (`push`), and platform functions that are given one first (`Object.assign`). */
  readonly methods: ReadonlySet<string>;
  /** It calls an imported name with type arguments. */
  readonly typedCalls: boolean;
  /** There are classes in it. */
  readonly classes: boolean;
}

export interface ParamFacts {
  readonly pattern: Pattern;
  readonly rest: boolean;
  readonly annotation: TypeRef | null;
}

/** What an annotation says, resolved as far as a name: `WorkflowStepContextOf<typeof x>`, `Pool`. */
export interface TypeRef {
  readonly name: string;
  /** Where the name comes from: a package, a file of the program, or nowhere (global, local alias). */
  readonly module: string | null;
  readonly classId: ClassId | null;
  /** Named type arguments, one level. */
  readonly args: readonly string[];
  readonly text: string;
  /** What an object type written in the program says of its properties (`{ ctx: WorkflowContextOf<…> }`), lazily. */
  readonly members?: Readonly<Record<string, TypeRef>>;
}

/** A type as the recorder sees it. */
export interface TypeFacts {
  /** Printed, normalised: no import paths, members sorted as declared, no local alias names. */
  readonly text: string;
  /** What a recorder can't bring back as it was, by property path (`""` = the value itself). */
  readonly hazards: readonly TypeHazard[];
}
export interface TypeHazard {
  readonly path: string;
  /** `lossy` = stored but changed (class instance loses its class). */
  readonly kind:
    | "function"
    | "symbol"
    | "class"
    | "stream"
    | "response"
    | "promise"
    | "weak"
    | "cycle"
    | "bytes"
    | "other";
  readonly typeName: string;
  readonly lossy: boolean;
}

export interface ClassFacts {
  readonly id: ClassId;
  readonly name: string;
  readonly file: string;
  readonly span: Span;
  readonly extends: Expr | null;
  readonly implements: readonly TypeRef[];
  readonly constructorId: FunctionId | null;
  readonly members: readonly ClassMember[];
}
export interface ClassMember {
  readonly name: string;
  readonly static: boolean;
  readonly kind: "method" | "get" | "set" | "field";
  /** The method or accessor. */
  readonly functionId: FunctionId | null;
  /** The field's initial value, evaluated in the constructor (or at class definition when static). */
  readonly value: Expr | null;
  readonly annotation: TypeRef | null;
  readonly span: Span;
}

export interface BindingFacts {
  readonly id: BindingId;
  readonly name: string;
  readonly file: string;
  readonly span: Span;
  readonly kind: "const" | "let" | "var" | "param" | "function" | "class" | "catch" | "enum" | "namespace";
  /** The function that declares it; the module's for top-level ones. */
  readonly owner: FunctionId;
  readonly annotation: TypeRef | null;
}

/** What a name stands for, aliases and re-exports followed. */
export type Ref =
  | { readonly to: "binding"; readonly id: BindingId }
  /** A value exported by a package (`name` may be dotted, `*` = the namespace object). */
  | { readonly to: "external"; readonly module: string; readonly name: string }
  /** `import * as x` of a file of the program. */
  | { readonly to: "namespace"; readonly file: string }
  | { readonly to: "global"; readonly name: string };

/** What the type checker knows of `object.property` where values alone can't tell. */
export type MemberDecl =
  /** Every implementation in the program: the method of the class, overrides, implementers. */
  | { readonly in: "program"; readonly functions: readonly FunctionId[] }
  /** A member of a type of a package or of the platform: `pg` `Pool` `query`; module `""` = platform lib. */
  | {
      readonly in: "external";
      readonly module: string;
      readonly type: string;
      readonly member: string;
      /** The type that declares the member, where `type` inherits it: `pg` `Client` `on` is of `events` `EventEmitter`. */
      readonly declaredIn?: { readonly module: string; readonly type: string };
    };

interface Node {
  readonly span: Span;
}

export type Expr =
  | LiteralExpr
  | TemplateExpr
  | NameExpr
  | ThisExpr
  | MemberExpr
  | CallExpr
  | FunctionExpr
  | ClassExpr
  | ObjectExpr
  | ArrayExpr
  | UnaryExpr
  | BinaryExpr
  | LogicalExpr
  | ConditionalExpr
  | AssignExpr
  | AwaitExpr
  | YieldExpr
  | SequenceExpr
  | CastExpr
  | ImportExpr
  | OpaqueExpr;

export interface LiteralExpr extends Node {
  readonly k: "literal";
  /** `undefined` is written as the global name `undefined`; a bigint or regex keeps its source text. */
  readonly value: string | number | boolean | null;
  readonly type: "string" | "number" | "boolean" | "null" | "bigint" | "regex";
}
export interface TemplateExpr extends Node {
  readonly k: "template";
  /** One more than `parts`. */
  readonly quasis: readonly string[];
  readonly parts: readonly Expr[];
}
export interface NameExpr extends Node {
  readonly k: "name";
  readonly name: string;
  readonly ref: Ref;
}
export interface ThisExpr extends Node {
  readonly k: "this" | "super";
}
export interface MemberExpr extends Node {
  readonly k: "member";
  readonly object: Expr;
  /** Known name; for `x["name"]` too. `null` when computed. */
  readonly property: string | null;
  readonly computed: Expr | null;
  readonly optional: boolean;
  readonly decl: MemberDecl | null;
  /** The property's own span. */
  readonly propertySpan: Span;
}
export interface CallExpr extends Node {
  readonly k: "call";
  /** `tag` = tagged template: first argument is the template, the rest its parts. */
  readonly form: "call" | "new" | "tag";
  readonly callee: Expr;
  readonly args: readonly ArgFacts[];
  readonly optional: boolean;
  /** Type arguments, printed (for `queue<T>()`). */
  readonly typeArgs: readonly TypeFacts[];
}
export interface ArgFacts {
  readonly value: Expr;
  readonly spread: boolean;
}
export interface FunctionExpr extends Node {
  readonly k: "function";
  readonly id: FunctionId;
}
export interface ClassExpr extends Node {
  readonly k: "class";
  readonly id: ClassId;
}
export interface ObjectExpr extends Node {
  readonly k: "object";
  readonly props: readonly PropFacts[];
}
export interface PropFacts {
  readonly kind: "value" | "method" | "get" | "set" | "spread";
  /** Known key; `null` when computed or a spread. */
  readonly key: string | null;
  readonly computed: Expr | null;
  readonly value: Expr;
  readonly span: Span;
  /** Type of the value; asked only for `state` of an object that looks like a definition or a loop. */
  readonly type: TypeFacts | null;
}
export interface ArrayExpr extends Node {
  readonly k: "array";
  readonly items: readonly ArgFacts[];
}
export interface UnaryExpr extends Node {
  readonly k: "unary";
  /** `!`, `-`, `+`, `~`, `typeof`, `void`, `delete`. */
  readonly op: string;
  readonly operand: Expr;
}
export interface BinaryExpr extends Node {
  readonly k: "binary";
  readonly op: string;
  readonly left: Expr;
  readonly right: Expr;
}
export interface LogicalExpr extends Node {
  readonly k: "logical";
  readonly op: "&&" | "||" | "??";
  readonly left: Expr;
  readonly right: Expr;
}
export interface ConditionalExpr extends Node {
  readonly k: "conditional";
  readonly test: Expr;
  readonly then: Expr;
  readonly else: Expr;
}
/** `=`, `+=`, `??=` …; `++` and `--` are `+=` and `-=` of the literal 1. */
export interface AssignExpr extends Node {
  readonly k: "assign";
  readonly op: string;
  readonly target: Pattern;
  readonly value: Expr;
}
export interface AwaitExpr extends Node {
  readonly k: "await";
  readonly operand: Expr;
}
export interface YieldExpr extends Node {
  readonly k: "yield";
  readonly operand: Expr | null;
  readonly delegate: boolean;
}
export interface SequenceExpr extends Node {
  readonly k: "sequence";
  readonly items: readonly Expr[];
}
/** Kept only where the asserted type is a named one; other assertions are dropped. */
export interface CastExpr extends Node {
  readonly k: "cast";
  readonly operand: Expr;
  readonly type: TypeRef;
}
/** `import("x")`, `require("x")` that could not be resolved to a namespace at build time. */
export interface ImportExpr extends Node {
  readonly k: "import";
  readonly module: Expr;
  readonly ref: Ref | null;
}
/** Anything else (JSX, meta properties …): its parts are evaluated, its value is not known. */
export interface OpaqueExpr extends Node {
  readonly k: "opaque";
  readonly what: string;
  readonly parts: readonly Expr[];
}

export type Pattern =
  | { readonly p: "binding"; readonly id: BindingId; readonly span: Span }
  | { readonly p: "target"; readonly expr: Expr; readonly span: Span }
  | {
      readonly p: "object";
      readonly props: readonly {
        readonly key: string | null;
        readonly computed: Expr | null;
        readonly value: Pattern;
      }[];
      readonly rest: Pattern | null;
      readonly span: Span;
    }
  | {
      readonly p: "array";
      readonly items: readonly (Pattern | null)[];
      readonly rest: Pattern | null;
      readonly span: Span;
    }
  | { readonly p: "default"; readonly pattern: Pattern; readonly value: Expr; readonly span: Span };

export type Stmt =
  | ({ readonly s: "expr"; readonly expr: Expr } & Node)
  | ({
      readonly s: "declare";
      readonly kind: "const" | "let" | "var" | "using" | "await using";
      readonly items: readonly { readonly pattern: Pattern; readonly init: Expr | null }[];
    } & Node)
  /** Hoisted to the head of its block. */
  | ({ readonly s: "function"; readonly binding: BindingId; readonly id: FunctionId } & Node)
  | ({ readonly s: "class"; readonly binding: BindingId; readonly id: ClassId } & Node)
  | ({ readonly s: "return"; readonly value: Expr | null } & Node)
  | ({ readonly s: "throw"; readonly value: Expr } & Node)
  | ({
      readonly s: "if";
      readonly test: Expr;
      readonly then: readonly Stmt[];
      readonly else: readonly Stmt[];
    } & Node)
  | ({
      readonly s: "switch";
      readonly value: Expr;
      readonly cases: readonly { readonly test: Expr | null; readonly body: readonly Stmt[] }[];
      readonly label: string | null;
      /** Without a `default`: its cases are all that the value's type allows. Asked when it is first read. */
      readonly exhaustive?: boolean;
    } & Node)
  | LoopStmt
  | ({
      readonly s: "try";
      readonly block: readonly Stmt[];
      readonly param: Pattern | null;
      /** `null` = no `catch`. */
      readonly handler: readonly Stmt[] | null;
      readonly handlerSpan: Span | null;
      readonly finalizer: readonly Stmt[] | null;
      readonly finalizerSpan: Span | null;
    } & Node)
  | ({ readonly s: "block"; readonly body: readonly Stmt[]; readonly label: string | null } & Node)
  | ({ readonly s: "break" | "continue"; readonly label: string | null } & Node);

export interface LoopStmt extends Node {
  readonly s: "loop";
  readonly form: "for" | "while" | "do" | "for-of" | "for-in" | "for-await";
  readonly label: string | null;
  /** `for`: declarations or expression before the first turn. */
  readonly init: readonly Stmt[];
  readonly test: Expr | null;
  readonly update: Expr | null;
  /** `for-of`, `for-in`, `for-await`. */
  readonly target: Pattern | null;
  readonly iterable: Expr | null;
  readonly body: readonly Stmt[];
}

// ---------------------------------------------------------------------------------------------
// Knowledge: engines and catalogue, as data.
// ---------------------------------------------------------------------------------------------

export type EffectKind =
  | "clock"
  | "random"
  | "id"
  | "locale"
  | "environment"
  | "host"
  | "stack"
  | "network"
  | "file"
  | "database"
  | "timer"
  | "process"
  | "emitter"
  | "queue"
  | "metrics"
  | "console"
  | "memory"
  /** Said to be effectful by the config or by `@stepproof effectful`. */
  | "declared"
  /** What it does can't be told. */
  | "unknown";

/** One row of the catalogue: what happens when a thing is called, constructed, read or written. */
export interface CatalogueRow {
  /**
   * What it speaks of. Platform: `Math.random`, `Date`, `process.env`, instance members as
   * `Date.prototype.getHours` (`*.prototype.x` = of any receiver). Package: `uuid#v4`, `dayjs#default`,
   * instance members as `pg#Pool.query`. A trailing `*` covers everything below: `axios#*`,
   * `stripe#Stripe.*`, `process.env.*`, `@aws-sdk/*#*`; `stripe#*.retrieve` is that method of whatever comes
   * from the package. The longest match wins.
   */
  readonly of: string;
  readonly effect: EffectKind | "pure";
  /** Only for such uses; without it: every call, `new` and tag, never a mere read or write. */
  readonly when?: CatalogueCondition;
  /** The call also calls these arguments at once, in place (`[].map`), by index; `"all"` = every function argument. */
  readonly calls?: readonly number[] | "all";
  /** It runs the functions that it is given side by side, in as many turns as it likes (`pMap`). */
  readonly together?: boolean;
  /** It changes its receiver or the argument of that index (`push`, `Object.assign`). */
  readonly mutates?: "this" | number;
  /**
   * Type of the value it gives, as `module#Type` or a platform type (`Date`), so that members of the value
   * can be looked up when there is no type checker. Goes before what a type checker says, since it can be
   * finer (`dayjs.utc()` gives a date without local time zone); `"this"` = the receiver's. `new X()` gives `X` by itself.
   * A call of the value itself is its member `call`.
   */
  readonly returns?: string;
  /** The effect is a promise of outside work: awaiting it in workflow code is a foreign await. */
  readonly async?: boolean;
  /** Doing it twice is not the same as doing it once (POST, a mail, an insert; not PUT, DELETE, reads). */
  readonly writes?: boolean;
  /** Why, in a clause that fits after "because". */
  readonly why: string;
}

/** All that are given must hold. */
export interface CatalogueCondition {
  readonly form?: "call" | "new" | "tag" | "read" | "write";
  /** Only when called with so many arguments (dayjs() is a clock, dayjs(x) is pure). */
  readonly maxArgs?: number;
  readonly minArgs?: number;
  /** That argument is missing or `undefined`, or is an object without that property: `[1, "timeZone"]`. */
  readonly lacks?: readonly [argument: number, property?: string];
  /** That argument is an object with that property, and (when given) with that value, case aside. */
  readonly has?: readonly [argument: number, property: string, value?: string];
}

/** How a catalogued thing is used at one place. */
export interface CatalogueUse {
  readonly form: "call" | "new" | "tag" | "read" | "write";
  /** `null` = a spread hides them; left out for reads and writes. */
  readonly args?: readonly ArgShape[] | null;
}

/** As much of an argument as its syntax tells. `other` = not known: neither `lacks` nor `has` holds. */
export type ArgShape =
  | { readonly is: "undefined" }
  | {
      readonly is: "object";
      /** Known keys; a literal's text, or `null` when the value is not a literal. */
      readonly props: Readonly<Record<string, string | null>>;
      /** Has spreads or computed keys, so that other properties may be there. */
      readonly open: boolean;
    }
  | { readonly is: "other" };

/** What a context may do is told by its kind. */
export type ContextKind = "workflow" | "loop" | "branch" | "try" | "step" | "rollback" | "actor";

/** Where a callback runs: again on every replay; recorded; as compensation; or outside of it all. */
export type Zone = "workflow" | "step" | "rollback" | "hook";

/** Argument index, then property names; `"*"` = each property of an object or item of an array. */
export type ArgPath = readonly [argument: number, ...properties: string[]];

/** A function that the engine calls. */
export interface CallbackRow {
  readonly at: ArgPath;
  readonly zone: Zone;
  /** Kind of context in its first parameter; `null` = it gets none. */
  readonly context: ContextKind | null;
}

/** What a method of a context records (design §2); `try` is a scope without a record of its own. */
export type EntryWord =
  | "step"
  | "loop"
  | "sleep"
  | "message"
  | "rollback_checkpoint"
  | "join"
  | "race"
  | "removed"
  | "version_check"
  | "try";

export interface EntryMethod {
  readonly entry: EntryWord;
  /** Where the name can be; the first that holds a value counts. */
  readonly name: readonly ArgPath[];
  readonly callbacks: readonly CallbackRow[];
  /** Where the options object can be (the one with the name counts). */
  readonly options: readonly ArgPath[];
  /** Names that it owns beside its own, as suffixes: `:count`, `:deadline` (with a timeout), `:<index>`. */
  readonly generated: readonly {
    readonly suffix: string;
    readonly when: "always" | "timeout" | "per message";
  }[];
  /** Failures that come back as data when `catch` is not given; `null` = it throws. */
  readonly catches: readonly string[] | null;
}

/** A member of a context. */
export type ContextMember =
  /** Records an entry. */
  | { readonly is: "entry"; readonly method: EntryMethod }
  /** An object of further members (`queue`). */
  | { readonly is: "group"; readonly members: Readonly<Record<string, ContextMember>> }
  /** The same on every run, or without weight on replay (`actorId`, `key`, `log`): allowed in workflow code. */
  | { readonly is: "stable"; readonly why: string }
  /** May be passed on, but what it says differs between runs (`abortSignal.aborted`, `isEvicted()`). */
  | { readonly is: "varies"; readonly why: string }
  /** The actor's own APIs: only in steps, actions and hooks. `writes` = changes state or acts outside. */
  | { readonly is: "actor"; readonly why: string; readonly writes: boolean };

/** What an exported name of the engine is. */
export type EngineExport =
  /** Makes an actor definition (or its `run`). */
  | { readonly is: "definition"; readonly callbacks: readonly CallbackRow[] }
  /** `setup({ use: { name: definition } })` */
  | { readonly is: "setup"; readonly use: ArgPath }
  | { readonly is: "queue" }
  | { readonly is: "event" }
  /** `Loop.continue(state)`, `Loop.break(value)` */
  | { readonly is: "loop"; readonly continue: string; readonly break: string }
  /** `retries: false` = thrown in a step it ends the retries; `control` = the engine's own, to be let through. */
  | { readonly is: "error"; readonly retries: boolean; readonly control: boolean }
  /** Talks to actors over the network. */
  | { readonly is: "client" };

/** An option of a step, loop or queue wait. Times in ms. */
export interface OptionRow {
  readonly type: "ms" | "count" | "boolean" | "names" | "kinds" | "function" | "any";
  readonly min?: number;
  /** What holds when it is not given. */
  readonly default?: number | boolean | readonly string[];
  /** For `kinds`: the words it takes. */
  readonly values?: readonly string[];
  /** Zero switches it off. */
  readonly zeroDisables?: boolean;
  /** The name to use instead. */
  readonly replacedBy?: string;
}

/** One engine's API (design §1). Its replay flags are `REPLAY_FLAGS[name]` of `@stepproof/runtime/manifest`. */
export interface EngineProfile {
  readonly name: "rivetkit-2" | "rivet-workflows-1" | "stepproof";
  /** Packages whose import chooses this profile; subpaths (`rivetkit/workflow`) count as their package. */
  readonly modules: readonly string[];
  /** By exported name, whichever of `modules` it comes from. */
  readonly exports: Readonly<Record<string, EngineExport>>;
  /** Exported type → the context that a parameter annotated with it holds. */
  readonly contextTypes: Readonly<Record<string, ContextKind>>;
  readonly contexts: Readonly<Record<ContextKind, Readonly<Record<string, ContextMember>>>>;
  /** Options by method: `step`, `tryStep`, `try`, `loop`, `queue.next`, `queue.nextBatch`. */
  readonly options: Readonly<Record<string, Readonly<Record<string, OptionRow>>>>;
  /** Failure and error data: property paths that a record does not hold, or holds differently after replay. */
  readonly unrecordedFailureData: readonly string[];
}

// ---------------------------------------------------------------------------------------------
// Findings.
// ---------------------------------------------------------------------------------------------

export type Severity = "error" | "warning";

export interface ChainLink {
  readonly place: Place;
  /** `workflow "triage"`, `calls chooseReviewer()`, `Math.random()`. */
  readonly label: string;
}

/** A finding before the rule table has given it severity, code and docs. */
export interface Finding {
  readonly rule: string;
  readonly severity?: Severity;
  readonly message: string;
  /** The line in workflow code that the author must change. */
  readonly place: Place;
  readonly chain: readonly ChainLink[];
  readonly help: string;
  /** Ways that lead to the same place beside the one in `chain`. */
  readonly otherWays?: number;
  readonly fix?: Fix;
}

export interface Fix {
  readonly title: string;
  /** False = offered in editors only, never applied by `--fix`, since it changes history. */
  readonly safe: boolean;
  readonly edits: readonly { readonly file: string; readonly span: Span; readonly text: string }[];
}

/** A finding as it is shown (design §8): lines and columns from 1, path relative with `/`. */
export interface Diagnostic {
  readonly rule: string;
  /** `TS9` + four digits, for example 90001. */
  readonly code: number;
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly chain: readonly {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly label: string;
  }[];
  readonly help: string;
  readonly docs: string;
  readonly fixable: boolean;
}

/** One row of the rule table (`3-report/rules.ts`). */
export interface RuleRow {
  readonly slug: string;
  /** Never reused. */
  readonly code: number;
  readonly severity: Severity;
  /** One line for lists. */
  readonly summary: string;
  readonly why: string;
  readonly group: "outside steps" | "entries" | "in steps" | "project";
  /** True when some of its findings come with a fix or a suggestion. */
  readonly fixable: boolean;
  /** Reported with `--strict` (or when the config names it) only. */
  readonly strictOnly?: boolean;
}

/** A workflow as lists and the JSON format show it. */
export interface WorkflowSummary {
  /** Its name in `setup({ use })`, else the variable that holds its definition. */
  readonly name: string;
  readonly place: Place;
  /** Statements that record an entry, counted once each. */
  readonly entries: number;
}
