import { exportedList, type ExportedList } from "../../host/exported-list.js";

/** An ESLint config with our entry at its end; `null` when the list that it exports can't be found. */
export function withEslintEntry(text: string, fileName: string): string | null {
  const list = exportedList(text, fileName);
  if (list === null) return null;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const entry = insertEntry(text, list, "stepproof.configs.recommended", eol);
  const statement = list.esm
    ? `import stepproof from "eslint-plugin-stepproof";`
    : `const stepproof = require("eslint-plugin-stepproof");`;
  return insertImport(entry, list.importsEnd, statement, eol);
}

/** Behind the last element, in its manner: on a line of its own when that is. */
function insertEntry(text: string, { elements, close }: ExportedList, entry: string, eol: string): string {
  const last = elements.at(-1);
  if (last === undefined) return text.slice(0, close) + entry + text.slice(close);
  const line = text.slice(text.lastIndexOf("\n", last.start - 1) + 1, last.start);
  const own = /^\s*$/.test(line) && text.slice(last.end, close).includes("\n");
  const comma = /^\s*,/.exec(text.slice(last.end, close))?.[0];
  const behind = last.end + (comma?.length ?? 0);
  // A comment behind the last element stays on its line.
  const rest = own ? (/^[^\r\n]*/.exec(text.slice(behind))?.[0].length ?? 0) : 0;
  const head = `${text.slice(0, last.end)},${text.slice(behind, behind + rest)}`;
  return own
    ? `${head}${eol}${line}${entry},${text.slice(behind + rest)}`
    : `${head} ${entry}${comma === undefined ? "" : ","}${text.slice(behind)}`;
}

function insertImport(text: string, at: number, statement: string, eol: string): string {
  if (at > 0) return text.slice(0, at) + eol + statement + text.slice(at);
  // Above everything but a first comment line such as `// @ts-check`.
  const head = /^(?:#!.*\r?\n|\/\/.*\r?\n)*/.exec(text)?.[0] ?? "";
  const gap = text.slice(head.length).startsWith(eol) ? "" : eol;
  return head + statement + eol + gap + text.slice(head.length);
}
