/** What an iteration of `ctx.loop` returns; made by `Loop.continue` and `Loop.break`. */
export type LoopResult<S, T> =
  { readonly continue: true; readonly state: S } | { readonly break: true; readonly value: T };
