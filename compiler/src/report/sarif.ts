import { createHash } from "node:crypto";
import { RULES, ruleDocs } from "../3-report/rules.js";
import type { Diagnostic } from "../types.js";
import type { CheckReport, RenderOptions } from "./check-report.js";
import { renderJson } from "./json.js";

/** The parts of SARIF 2.1.0 that both reporters (findings, diffs) write. */
export interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly helpUri: string;
  readonly defaultConfiguration: { readonly level: "error" | "warning" | "note" };
}

/**
 * One SARIF 2.1.0 log with one run.
 * Columns are UTF-16 units from 1; URIs are relative to `SRCROOT`, the root of the repository.
 */
export function sarifLog(
  rules: readonly SarifRule[],
  results: readonly object[],
  toolVersion: string,
): string {
  return renderJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Stepproof",
            semanticVersion: toolVersion,
            informationUri: "https://www.npmjs.com/package/stepproof",
            rules,
          },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The root of the repository." } } },
        results,
      },
    ],
  });
}

/** A path with `/` as a relative URI reference under `SRCROOT`. */
export function artifact(path: string): { uri: string; uriBaseId: string } {
  return { uri: path.split("/").map(encodeURIComponent).join("/"), uriBaseId: "SRCROOT" };
}

/** Findings as SARIF: the chain as a code flow, and a fingerprint that survives moved lines. */
export function renderSarif(report: CheckReport, options: RenderOptions): string {
  const seen = new Map<string, number>();
  return sarifLog(
    RULES.map((row) => ({
      id: row.slug,
      shortDescription: { text: row.summary },
      fullDescription: { text: row.why },
      help: { text: `${row.summary} ${row.why} See ${ruleDocs(row.slug)}` },
      helpUri: ruleDocs(row.slug),
      defaultConfiguration: { level: row.severity },
    })),
    report.diagnostics.map((one) => toResult(one, options, seen)),
    options.toolVersion,
  );
}

function toResult(one: Diagnostic, options: RenderOptions, seen: Map<string, number>): object {
  const identity = [one.rule, options.pathPrefix + one.file, one.message].join("\n");
  const nth = seen.get(identity) ?? 0;
  seen.set(identity, nth + 1);
  const place = (file: string, region: object, text: string): object => ({
    physicalLocation: { artifactLocation: artifact(options.pathPrefix + file), region },
    message: { text },
  });
  const flow = one.chain.map((link) => ({
    location: place(link.file, { startLine: link.line, startColumn: link.column }, link.label),
  }));
  return {
    ruleId: one.rule,
    ruleIndex: RULES.findIndex((row) => row.slug === one.rule),
    level: one.severity,
    message: { text: `${one.message.replace(/[.]$/, "")}. ${one.help}` },
    locations: [
      place(
        one.file,
        { startLine: one.line, startColumn: one.column, endLine: one.endLine, endColumn: one.endColumn },
        one.message,
      ),
    ],
    ...(flow.length > 1 ? { codeFlows: [{ threadFlows: [{ locations: flow }] }] } : {}),
    partialFingerprints: {
      "stepproof/v1": createHash("sha256").update(`${identity}\n${nth}`).digest("hex").slice(0, 32),
    },
    properties: { code: `TS${one.code}`, fixable: one.fixable },
  };
}
