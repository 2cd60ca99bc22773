import { emitWarning } from "node:process";

/** For tools without a channel for warnings of their own (Babel, Node's loader): Node's, on stderr. */
export function warn(message: string): void {
  emitWarning(message, "Stepproof");
}
