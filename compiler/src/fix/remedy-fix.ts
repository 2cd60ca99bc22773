import type { EntryOperation } from "../2-solve/types.js";
import type { Change, InsertPosition, RemedyEdit } from "../../../runtime/src/manifest/index.js";
import type { Fix, Span } from "../types.js";
import type { TextEdit } from "./apply-edits.js";
import type { EntrySites } from "./entry-sites.js";
import {
  insertAtEnd,
  insertAtStart,
  insertBefore,
  insertBehind,
  removeStatement,
  wrap,
} from "./insertions.js";
import { statementAt, type StatementAt } from "./statement-at.js";

interface FileEdit {
  readonly file: string;
  readonly edits: readonly TextEdit[];
}

/**
 * A change's remedy as an edit of the source; `null` when a person has to do it: the entry is written in
 * a helper that several places call, its value is used where it would go out of scope, or the like.
 *
 * @param read the text of a file, by absolute path.
 */
export function remedyFix(change: Change, sites: EntrySites, read: (file: string) => string): Fix | null {
  const edits = change.remedy?.edits ?? [];
  if (edits.length === 0) return null;
  const renamed = new Map<string, string>();
  for (const edit of edits) if (edit.do === "rename") renamed.set(edit.to, edit.from);
  const found: { file: string; span: Span; text: string }[] = [];
  for (const edit of edits) {
    const part = editOf(edit, sites, read, (name) => renamed.get(name) ?? name);
    if (part === null) return null;
    for (const { span, text } of part.edits) found.push({ file: part.file, span, text });
  }
  return { title: change.remedy?.title ?? "", safe: true, edits: found };
}

function editOf(
  edit: RemedyEdit,
  sites: EntrySites,
  read: (file: string) => string,
  written: (name: string) => string,
): FileEdit | null {
  switch (edit.do) {
    case "rename": {
      const site = sites.find(edit.scope, edit.from);
      return site?.alone === true ? rename(site.op, edit.to, read) : null;
    }
    case "set-removed-kind": {
      const was = sites.find(edit.scope, edit.name)?.op.options["was"];
      return was === undefined ? null : literal(was.place.file, was.place.span, edit.was, read);
    }
    case "insert-removed": {
      const statement = (context: string): string => removed(context, edit.name, edit.was);
      if (edit.entry === null) return atAnEnd(edit, statement, sites, read);
      const site = sites.find(edit.scope, written(edit.entry));
      return site?.alone === true
        ? besideEntry(site.op, edit.position, statement(site.op.context.text), read)
        : null;
    }
    case "move-removed":
      return moveRemoved(edit, sites, read);
    case "gate": {
      const site = sites.find(edit.scope, edit.entry);
      return site?.alone === true ? gate(site.op, edit.gate, read) : null;
    }
  }
}

function removed(context: string, name: string, was: string): string {
  return `await ${context}.removed(${JSON.stringify(name)}, ${JSON.stringify(was)});`;
}

function rename(op: EntryOperation, to: string, read: (file: string) => string): FileEdit | null {
  const { file, span } = op.name.place;
  return literal(file, span, to, read);
}

/** Replaces an expression with a text in the quotes that it had. */
function literal(file: string, span: Span, value: string, read: (file: string) => string): FileEdit | null {
  const old = read(file).slice(span[0], span[1]);
  if (old === "") return null;
  const double = JSON.stringify(value);
  const single = old.startsWith("'") && !double.slice(1, -1).includes("'") && !value.includes('"');
  return { file, edits: [{ span, text: single ? `'${double.slice(1, -1)}'` : double }] };
}

function besideEntry(
  op: EntryOperation,
  position: InsertPosition,
  statement: string,
  read: (file: string) => string,
): FileEdit | null {
  const { file } = op.place;
  const text = read(file);
  const at = statementOf(op, text);
  const edits =
    at && (position === "behind" ? insertBehind(text, at, statement) : insertBefore(text, at, statement));
  return edits && { file, edits };
}

function statementOf(op: EntryOperation, text: string): StatementAt | null {
  return statementAt(op.activation.function, op.place.span, text);
}

/** As the first or last statement of a scope. */
function atAnEnd(
  { scope: path, position }: Extract<RemedyEdit, { do: "insert-removed" | "move-removed" }>,
  statement: (context: string) => string,
  sites: EntrySites,
  read: (file: string) => string,
): FileEdit | null {
  const scope = sites.scopeAt(path);
  if (scope === null || scope.callback === null) return null;
  const { file } = scope.callback;
  const text = read(file);
  const context = scope.context ?? firstParameter(text, scope.callback.span);
  if (context === null) return null;
  const insert = position === "at the start" ? insertAtStart : insertAtEnd;
  const edits = insert(text, scope.callback, statement(context));
  return edits && { file, edits };
}

/** `(ctx) => …`, `async function run(ctx: X)`: the name of the first parameter. */
function firstParameter(text: string, span: Span): string | null {
  return /^[^(]*\(\s*([\w$]+)/.exec(text.slice(span[0], span[1]))?.[1] ?? null;
}

function moveRemoved(
  edit: Extract<RemedyEdit, { do: "move-removed" }>,
  sites: EntrySites,
  read: (file: string) => string,
): FileEdit | null {
  const from = sites.find(edit.scope, edit.name);
  if (from?.alone !== true) return null;
  const { file } = from.op.place;
  const text = read(file);
  const old = statementOf(from.op, text);
  if (old?.stmt.s !== "expr") return null;
  const deletion = removeStatement(text, old);
  if (deletion === null) return null;
  const statement = text.slice(old.stmt.span[0], old.stmt.span[1]).replace(/;?\s*$/, ";");
  const to = edit.entry === null ? null : sites.find(edit.scope, edit.entry);
  if (edit.entry !== null && to?.alone !== true) return null;
  const there = to
    ? besideEntry(to.op, edit.position, statement, read)
    : atAnEnd(edit, () => statement, sites, read);
  return there?.file === file ? { file, edits: [...deletion, ...there.edits] } : null;
}

function gate(op: EntryOperation, name: string, read: (file: string) => string): FileEdit | null {
  const { file } = op.place;
  const text = read(file);
  const at = statementOf(op, text);
  // A declaration would not be seen outside of the braces.
  if (at?.stmt.s !== "expr") return null;
  const variable = unusedName("version", text);
  const edits = wrap(text, at, [
    `const ${variable} = await ${op.context.text}.getVersion(${JSON.stringify(name)}, 2);`,
    `if (${variable} >= 2) {`,
  ]);
  return edits === null ? null : { file, edits };
}

function unusedName(wanted: string, text: string): string {
  let name = wanted;
  for (let number = 2; new RegExp(`\\b${name}\\b`).test(text); number++) name = `${wanted}${number}`;
  return name;
}
