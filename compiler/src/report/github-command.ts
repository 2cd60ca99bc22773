/** Where an annotation is shown. Lines and columns from 1; the end column is exclusive. */
export interface AnnotationPlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/**
 * One workflow command of GitHub Actions, which the runner turns into an annotation.
 * Escapes as the runner unescapes: `%`, CR and LF everywhere, `:` and `,` in properties as well, so that
 * no text of a user's program can end the command or begin another.
 * @param level the kind of annotation.
 * @param place file from the repository's root, or `null` for an annotation of the run as a whole.
 */
export function githubCommand(
  level: "error" | "warning" | "notice",
  place: AnnotationPlace | null,
  title: string,
  message: string,
): string {
  const properties: [string, string | number | undefined][] = place
    ? [
        ["file", place.file],
        ["line", place.line],
        ["endLine", place.endLine],
        // GitHub takes columns only for a range within one line.
        ...(place.endLine === undefined || place.endLine === place.line
          ? ([
              ["col", place.column],
              ["endColumn", place.endColumn],
            ] as [string, number | undefined][])
          : []),
      ]
    : [];
  const list = [...properties, ["title", title] as const]
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${level} ${list.join(",")}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
