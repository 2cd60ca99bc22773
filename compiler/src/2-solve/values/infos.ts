import type { Expr, FunctionId, Place } from "../../types.js";
import { printExpr } from "./print.js";
import type { Run } from "../evaluate/run.js";
import type { Constant, EffectSource, EntrySite, Scope, ValueInfo } from "../types.js";
import { constantsOf, sitesOf, type Value } from "./value.js";

/** What rules may know of a value; worked out when asked for. */
export function infoOf(run: Run, expr: Expr | null, value: Value): ValueInfo {
  return new Info(run, expr, value, null, 0);
}

class Info implements ValueInfo {
  constructor(
    private readonly run: Run,
    readonly expr: Expr | null,
    readonly value: Value,
    /** Where it is written, when that is not where its expression stands. */
    private readonly writtenAt: Place | null,
    private readonly depth: number,
  ) {}

  get place(): Place {
    return this.writtenAt ?? this.run.place(this.expr?.span ?? this.run.act.function.nameSpan);
  }

  get text(): string {
    return this.expr ? printExpr(this.run, this.expr) : "";
  }
  get constants(): readonly Constant[] | null {
    return constantsOf(this.value);
  }
  get source(): ValueInfo["source"] {
    const { value } = this;
    if (value.gate) return "gate";
    if (value.effects.length > 0) return "effect";
    const sites = sitesOf(value);
    if (value.open || sites.some((site) => site.method === "shared")) return "unknown";
    return sites.length > 0 ? "recorded" : "constant";
  }
  get effects(): readonly EffectSource[] {
    return this.value.effects;
  }
  get entries(): readonly EntrySite[] {
    const sites = sitesOf(this.value);
    const seen = new Set<string>();
    return sites.flatMap((site) => {
      if (site.method === "input" || site.method === "shared" || seen.has(site.key)) return [];
      seen.add(site.key);
      return [{ place: site.place, method: site.method, path: site.path }];
    });
  }
  get varies(): readonly string[] {
    return this.value.varies;
  }
  get functions(): readonly FunctionId[] {
    return this.value.atoms.flatMap((atom) => (atom.a === "closure" ? [atom.fn.id] : []));
  }
  get contexts(): readonly Scope[] {
    return contextsIn(this.value, 3);
  }
  get instances(): readonly string[] {
    return this.value.atoms.flatMap((atom) => {
      if (atom.a === "instance") return [atom.of];
      if (atom.a === "outcome") return [`Loop.${atom.how}`];
      if (atom.a === "object" && atom.obj.cls) return [atom.obj.cls.name];
      return [];
    });
  }
  get fields(): Readonly<Record<string, ValueInfo>> | null {
    const [atom, ...more] = this.value.atoms;
    if (atom?.a !== "object" || more.length > 0 || atom.obj.kind !== "object" || this.depth > 4) return null;
    const out: Record<string, ValueInfo> = {};
    const literal = this.run.solver.literalOf(atom.obj);
    for (const [name, cell] of atom.obj.fields) {
      const prop = literal?.props.find((each) => each.key === name);
      // A field that was only looked for has a cell as well.
      if (!prop && cell.value.isBottom) continue;
      const place = prop ? { file: atom.obj.place.file, span: prop.span } : this.place;
      out[name] = new Info(this.run, prop?.value ?? null, cell.value, place, this.depth + 1);
    }
    return out;
  }
}

/** Contexts that a value is or holds. */
export function contextsIn(value: Value, depth: number): readonly Scope[] {
  return value.atoms.flatMap((atom) => {
    if (atom.a === "context") return atom.api.length === 0 ? [atom.scope] : [];
    if (atom.a !== "object" || depth === 0) return [];
    return [...atom.obj.fields.values(), atom.obj.rest].flatMap((cell) => contextsIn(cell.value, depth - 1));
  });
}
