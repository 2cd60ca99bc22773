import { createLoad, type Loaded } from "./register-hooks.js";

const change = createLoad();

/** The load hook where Node runs hooks on a thread of their own (before 22.15). */
export async function load(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  return change(url, await next(url, context));
}
