import type { Span } from "../../types.js";
import type { EffectNote, Run } from "./run.js";
import type { EffectOperation, EffectSource, PromiseUse, ValueInfo } from "../types.js";
import type { Act } from "../act.js";

interface Details {
  readonly use: PromiseUse | { readonly origin: string };
  readonly args?: readonly ValueInfo[];
  readonly writes?: boolean;
  readonly computedAt?: EffectOperation["computedAt"];
  readonly later?: readonly Act[];
}

/** Records an effect and gives it as a source, to mark the values that come from it. */
export function emitEffect(run: Run, note: EffectNote, span: Span, details: Details): EffectSource {
  const place = run.place(span);
  const { solver } = run;
  const use = details.use;
  run.record<EffectOperation>({
    kind: "effect",
    ...run.base(place),
    effect: note.effect,
    what: note.what,
    why: note.why,
    writes: details.writes ?? false,
    args: details.args ?? [],
    get use() {
      return "origin" in use ? solver.useOf(use.origin) : use;
    },
    computedAt: details.computedAt ?? null,
    later: details.later ?? [],
  });
  return { effect: note.effect, what: note.what, place };
}
