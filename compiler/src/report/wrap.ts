/**
 * Breaks a text into lines at blanks.
 * @param text line ends in it are kept.
 * @param width columns per line, the indent included; a word longer than that stays whole.
 * @param indent put before every line.
 */
export function wrap(text: string, width: number, indent: string): string {
  const room = Math.max(20, width - indent.length);
  return text
    .split("\n")
    .map((line) => {
      const lines: string[] = [];
      let current = "";
      for (const word of line.split(" ")) {
        if (current !== "" && current.length + 1 + word.length > room) {
          lines.push(current);
          current = word;
        } else {
          current = current === "" ? word : `${current} ${word}`;
        }
      }
      return [...lines, current].map((one) => (indent + one).trimEnd()).join("\n");
    })
    .join("\n");
}
