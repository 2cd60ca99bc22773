/**
 * Where two values first differ, for people: `state.total: 3, not 5`. `null` when they are equal. Plain data
 * only, as histories and states are; a property that is `undefined` equals none.
 * @param is what came out.
 * @param should what ought to have.
 */
export function difference(is: unknown, should: unknown, path = ""): string | null {
  if (Object.is(is, should)) return null;
  if (!isHolder(is) || !isHolder(should) || Array.isArray(is) !== Array.isArray(should))
    return `${path === "" ? "it" : path} is ${print(is)}, not ${print(should)}`;
  if (is instanceof Date || should instanceof Date)
    return String(is) === String(should) ? null : `${path} is ${String(is)}, not ${String(should)}`;
  const [ours, theirs] = [membersOf(is), membersOf(should)];
  if (ours !== null || theirs !== null) return difference(ours, theirs, path);
  for (const [key, one, other] of pairs(is, should)) {
    const found = difference(
      one,
      other,
      Array.isArray(is) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
    );
    if (found !== null) return found;
  }
  return null;
}

type Holder = Readonly<Record<string, unknown>>;
const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null;

/** Members of a map or set; `null` for anything else. */
function membersOf(value: object): unknown[] | null {
  return value instanceof Map || value instanceof Set ? Array.from<unknown>(value) : null;
}

/** What stands under the same name; things with a `path` (entries of a history) are matched by it. */
function* pairs(is: Holder, should: Holder): Generator<[string, unknown, unknown]> {
  const [ours, theirs] = [byName(is), byName(should)];
  for (const name of new Set([...ours.keys(), ...theirs.keys()]))
    yield [name, ours.get(name), theirs.get(name)];
}

function byName(holder: Holder): Map<string, unknown> {
  return new Map(
    Object.entries(holder).map(([key, value]) => {
      const path = Array.isArray(holder) && isHolder(value) ? value["path"] : undefined;
      return [typeof path === "string" ? path : key, value];
    }),
  );
}

/** JSON, cut to one line. */
function print(value: unknown): string {
  if (value === undefined) return "missing";
  const text = typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? String(value));
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
