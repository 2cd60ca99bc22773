import { codeFrameColumns } from "@babel/code-frame";
import pc from "picocolors";
import type { Diagnostic } from "../types.js";
import type { CheckReport, RenderOptions } from "./check-report.js";
import { wrap } from "./wrap.js";

type Colors = ReturnType<typeof pc.createColors>;

/**
 * Findings for people: place and message in the form of `tsc --pretty` (terminals and problem matchers
 * know it), the code, the way from the workflow to the source, the remedy, and the sum at the end.
 */
export function renderPretty(report: CheckReport, options: RenderOptions): string {
  const colors = pc.createColors(options.color);
  const findings = report.diagnostics.map((one) => renderFinding(one, options, colors));
  return [...findings, `${renderSummary(report, colors)}\n`].join("\n");
}

function renderFinding(one: Diagnostic, options: RenderOptions, colors: Colors): string {
  const paint = one.severity === "error" ? colors.red : colors.yellow;
  const head = `${colors.cyan(one.file)}:${one.line}:${one.column} - ${paint(one.severity)} TS${one.code}: `;
  const parts = [`${head}${colors.dim(`[${one.rule}]`)} ${colors.bold(one.message)}`];
  const frame = renderFrame(one, options);
  if (frame !== null) parts.push("", frame);
  // A chain of one link says no more than the place itself.
  if (one.chain.length > 1) parts.push("", renderChain(one, options, colors));
  parts.push("", labelled("help", one.help, options, colors));
  parts.push(labelled("more", `npx stepproof explain ${one.rule}`, options, colors), "");
  return parts.join("\n");
}

function labelled(label: string, text: string, options: RenderOptions, colors: Colors): string {
  return `  ${colors.green(label)}  ${wrap(text, options.width, "        ").trimStart()}`;
}

function renderFrame(one: Diagnostic, options: RenderOptions): string | null {
  const source = options.source(one.file);
  if (source === null) return null;
  const oneLine = one.endLine === one.line;
  const frame = codeFrameColumns(
    source,
    // A finding that spans lines is shown by its first one: what is at fault stands there.
    {
      start: { line: one.line, column: one.column },
      ...(oneLine ? { end: { line: one.line, column: one.endColumn } } : {}),
    },
    { linesAbove: 2, linesBelow: 1, highlightCode: options.color, forceColor: options.color },
  );
  return frame.replaceAll("\t", "    ").replace(/^/gm, "  ").replace(/[ ]+$/gm, "");
}

/** The way, one call deeper per line; the place stands behind the label, or below it where it has no room. */
function renderChain(one: Diagnostic, options: RenderOptions, colors: Colors): string {
  const lines = one.chain.map((link, depth) => ({
    text: `    ${depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `}${link.label}`,
    place: `${link.file}:${link.line}:${link.column}`,
  }));
  const widest = Math.max(...lines.map((line) => line.text.length));
  const beside = lines.every((line) => widest + 2 + line.place.length <= options.width);
  const shown = lines.map(({ text, place }) =>
    beside
      ? `${text.padEnd(widest + 2)}${colors.dim(place)}`
      : `${text}\n${" ".repeat(text.search(/[^ └]/))}${colors.dim(place)}`,
  );
  return [`  ${colors.green("way")}`, ...shown].join("\n");
}

function renderSummary(report: CheckReport, colors: Colors): string {
  const { errors, warnings, files, durationMs } = report.summary;
  const checked = `${count(report.workflows.length, "workflow")} in ${count(files, "file")} checked in ${(durationMs / 1000).toFixed(1)} s`;
  if (errors + warnings === 0) return `${colors.green("No findings.")} ${checked}.`;
  const found = [
    ...(errors > 0 ? [colors.red(count(errors, "error"))] : []),
    ...(warnings > 0 ? [colors.yellow(count(warnings, "warning"))] : []),
  ].join(", ");
  const fixable = report.diagnostics.filter((one) => one.fixable).length;
  return `${found}. ${checked}.${fixable > 0 ? ` ${fixable} can be mended with --fix.` : ""}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
