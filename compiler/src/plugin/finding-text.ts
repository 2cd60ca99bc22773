import type { Diagnostic, FailOn, Reported } from "../index.js";

/** `[rule] message`: how a finding begins in every tool. */
export function headOf(one: Diagnostic): string {
  return `[${one.rule}] ${one.message}`;
}

/**
 * A finding as lines of text, for tools that show text: place and message in the form of tsc, the way from the
 * workflow when it has more than one link, and the remedy.
 */
export function textOf(one: Diagnostic): string {
  const head = `${one.file}(${one.line},${one.column}): ${one.severity} TS${one.code}: ${headOf(one)}`;
  const way =
    one.chain.length > 1
      ? one.chain.map((link) => `  ${link.label} (${link.file}:${link.line}:${link.column})`)
      : [];
  return [head, ...way, `  ${one.help}`].join("\n");
}

/** Whether a finding makes the host tool fail. */
export function fails(one: Diagnostic, failOn: FailOn): boolean {
  return failOn !== "never" && (one.severity === "error" || failOn === "warning");
}

/** Findings that fail the host tool, and the others. */
export function split(
  reported: readonly Reported[],
  failOn: FailOn,
): { readonly failing: readonly Diagnostic[]; readonly others: readonly Diagnostic[] } {
  const all = reported.map((one) => one.diagnostic);
  return {
    failing: all.filter((one) => fails(one, failOn)),
    others: all.filter((one) => !fails(one, failOn)),
  };
}
