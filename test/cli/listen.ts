import type { Readable } from "node:stream";

/** Gives a function that waits until a text comes, after the one that was waited for before; gives what came up to its end. */
export function listen(stream: Readable): (text: string) => Promise<string> {
  let said = "";
  let looked = 0;
  let wake = (): void => undefined;
  stream.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    wake();
  });
  return async (text) => {
    while (!said.includes(text, looked)) await new Promise<void>((done) => (wake = done));
    const from = looked;
    looked = said.indexOf(text, looked) + text.length;
    return said.slice(from, looked);
  };
}
