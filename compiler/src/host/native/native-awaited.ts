import type { TypeModel } from "../type-model.js";
import { AwaitedOf } from "./awaited-of.js";
import type { NativeType } from "./native-api.js";

/** What is needed besides the model. */
export interface AwaitedParts {
  union(parts: readonly NativeType[]): NativeType;
  /** `Awaited<of>`; see {@link AwaitedOf}. */
  unresolved(of: NativeType, constraint: NativeType | undefined): NativeType;
  /** What a `then` calls its first callback with. */
  callbackValues(then: NativeType): readonly NativeType[];
}

/** The library that declares the global `Promise`. */
const LIBRARY = /\/lib\.[^/]*\.d\.ts$/;

/**
 * What `await` makes of a type: TypeScript 7's API has no call for it. As the language has it: of a promise what it
 * promises, again and again; of a union the same of its parts; of a type parameter that may be a promise `Awaited<T>`; anything else is itself.
 */
export function awaitedType(type: NativeType, model: TypeModel, parts: AwaitedParts): NativeType {
  const around = new Set<NativeType>();
  return awaited(type);

  function awaited(given: NativeType): NativeType {
    switch (model.kindOf(given)) {
      case "generic":
        return ofGeneric(given);
      case "union": {
        const before = model.partsOf(given) as readonly NativeType[];
        const after = before.map(awaited);
        return after.every((part, at) => part === before[at]) ? given : parts.union(after);
      }
      case "object": {
        const promised = around.has(given) ? null : promisedBy(given);
        if (promised === null) return given;
        around.add(given);
        const value = awaited(promised);
        around.delete(given);
        return value;
      }
      default:
        return given;
    }
  }

  function ofGeneric(given: NativeType): NativeType {
    if (given instanceof AwaitedOf || given.getAliasSymbol()?.name === "Awaited") return given;
    const constraint = model.baseConstraint(given) as NativeType | undefined;
    // A text with a pattern is its own.
    if (constraint === given) return given;
    if (constraint === undefined || around.has(given)) return parts.unresolved(given, undefined);
    around.add(given);
    const value = awaited(constraint);
    around.delete(given);
    return value !== constraint || mayBeAnything(constraint) ? parts.unresolved(given, value) : given;
  }

  function mayBeAnything(constraint: NativeType): boolean {
    const kind = model.kindOf(constraint);
    if (kind === "any" || kind === "unknown") return true;
    return (
      kind === "object" &&
      model.members(constraint).length === 0 &&
      model.callResults(constraint).length === 0 &&
      model.indexType(constraint) === null
    );
  }

  /** `null` for what can't be awaited. */
  function promisedBy(given: NativeType): NativeType | null {
    const symbol = given.getSymbol();
    if (symbol?.name === "Promise" && symbol.declarations.some(({ path }) => LIBRARY.test(path))) {
      const [promised] = model.typeArguments(given) as readonly NativeType[];
      if (promised !== undefined) return promised;
    }
    const then = model.member(given, "then");
    if (then === undefined) return null;
    const [method] = model.typesOfMembers([then]) as readonly NativeType[];
    const values = method === undefined ? [] : parts.callbackValues(method);
    return values.length === 0 ? null : parts.union(values);
  }
}
