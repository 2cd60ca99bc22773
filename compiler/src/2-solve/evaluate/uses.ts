import type { Act, Sink } from "../act.js";
import type { PromiseUse } from "../types.js";

/** How promises are used, gathered from all activations. */
export class Uses {
  private readonly sinks = new Map<string, Sink[]>();

  constructor(acts: readonly Act[]) {
    for (const act of acts)
      for (const sink of act.sinks) {
        const known = this.sinks.get(sink.origin);
        if (known) known.push(sink);
        else this.sinks.set(sink.origin, [sink]);
      }
  }

  /** The use that matters most: together with others, chained, dropped, kept, awaited. */
  of(origin: string): PromiseUse {
    const sinks = this.sinks.get(origin) ?? [];
    const find = (how: Sink["how"]): Sink | undefined => sinks.find((sink) => sink.how === how);
    const combined = find("combine");
    if (combined?.combinator)
      return {
        how: "combined",
        combinator: combined.combinator,
        by: combined.by,
        place: combined.place,
      };
    const chained = find("chain");
    if (chained?.chain) return this.chain(chained);
    const direct = sinks.find((sink) => sink.how === "await" && sink.direct);
    if (direct) return { how: "awaited" };
    const returned = find("return");
    const awaited = find("await");
    if (awaited) return { how: "stored", awaitedAt: awaited.place };
    if (returned) return { how: "returned", insideTry: returned.insideTry };
    if (find("float")) return { how: "floating" };
    if (find("void")) return { how: "voided" };
    if (find("pass")) return { how: "passed" };
    return { how: "stored", awaitedAt: null };
  }

  private chain(first: Sink): PromiseUse {
    const methods: ("then" | "catch" | "finally")[] = [];
    let handled = false;
    let sink: Sink | undefined = first;
    let end: PromiseUse = { how: "floating" };
    while (sink?.chain && methods.length < 20) {
      methods.push(sink.chain.method);
      handled ||= sink.chain.handled;
      const next: string = sink.chain.next;
      sink = (this.sinks.get(next) ?? []).find((each) => each.how === "chain");
      if (!sink) end = this.of(next);
    }
    const how = end.how;
    return {
      how: "chained",
      methods,
      handled,
      place: first.place,
      end: how === "none" || how === "passed" || how === "chained" ? "stored" : how,
    };
  }
}
