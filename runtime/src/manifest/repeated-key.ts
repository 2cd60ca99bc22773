/**
 * False when the parsed value has as many keys as the text: then none stood twice. Much faster than to
 * look for it.
 */
export function mayRepeatKeys(text: string, value: unknown): boolean {
  let written = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) {
    if (!isEscaped(text, at)) written += 1;
  }
  let kept = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (Array.isArray(next)) for (const item of next as readonly unknown[]) left.push(item);
    else if (typeof next === "object" && next !== null) {
      for (const member of Object.values(next)) {
        kept += 1;
        if (typeof member === "object") left.push(member);
      }
    }
  }
  return written !== kept;
}

/**
 * The first key that stands twice in one object of a JSON text, which `JSON.parse` would overlook.
 * `text` must be valid JSON. Gives the path of the object's member, or `null`.
 */
export function repeatedKey(text: string): { readonly at: string } | null {
  interface Level {
    readonly keys: Set<string> | null;
    key: string;
    index: number;
  }
  const levels: Level[] = [];
  const path = (): string =>
    levels.map((level) => (level.keys === null ? `[${level.index}]` : `.${level.key}`)).join("");
  let expectKey = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
        levels.push({ keys: new Set(), key: "", index: 0 });
        expectKey = true;
        break;
      case 0x5b: // [
        levels.push({ keys: null, key: "", index: 0 });
        expectKey = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop();
        expectKey = false;
        break;
      case 0x2c: {
        // ,
        const level = levels.at(-1);
        if (level?.keys === null) level.index += 1;
        else expectKey = true;
        break;
      }
      case 0x22: {
        // "
        const end = endOfString(text, i);
        const level = levels.at(-1);
        if (expectKey && level !== undefined && level.keys !== null) {
          level.key = unquoted(text.slice(i, end + 1));
          if (level.keys.has(level.key)) return { at: `$${path()}` };
          level.keys.add(level.key);
          expectKey = false;
        }
        i = end;
        break;
      }
    }
  }
  return null;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}

function unquoted(literal: string): string {
  return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}
