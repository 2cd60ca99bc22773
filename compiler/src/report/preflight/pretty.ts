import pc from "picocolors";
import type { RefusedInstance } from "../../../../runtime/src/host/preflight.js";
import type { RenderOptions } from "../check-report.js";
import { wrap } from "../wrap.js";
import type { PreflightReport } from "./preflight-report.js";

/** Instances of one cause that are named; the rest is counted. */
const MOST_NAMED = 10;

const REASONS: Readonly<Record<RefusedInstance["why"], string>> = {
  history: "its history is refused",
  "no-workflow": "its workflow is gone",
  unreadable: "its records can't be read",
};

/** For people: each cause once, with the instances that it stops, then the count. */
export function renderPreflightPretty(report: PreflightReport, options: RenderOptions): string {
  const colors = pc.createColors(options.color);
  const groups = new Map<string, RefusedInstance[]>();
  for (const one of report.refused) {
    const key = JSON.stringify(
      one.why === "unreadable" ? [one.workflow, one.why] : [one.workflow, one.why, one.path, one.message],
    );
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const parts = [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined) return "";
    const head = `${colors.bold(line(first.workflow))}  ${colors.red(REASONS[first.why])}  ${group.length} ${instances(group.length)}`;
    const at = first.path.length === 0 ? [] : [`    ${colors.dim(`at ${line(first.path.join("/"))}`)}`];
    return [head, wrap(line(first.message), options.width, "    "), ...at, ...named(group), ""].join("\n");
  });
  return `${[...parts, ...summary(report, colors)].join("\n")}\n`;
}

function named(group: readonly RefusedInstance[]): string[] {
  const names = group
    .slice(0, MOST_NAMED)
    .map(
      (one) =>
        `      ${line([one.workflow, ...one.key].join("/"))}${one.status === "parked" ? "  parked already" : ""}`,
    );
  const more = group.length - names.length;
  return more === 0 ? names : [...names, `      … and ${more} more; --format json names them all`];
}

function summary(report: PreflightReport, colors: ReturnType<typeof pc.createColors>): string[] {
  const { refused, accepted, ended, withoutHistory, unproven } = report;
  const counts = [`${accepted} go on`, `${ended} have ended`, `${withoutHistory} have no history yet`];
  const lines =
    refused.length === 0
      ? [colors.green("Every instance that is running goes on under this manifest.")]
      : [
          colors.red(
            `${refused.length} of ${report.instances} ${instances(report.instances)} would not go on.`,
          ),
          "Nothing is lost: the runtime keeps them asleep (parked) until code is started that accepts them.",
        ];
  lines.push(
    `${report.instances} ${instances(report.instances)} in ${report.database}: ${counts.join(", ")}.`,
  );
  if (unproven > 0)
    lines.push(
      colors.yellow(
        `${unproven} of those that go on could not be proven to: their code has more ways than are tried.`,
      ),
    );
  if (refused.some((one) => one.why === "history"))
    lines.push("stepproof diff OLD, with the manifest that they run now, says what to add.");
  return lines;
}

const instances = (count: number): string => (count === 1 ? "instance" : "instances");

/** Names come from users' programs: on one line, and without what a terminal takes for a command. */
function line(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, " ");
}
