import type { NativeType } from "./native-api.js";

/** A union of types that the native checker gave one by one: its API can't make one. */
export class UnionOf implements NativeType {
  readonly objectFlags = 0;
  private constructor(
    readonly flags: number,
    private readonly parts: readonly NativeType[],
  ) {}

  /** @param unionFlag `TypeFlags.Union` of the version at hand. */
  static of(parts: readonly NativeType[], unionFlag: number): NativeType {
    const flat = new Set(parts.flatMap((part) => (part instanceof UnionOf ? part.parts : [part])));
    const [first] = flat;
    return flat.size === 1 && first !== undefined ? first : new UnionOf(unionFlag, [...flat]);
  }

  getSymbol(): undefined {
    return undefined;
  }

  getAliasSymbol(): undefined {
    return undefined;
  }

  getTypes(): readonly NativeType[] {
    return this.parts;
  }
}
