import { fileOf } from "../2-solve/program.js";
import type { Analysis } from "../2-solve/types.js";
import type { BindingId, CallExpr, Expr, TypeHazard } from "../types.js";
import { declarationOf } from "./declarations.js";
import { bare } from "./facts-walk.js";
import type { VerbatimPart } from "./verbatim.js";

type Hazard = Pick<TypeHazard, "kind" | "typeName" | "lossy" | "path">;

/** What a recorder can't bring back of a value, without types: what is written there shows it. */
export function hazardOfPart(analysis: Analysis, { expr, path, into }: VerbatimPart): Hazard | null {
  if (path.length > 0) return null;
  const found = (kind: Hazard["kind"], typeName: string, at = "", lossy = false): Hazard => ({
    kind,
    typeName,
    lossy,
    path: [...into, ...(at === "" ? [] : [at])].join("."),
  });
  if (expr.k === "function") return found("function", "function");
  if (expr.k !== "call") return null;
  const callee = bare(expr.callee);
  const name = callee.k === "name" ? callee.name : callee.k === "member" ? (callee.property ?? "") : "";
  if (callee.k === "name" && callee.ref.to === "global") {
    if (name === "Symbol") return found("symbol", "symbol");
    if (name === "fetch" || name === "Response") return found("response", "Response");
    if (/^Weak(?:Map|Set|Ref)$/.test(name)) return found("weak", name);
  }
  if (/^create(?:Read|Write)Stream$/.test(name)) return found("stream", name);
  const client = clientOf(analysis, expr);
  if (client !== null && FETCHES.has(client)) return found("response", "Response");
  // The settings of the request are a part of the response: its transformers are functions.
  if (client === "axios") return found("function", "AxiosResponse", "config.transformRequest");
  const isClass =
    expr.form === "new" &&
    callee.k === "name" &&
    callee.ref.to === "binding" &&
    isProgramClass(analysis, callee.ref.id, name);
  return isClass ? found("class", name, "", true) : null;
}

const REQUESTS = /^(?:request|get|delete|head|options|post|put|patch|postForm|putForm|patchForm)$/;
const FETCHES: ReadonlySet<string> = new Set(["node-fetch", "cross-fetch", "isomorphic-fetch", "undici"]);

/** The package whose response a call gives as it is: `axios.get(url)`, `http.post(url)` of `axios.create()`, `fetch(url)`. */
function clientOf(analysis: Analysis, call: CallExpr): string | null {
  const callee = bare(call.callee);
  if (callee.k === "name" && callee.ref.to === "external") {
    const { module, name } = callee.ref;
    if (module === "axios") return module;
    return FETCHES.has(module) && (name === "default" || name === "fetch") ? module : null;
  }
  if (callee.k !== "member" || !REQUESTS.test(callee.property ?? "")) return null;
  return isAxios(analysis, bare(callee.object)) ? "axios" : null;
}

function isAxios(analysis: Analysis, object: Expr): boolean {
  if (object.k !== "name") return false;
  if (object.ref.to === "external") return object.ref.module === "axios";
  const declared = object.ref.to === "binding" ? declarationOf(analysis, object.ref.id) : null;
  if (declared?.is !== "value" || declared.path.length > 0) return false;
  const { init } = declared;
  return (
    init.k === "call" &&
    init.callee.k === "member" &&
    init.callee.property === "create" &&
    isAxios(analysis, init.callee.object)
  );
}

function isProgramClass(analysis: Analysis, id: BindingId, name: string): boolean {
  const file = analysis.files.get(fileOf(id));
  return (file?.classes ?? []).some(
    (one) => one.name === name && !(one.extends?.k === "name" && /Error$/.test(one.extends.name)),
  );
}
