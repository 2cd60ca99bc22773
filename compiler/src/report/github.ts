import { githubCommand } from "./github-command.js";
import type { CheckReport, RenderOptions } from "./check-report.js";

/** Findings as annotations of a GitHub workflow run: one command per line, chain and help in the text. */
export function renderGithub(report: CheckReport, options: RenderOptions): string {
  return report.diagnostics
    .map((one) => {
      const chain = one.chain.map((link) => `${link.label} (${options.pathPrefix}${link.file}:${link.line})`);
      const text = [one.message, ...(chain.length > 1 ? ["", ...chain] : []), "", one.help].join("\n");
      const place = { ...one, file: options.pathPrefix + one.file };
      return `${githubCommand(one.severity, place, `${one.rule} TS${one.code}`, text)}\n`;
    })
    .join("");
}
