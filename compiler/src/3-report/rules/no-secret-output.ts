import type { Rule } from "../../2-solve/types.js";
import { dotted } from "../facts-walk.js";
import { stepReturns } from "../step-returns.js";
import { stepSites } from "../step-sites.js";
import type { VerbatimPart } from "../verbatim.js";
import { reportInside } from "./report-inside.js";

/** Names that people give to secrets. */
const SECRET =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|AUTH_?KEY|SERVICE_?KEY|_KEY$|_PAT$|_DSN$|CONNECTION_?STRING|DATABASE_?URL|WEBHOOK_?URL_?SECRET)/i;
/** What such names also stand for without being secret. */
const PUBLIC =
  /(?:PUBLIC|PUBLISHABLE|TOKEN_?(?:LIMIT|COUNT|TTL|URL|EXPIRY|LIFETIME)|MAX_?TOKENS?|KEY_?ID$|ACCESS_KEY_ID$)/i;

/** A secret of the environment in what a step records. */
export const noSecretOutput: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    for (const returned of stepReturns(analysis, site)) {
      for (const part of returned.parts) {
        const secret = secretOf(part);
        if (secret === null) continue;
        reportInside(analysis, site.entry, part.via, report, () => ({
          rule: "no-secret-output",
          message: `\`${secret}\` becomes part of the output of ${site.label}: it is stored in the history and shown by every inspector`,
          help: "Read the secret inside the step that uses it, and return only what the workflow needs.",
        }));
      }
    }
  }
};

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
