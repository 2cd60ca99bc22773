import type { NativeType } from "./native-api.js";

/** `Awaited<T>` of a type that is not known yet: the native checker's API has no call that makes it. */
export class AwaitedOf implements NativeType {
  readonly objectFlags = 0;

  /**
   * @param flags of a type that depends on type parameters.
   * @param constraint what it is in any case; `undefined` when that is not known either.
   */
  constructor(
    readonly flags: number,
    readonly of: NativeType,
    readonly constraint: NativeType | undefined,
  ) {}

  getSymbol(): undefined {
    return undefined;
  }

  getAliasSymbol(): undefined {
    return undefined;
  }

  getTypes(): undefined {
    return undefined;
  }
}
