/** A text on one line: runs of blanks, line ends and control characters become one blank. */
export function oneLine(text: string): string {
  return Array.from(text, (character) => (character < " " ? " " : character))
    .join("")
    .replace(/\s+/g, " ");
}
