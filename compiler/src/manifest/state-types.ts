import { visitStmts } from "../2-solve/visit.js";
import type { Analysis, ValueInfo } from "../2-solve/types.js";
import type { PropFacts } from "../types.js";

/** The printed type of the value that a `state` property of an object literal has, by where it is written. */
export class StateTypes {
  private readonly byFile = new Map<string, ReadonlyMap<number, PropFacts>>();

  constructor(private readonly analysis: Analysis) {}

  /** `null` when the value is not written in an object literal, or its type can't be told. */
  of(value: ValueInfo | undefined): string | null {
    if (value === undefined) return null;
    return this.props(value.place.file).get(value.place.span[0])?.type?.text ?? null;
  }

  private props(path: string): ReadonlyMap<number, PropFacts> {
    const known = this.byFile.get(path);
    if (known !== undefined) return known;
    const props = new Map<number, PropFacts>();
    for (const fn of this.analysis.files.get(path)?.functions ?? []) {
      visitStmts(fn.body, (expr) => {
        if (expr.k !== "object") return;
        for (const prop of expr.props) {
          if (prop.key !== "state") continue;
          // An option is placed at its property, a positional value at itself.
          props.set(prop.span[0], prop);
          props.set(prop.value.span[0], prop);
        }
      });
    }
    this.byFile.set(path, props);
    return props;
  }
}
