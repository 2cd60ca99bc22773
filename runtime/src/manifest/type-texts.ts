/*
 * Printed types, compared as far as text can tell. The question is always: can code that expects
 * `now` read what was recorded as `old`?
 */

/** Types that say nothing; they are never a reason to warn. */
const SAY_NOTHING: ReadonlySet<string> = new Set(["any", "unknown", "never", ""]);

/**
 * True when a value of type `old` is surely one of type `now`: equal texts, a union that grew, a
 * property that became optional or was added as optional. True as well when one of them is not known.
 */
export function readsOld(old: string | null, now: string | null): boolean {
  if (old === null || now === null) return true;
  return fits(old.trim(), now.trim(), 0);
}

/** Deeper types are compared by text alone. */
const DEEPEST = 12;

function fits(old: string, now: string, depth: number): boolean {
  if (old === now || SAY_NOTHING.has(old) || SAY_NOTHING.has(now)) return true;
  if (depth > DEEPEST) return false;
  const members = split(old, "|");
  const targets = split(now, "|");
  if (members.length > 1 || targets.length > 1) {
    return members.every((member) => targets.some((target) => fits(member, target, depth + 1)));
  }
  if (/^(".*"|'.*')$/s.test(old)) return now === "string";
  if (/^-?\d+(\.\d+)?$/.test(old)) return now === "number";
  if (old === "true" || old === "false") return now === "boolean";
  const arrays = [elementOf(old), elementOf(now)] as const;
  if (arrays[0] !== null && arrays[1] !== null) return fits(arrays[0], arrays[1], depth + 1);
  const objects = [propertiesOf(old), propertiesOf(now)] as const;
  return objects[0] !== null && objects[1] !== null && objectFits(objects[0], objects[1], depth + 1);
}

interface Property {
  readonly optional: boolean;
  readonly type: string;
}

function objectFits(
  old: ReadonlyMap<string, Property>,
  now: ReadonlyMap<string, Property>,
  depth: number,
): boolean {
  for (const [name, property] of now) {
    const was = old.get(name);
    if (was === undefined) {
      if (!property.optional) return false;
    } else if ((was.optional && !property.optional) || !fits(was.type, property.type, depth)) return false;
  }
  return true;
}

/** `T[]` and `Array<T>` → `T`. */
function elementOf(text: string): string | null {
  if (text.endsWith("[]") && split(text, "|").length === 1) {
    const inner = text.slice(0, -2).trim();
    return inner.startsWith("(") && inner.endsWith(")") ? inner.slice(1, -1).trim() : inner;
  }
  return /^(?:Readonly)?Array<(.*)>$/s.exec(text)?.[1]?.trim() ?? null;
}

/** `{ a: string; b?: number }` → its properties; `null` for anything else (index signatures, methods). */
function propertiesOf(text: string): ReadonlyMap<string, Property> | null {
  if (!text.startsWith("{") || !text.endsWith("}")) return null;
  const properties = new Map<string, Property>();
  for (const member of split(text.slice(1, -1), ";").flatMap((part) => split(part, ","))) {
    if (member === "") continue;
    const match = /^(?:readonly )?("[^"]*"|'[^']*'|[\w$]+)(\?)?:\s*(.*)$/s.exec(member);
    if (match === null) return null;
    const [, name = "", optional, type = ""] = match;
    properties.set(name, { optional: optional !== undefined, type: type.trim() });
  }
  return properties;
}

/** Splits at `separator` outside of brackets and quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoteMark: string | null = null;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (quoteMark !== null) {
      if (char === "\\") i++;
      else if (char === quoteMark) quoteMark = null;
    } else if (char === '"' || char === "'" || char === "`") quoteMark = char;
    else if ("({[<".includes(char)) depth++;
    else if (")}]".includes(char) || (char === ">" && text[i - 1] !== "=")) depth--;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}
