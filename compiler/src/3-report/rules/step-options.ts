import type { Constant, EntryOperation, Rule, ValueInfo } from "../../2-solve/types.js";
import type { OptionRow } from "../../types.js";
import { engineOf, reportInside } from "./report-inside.js";

/** Options that are out of range, of the wrong type, or that cancel each other out. */
export const stepOptions: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "entry" || operation.zone !== "workflow") continue;
    const method = optionTableOf(operation);
    for (const [name, value] of Object.entries(operation.options))
      reportInside(analysis, operation, value.place, report, (route) => {
        const row = engineOf(route).options[method]?.[name];
        const fault = row ? faultOfOption(name, value.constants, row) : null;
        return fault && { rule: "step-options", ...fault };
      });
    if (operation.method !== "step" && operation.method !== "tryStep") continue;
    for (const { at, ...fault } of contradictions(operation.options))
      reportInside(analysis, operation, at.place, report, () => ({ rule: "step-options", ...fault }));
  }
};

interface Fault {
  readonly message: string;
  readonly help: string;
}

function optionTableOf(operation: EntryOperation): string {
  return operation.entry === "message" ? `queue.${operation.method}` : operation.method;
}

function faultOfOption(name: string, constants: readonly Constant[] | null, row: OptionRow): Fault | null {
  for (const constant of constants ?? []) {
    if (constant === undefined) continue;
    if (row.type === "count" || row.type === "ms") {
      if (typeof constant !== "number")
        return {
          message: `\`${name}\` is ${quoted(constant)}, but it has to be a number`,
          help: row.type === "ms" ? "Times are numbers of milliseconds." : "Give a whole number.",
        };
      if (Number.isNaN(constant) || constant < (row.min ?? -Infinity))
        return {
          message: `\`${name}\` is ${constant}: it has to be ${row.min ?? 0} or more`,
          help:
            name === "timeout" ? "`timeout: 0` switches the timeout off." : `Give ${row.min ?? 0} or more.`,
        };
      if (row.type === "count" && Number.isFinite(constant) && !Number.isInteger(constant))
        return {
          message: `\`${name}\` is ${constant}: it has to be a whole number`,
          help: "Give a whole number.",
        };
    }
    if (row.type === "boolean" && typeof constant !== "boolean")
      return {
        message: `\`${name}\` is ${quoted(constant)}, but it has to be true or false`,
        help: "Give `true` or `false`.",
      };
  }
  return null;
}

function contradictions(
  options: Readonly<Record<string, ValueInfo>>,
): (Fault & { readonly at: ValueInfo })[] {
  const faults: (Fault & { readonly at: ValueInfo })[] = [];
  const only = (name: string): Constant => {
    const constants = options[name]?.constants;
    return constants?.length === 1 ? constants[0] : undefined;
  };
  const [base, max] = [only("retryBackoffBase"), only("retryBackoffMax")];
  if (options["retryBackoffBase"] && typeof base === "number" && typeof max === "number" && base > max)
    faults.push({
      at: options["retryBackoffBase"],
      message: `\`retryBackoffBase\` (${base} ms) is above \`retryBackoffMax\` (${max} ms): every retry waits ${max} ms`,
      help: "Raise `retryBackoffMax`, or lower `retryBackoffBase`.",
    });
  if (options["retryOnTimeout"] && only("retryOnTimeout") === true) {
    if (only("timeout") === 0)
      faults.push({
        at: options["retryOnTimeout"],
        message: "`retryOnTimeout` has no effect: `timeout: 0` switches the timeout off",
        help: "Set a timeout in milliseconds, or drop `retryOnTimeout`.",
      });
    else if (only("maxRetries") === 0)
      faults.push({
        at: options["retryOnTimeout"],
        message: "`retryOnTimeout` has no effect: `maxRetries: 0` allows no retry",
        help: "Allow retries, or drop `retryOnTimeout`.",
      });
  }
  return faults;
}

const quoted = (constant: Constant): string => `\`${JSON.stringify(constant)}\``;
