import type { TypeHazard } from "../types.js";
import type { ModelType, TypeModel } from "./type-model.js";
import { ERRORS, RECORDED, platformHazard } from "./known-types.js";
import { typeShape, type TypeShape } from "./type-shape.js";

const DEEPEST = 10;
const MOST = 10;

/** How the value that is looked at hangs in the one around it. */
type Link = "property" | "collection";

/**
 * What a recorder can't bring back of a value of this type, by property path (`items[].price`, `""` = the value
 * itself). A recursive type counts as `cycle` where a property leads straight back to a type around it (a parent, a
 * next), not where only arrays or maps of it are inside.
 */
export function typeHazards(type: ModelType, model: TypeModel): TypeHazard[] {
  const found: TypeHazard[] = [];
  const around: ModelType[] = [];
  visit(type, "", "property");
  return found;

  function note(path: string, kind: TypeHazard["kind"], typeName: string, lossy: boolean): void {
    if (found.length < MOST && !found.some((hazard) => hazard.path === path && hazard.kind === kind))
      found.push({ path, kind, typeName, lossy });
  }

  function visit(given: ModelType, path: string, link: Link): void {
    if (found.length >= MOST || around.length > DEEPEST) return;
    const shape = typeShape(given, model);
    if (shape.is === "any" || shape.is === "primitive") return;
    if (around.includes(given)) {
      if (shape.is === "object" && link === "property") note(path, "cycle", shape.name ?? "object", false);
      return;
    }
    around.push(given);
    visitShape(shape, path, link);
    around.pop();
  }

  function visitShape(
    shape: Exclude<TypeShape, { is: "any" | "primitive" }>,
    path: string,
    link: Link,
  ): void {
    switch (shape.is) {
      case "symbol":
        note(path, "symbol", "symbol", false);
        return;
      case "function":
        note(path, "function", "function", false);
        return;
      case "union":
        visitParts(shape.parts, path, link);
        return;
      case "array":
        visit(shape.item, `${path}[]`, "collection");
        return;
      case "tuple":
        shape.items.forEach((item, index) => {
          visit(item, `${path}[${index.toString()}]`, "collection");
        });
        return;
      case "platform":
        visitPlatform(shape, path);
        return;
      case "class":
        note(path, "class", shape.name, true);
        return;
      case "object":
        visitObject(shape, path);
    }
  }

  /** In an order of their own: checkers keep the parts of a union in different orders. */
  function visitParts(parts: readonly ModelType[], path: string, link: Link): void {
    const before = found.length;
    for (const part of parts) visit(part, path, link);
    const sorted = found.splice(before).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    found.push(...sorted);
  }

  function visitPlatform(shape: Extract<TypeShape, { is: "platform" }>, path: string): void {
    const hazard = platformHazard(shape.name);
    if (hazard !== null) note(path, hazard.kind, shape.name, hazard.lossy);
    else if (RECORDED.has(shape.name) || ERRORS.test(shape.name))
      for (const arg of shape.args) visit(arg, `${path}[]`, "collection");
  }

  function visitObject(shape: Extract<TypeShape, { is: "object" }>, path: string): void {
    // What a package's type may have beside its data is seldom there.
    const properties = shape.properties.filter(
      (property) => shape.module === null || !model.is(property, "optional"),
    );
    const types = model.typesOfMembers(properties);
    properties.forEach((property, position) => {
      const type = types[position];
      if (type === undefined) throw new Error(`No type for ${property.name}`);
      visit(type, path === "" ? property.name : `${path}.${property.name}`, "property");
    });
    if (shape.index !== null) visit(shape.index, `${path}[]`, "collection");
  }
}

function keyOf({ path, kind, typeName }: TypeHazard): string {
  return JSON.stringify([path, kind, typeName]);
}
