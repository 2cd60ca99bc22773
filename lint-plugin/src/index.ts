import type { ESLint, Linter, Rule } from "eslint";
import { RULES } from "stepproof";
import manifest from "../package.json" with { type: "json" };
import { ruleOf } from "./rule.js";

const rules: Record<string, Rule.RuleModule> = Object.fromEntries(
  RULES.map((row) => [row.slug, ruleOf(row)]),
);

const plugin = {
  meta: { name: manifest.name, version: manifest.version },
  rules,
  configs: {} as Record<"recommended" | "strict" | "all", Linter.Config>,
} satisfies ESLint.Plugin;

type Row = (typeof RULES)[number];

/** Rules by the severity that `severityOf` gives; `null` leaves a rule out. */
function configWith(name: string, severityOf: (row: Row) => "error" | "warn" | null): Linter.Config {
  const entries = RULES.flatMap((row) => {
    const severity = severityOf(row);
    return severity === null ? [] : [[`stepproof/${row.slug}`, severity] as const];
  });
  return { name: `stepproof/${name}`, plugins: { stepproof: plugin }, rules: Object.fromEntries(entries) };
}

const isStrict = (row: Row): boolean => "strictOnly" in row;
const byTable = (row: Row): "error" | "warn" => (row.severity === "error" ? "error" : "warn");

/** As the command reports. */
plugin.configs.recommended = configWith("recommended", (row) => (isStrict(row) ? null : byTable(row)));
/** As `stepproof check --strict`. */
plugin.configs.strict = configWith("strict", byTable);
/** Every rule an error. */
plugin.configs.all = configWith("all", () => "error");

export default plugin;
