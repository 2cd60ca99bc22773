import { apiText } from "../../2-solve/entries/entry-text.js";
import type { AccessOperation, Analysis, Finding, Rule } from "../../2-solve/types.js";
import { dotted, exprsOfBody, within } from "../facts-walk.js";
import { reportAt } from "../report-at.js";
import { stepReturns } from "../step-returns.js";
import { stepSites } from "../step-sites.js";
import { verbatimParts, type VerbatimPart } from "../verbatim.js";
import { reportInside } from "./report-inside.js";

/** Names that people give to secrets. */
const SECRET =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|AUTH_?KEY|SERVICE_?KEY|_KEY$|_PAT$|_DSN$|CONNECTION_?STRING|DATABASE_?URL|WEBHOOK_?URL_?SECRET)/i;
/** What such names also stand for without being secret. */
const PUBLIC =
  /(?:PUBLIC|PUBLISHABLE|TOKEN_?(?:LIMIT|COUNT|TTL|URL|EXPIRY|LIFETIME)|MAX_?TOKENS?|KEY_?ID$|ACCESS_KEY_ID$)/i;

/** Names under which logins and key services hand out what opens doors. */
const CREDENTIAL =
  /^(?:(?:access|refresh|id|auth|bearer|session)_?token|api_?key|client_?secret|password|pass(?:wd|phrase)|private_?key|secret_?(?:access_?)?key|signing_?secret)$/i;

/** Secrets of the environment, and credentials by name, in what a step records: its output, the actor's state. */
export const noSecretOutput: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    for (const returned of stepReturns(analysis, site)) {
      for (const part of returned.parts) {
        const secret = secretOf(part) ?? credentialIn(part);
        if (secret === null) continue;
        reportInside(analysis, site.entry, part.via, report, () => ({
          rule: "no-secret-output",
          message: `\`${secret}\` becomes part of the output of ${site.label}: it is stored in the history and shown by every inspector`,
          help: HELP,
        }));
      }
    }
  }
  for (const operation of analysis.operations)
    if (operation.kind === "access" && operation.zone === "step" && operation.mode === "write")
      reportState(analysis, operation, report);
};

const HELP = "Read the secret inside the step that uses it, and return only what the workflow needs.";

/** `step.state.key = process.env.API_KEY` */
function reportState(
  analysis: Analysis,
  operation: AccessOperation,
  report: (finding: Finding) => void,
): void {
  if (operation.api !== "state") return;
  const { file, span } = operation.place;
  const { function: fn } = operation.activation;
  for (const expr of exprsOfBody(fn.body)) {
    if (expr.k !== "assign" || fn.file !== file) continue;
    if (!within(expr.target.span, span) && !within(span, expr.target.span)) continue;
    for (const part of verbatimParts(analysis, expr.value, file)) {
      const secret = secretOf(part);
      if (secret !== null)
        reportAt(analysis, operation, report, () => ({
          rule: "no-secret-output",
          message: `\`${secret}\` is put into \`${apiText(operation, operation.path)}\`: the state is stored, and shown by every inspector`,
          help: HELP,
        }));
    }
  }
}

/** `{ accessToken: session.accessToken }`: what is handed on under such a name and was read, not made here. */
function credentialIn({ expr, path, into }: VerbatimPart): string | null {
  const name = into[into.length - 1] ?? "";
  if (!CREDENTIAL.test(name)) return null;
  const read = dotted(expr) ?? (path.length > 0 ? [] : null);
  return read === null ? null : [...read, ...path].join(".");
}

/** `process.env.API_KEY`, `import.meta.env.TOKEN`, `Deno.env.get("SECRET")`: the name, when it is a secret's. */
function secretOf({ expr, path }: VerbatimPart): string | null {
  if (expr.k === "call") {
    const name = expr.args[0]?.value;
    const getter = dotted(expr.callee)?.join(".");
    if (getter !== "Deno.env.get" || name?.k !== "literal" || typeof name.value !== "string") return null;
    return isSecret(name.value) ? `Deno.env.get("${name.value}")` : null;
  }
  const read = [...(dotted(expr) ?? []), ...path];
  const variable = read[read.length - 1] ?? "";
  return read.length >= 2 && read[read.length - 2] === "env" && isSecret(variable) ? read.join(".") : null;
}

const isSecret = (name: string): boolean => SECRET.test(name) && !PUBLIC.test(name);
