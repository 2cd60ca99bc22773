import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { EXIT, UsageError, type ExitCode } from "../exit.js";
import { writeText } from "../files.js";
import { printResult, workingDirectory } from "../terminal.js";
import type { CiChoice } from "./ci-offers.js";
import { missingPackages, offersFor, type Offer } from "./offers.js";

export interface InitArguments {
  readonly yes?: boolean;
  readonly ci?: CiChoice;
}

/**
 * `stepproof init`: offers one thing after the other and writes what is agreed to. A file of ours that is
 * there is never replaced; files of the project are only added to, and only when agreed to.
 * @throws {UsageError} when there is nobody to ask and `--yes` was not given.
 */
export async function initCommand(args: InitArguments): Promise<ExitCode> {
  const folder = workingDirectory();
  const ask = args.yes === true ? null : openQuestions();
  const agreed: Offer[] = [];
  try {
    for (const offer of offersFor(folder, args.ci)) if (await settle(offer, folder, ask)) agreed.push(offer);
  } finally {
    ask?.close();
  }
  const missing = missingPackages(folder, agreed);
  const steps = [
    ...(missing.length === 0 ? [] : [`npm install --save-dev ${missing.join(" ")}`]),
    "npx stepproof check",
    "npx stepproof manifest    and commit the stepproof.manifest.json that it writes",
  ];
  await printResult(`\nNext:\n${steps.map((step) => `  ${step}\n`).join("")}`);
  return EXIT.clean;
}

interface Questions {
  /** @throws {UsageError} when the answer does not come: Ctrl-C or Ctrl-D. */
  question(text: string): Promise<string>;
  close(): void;
}

function openQuestions(): Questions {
  if (!process.stdin.isTTY)
    throw new UsageError(
      "init asks before it writes, and there is no terminal to ask on. Use --yes to agree to all.",
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // As an iterator it keeps what is typed ahead, and ends with the input.
  const answers = lines[Symbol.asyncIterator]();
  return {
    question: async (text) => {
      process.stderr.write(text);
      const answer = await answers.next();
      if (answer.done === true)
        throw new UsageError("init was stopped. What it wrote stays; run it again for the rest.");
      return answer.value;
    },
    close: () => {
      lines.close();
    },
  };
}

/** Asks and writes; gives whether it was written. */
async function settle(offer: Offer, folder: string, ask: Questions | null): Promise<boolean> {
  if (offer.state === "there") {
    await printResult(`kept     ${offer.path}: it is there already${offer.note ? `; ${offer.note}` : ""}\n`);
    return false;
  }
  if (offer.state === "by-hand") {
    const lines = offer.text.split("\n").map((line) => `           ${line}`.trimEnd());
    const add = offer.text === "" ? "" : `. By hand:\n${lines.join("\n")}`;
    await printResult(`left     ${offer.path}: it can't be edited safely, for ${offer.what}${add}\n`);
    return false;
  }
  const verb = offer.state === "new" ? "Write" : "Add to";
  const answer = ask === null ? "y" : await ask.question(`${verb} ${offer.path}: ${offer.what}? [Y/n] `);
  if (/^n/i.test(answer.trim())) {
    await printResult(`skipped  ${offer.path}\n`);
    return false;
  }
  const path = join(folder, offer.path);
  mkdirSync(dirname(path), { recursive: true });
  writeText(path, offer.text, offer.path);
  await printResult(`${offer.state === "new" ? "written " : "changed "} ${offer.path}: ${offer.what}\n`);
  return true;
}
