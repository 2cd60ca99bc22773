import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { EXIT, UsageError, type ExitCode } from "../exit.js";
import { printResult, workingDirectory } from "../terminal.js";
import { offersFor, type Offer } from "./offers.js";

/**
 * `stepproof init`: offers one thing after the other and writes what is agreed to. A file that is there is
 * never replaced; package.json is only added to, and only when agreed to.
 * @throws {UsageError} when there is nobody to ask and `--yes` was not given.
 */
export async function initCommand(args: { readonly yes?: boolean }): Promise<ExitCode> {
  const folder = workingDirectory();
  const ask = args.yes === true ? null : openQuestions();
  try {
    for (const offer of offersFor(folder)) await settle(offer, folder, ask);
  } finally {
    ask?.close();
  }
  await printResult(
    "\nNext: npx stepproof check, then npx stepproof manifest; commit the manifest that it writes.\n",
  );
  return EXIT.clean;
}

type Questions = ReturnType<typeof createInterface>;

function openQuestions(): Questions {
  if (!process.stdin.isTTY)
    throw new UsageError(
      "init asks before it writes, and there is no terminal to ask on. Use --yes to agree to all.",
    );
  return createInterface({ input: process.stdin, output: process.stderr });
}

async function settle(offer: Offer, folder: string, ask: Questions | null): Promise<void> {
  if (offer.state === "there") {
    await printResult(`kept     ${offer.path}: it is there already\n`);
    return;
  }
  const verb = offer.state === "new" ? "Write" : "Add to";
  const answer = ask === null ? "y" : await ask.question(`${verb} ${offer.path}: ${offer.what}? [Y/n] `);
  if (/^n/i.test(answer.trim())) {
    await printResult(`skipped  ${offer.path}\n`);
    return;
  }
  const path = join(folder, offer.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, offer.text);
  await printResult(`${offer.state === "new" ? "written " : "changed "} ${offer.path}: ${offer.what}\n`);
}
