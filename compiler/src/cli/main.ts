import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { isInputError } from "../input-error.js";
import { EXIT, type ExitCode } from "./exit.js";
import { toolVersion } from "../package.js";
import { printNote } from "./terminal.js";

/**
 * The command. Each subcommand is one file, loaded when it is called: `--help` and `diff` need no compiler.
 * Exit codes: `exit.ts`.
 */
function program(finish: (code: ExitCode) => void): Command {
  const run = async (command: Promise<ExitCode>): Promise<void> => {
    finish(await command);
  };
  const root = new Command("stepproof")
    .description("Proves at build time that durable workflows will replay.")
    .version(toolVersion(), "-v, --version")
    // Before the first subcommand: they inherit it.
    .exitOverride()
    .showHelpAfterError("(stepproof --help shows what there is)")
    .showSuggestionAfterError()
    .configureOutput({
      outputError: (text, write) => {
        write(text.replace(/^error: /, "stepproof: "));
      },
    });

  root
    .command("check")
    .description("find what breaks workflows on replay")
    .argument("[paths...]", "files, folders or globs; else what the config or the tsconfig names")
    .option("-p, --project <tsconfig>", "tsconfig file, or the folder that holds one")
    .option("-c, --config <file>", "config file; else the nearest stepproof.config.*")
    .addOption(
      new Option("-f, --format <format>", "how to print")
        .choices(["pretty", "json", "github", "sarif"])
        .default("pretty"),
    )
    .addOption(engineOption())
    .option("--strict", "also report calls that could not be followed")
    .option("--native", "ask the project's own TypeScript 7 about types (or STEPPROOF_NATIVE=1)")
    .option("--fix", "apply the safe fixes")
    .option("-w, --watch", "check again after every change")
    .option("--max-warnings <number>", "fail when there are more warnings", wholeNumber)
    .option("--baseline <file>", "keep the findings in this file silent")
    .option("--write-baseline [file]", "write what is found now to a baseline and succeed")
    .option("--no-cache", "compute anew; else an unchanged project's result is read from node_modules/.cache")
    .option("--explain-unknown", "list the calls that could not be followed")
    .action((paths: string[], options) =>
      run(import("./check.js").then((it) => it.checkCommand(paths, options))),
    );

  root
    .command("manifest")
    .description("write down what each workflow can record; commit the file")
    .argument("[paths...]", "files, folders or globs; else what the config or the tsconfig names")
    .option("-p, --project <tsconfig>", "tsconfig file, or the folder that holds one")
    .option("-c, --config <file>", "config file; else the nearest stepproof.config.*")
    .addOption(engineOption())
    .option("--native", "ask the project's own TypeScript 7 about types (or STEPPROOF_NATIVE=1)")
    .option("-o, --output <file>", "where to write (default: stepproof.manifest.json); - for stdout")
    .option("--check", "write nothing; fail when the file is out of date")
    .action((paths: string[], options) =>
      run(import("./manifest.js").then((it) => it.manifestCommand(paths, options))),
    );

  root
    .command("diff")
    .description("would the new version break instances that are running?")
    .argument("<old>", "a manifest, git:REF, or the address of a running server")
    .argument("[new]", "a manifest; else the sources as they are now")
    .option("-c, --config <file>", "config file; else the nearest stepproof.config.*")
    .addOption(
      new Option("-f, --format <format>", "how to print")
        .choices(["pretty", "json", "github", "sarif", "markdown"])
        .default("pretty"),
    )
    .addOption(engineOption())
    .addOption(
      new Option("--fail-on <level>", "fail from this level on")
        .choices(["breaking", "risky"])
        .default("risky"),
    )
    .option("--replay", "run each witness on the runtime, with step bodies that do nothing")
    .option("--accept <change>", "let a change through from now on, by the name that the diff shows")
    .option("--reason <text>", "why; goes into stepproof.accepted.json")
    .action((before: string, after: string | undefined, options) =>
      run(import("./diff.js").then((it) => it.diffCommand(before, after, options))),
    );

  root
    .command("fix")
    .description("add what makes this version safe for the instances of an older one")
    .argument("[paths...]", "files, folders or globs; else what the config or the tsconfig names")
    .requiredOption(
      "--from <old>",
      "the older version: a manifest, git:REF, or the address of a running server",
    )
    .option("-p, --project <tsconfig>", "tsconfig file, or the folder that holds one")
    .option("-c, --config <file>", "config file; else the nearest stepproof.config.*")
    .addOption(engineOption())
    .action((paths: string[], options) =>
      run(import("./fix.js").then((it) => it.fixCommand(paths, options))),
    );

  root
    .command("preflight")
    .description("which instances of a database would not go on under this version, and why")
    .option("--db <file>", "the database file of the runtime; it is only read", ".stepproof/data.sqlite")
    .option(
      "--manifest <source>",
      "a manifest, git:REF, or the address of a running server; else the sources as they are now",
    )
    .option("-c, --config <file>", "config file; else the nearest stepproof.config.*")
    .addOption(
      new Option("-f, --format <format>", "how to print").choices(["pretty", "json"]).default("pretty"),
    )
    .action((options) => run(import("./preflight.js").then((it) => it.preflightCommand(options))));

  root
    .command("graph")
    .description("draw workflows")
    .argument("[source]", "a manifest or git:REF; else the sources as they are now")
    .option("-c, --config <file>", "config file; else the nearest stepproof.config.*")
    .addOption(
      new Option("-f, --format <format>", "how to draw")
        .choices(["mermaid", "dot", "svg", "html"])
        .default("mermaid"),
    )
    .option("-w, --workflow <name>", "only this one")
    .option("--old <source>", "an older manifest or git:REF: what changed since is coloured")
    .option("-o, --output <file>", "where to write; else stdout")
    .action((source: string | undefined, options) =>
      run(import("./graph.js").then((it) => it.graphCommand(source, options))),
    );

  root
    .command("explain")
    .description("print the page of a rule: what, why, wrong and right code")
    .argument("[rule]", "slug or code; without it, all rules are listed")
    .action((rule: string | undefined) => run(import("./explain.js").then((it) => it.explainCommand(rule))));

  root
    .command("dev")
    .description("run a registry from its sources, checked; again after every change")
    .argument(
      "[entry]",
      "the module that exports the registry; else src/registry.ts, src/server.ts, src/index.ts …",
    )
    .option("-p, --project <tsconfig>", "tsconfig file, or the folder that holds one")
    .option("-c, --config <file>", "config file; else the nearest stepproof.config.*")
    .option("--port <number>", "where it serves; 0 for any free port", wholeNumber, 6420)
    .option("--db <file>", "its database", ".stepproof/data.sqlite")
    .action((entry: string | undefined, options) =>
      run(import("./dev/dev.js").then((it) => it.devCommand(entry, options))),
    );

  root
    .command("init")
    .description("set a project up: config, scripts, tsconfig, ESLint, CI")
    .option("-y, --yes", "agree to everything")
    .addOption(
      new Option("--ci <where>", "the CI to write for; else what the project's files tell").choices([
        "github",
        "gitlab",
        "shell",
        "none",
      ]),
    )
    .action((options) => run(import("./init/init.js").then((it) => it.initCommand(options))));

  return root;
}

function engineOption(): Option {
  return new Option("--engine <name>", "judge by this engine, whatever is imported").choices([
    "rivetkit-2",
    "rivet-workflows-1",
    "stepproof",
  ]);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new InvalidArgumentError("Not a whole number from 0.");
  return number;
}

/** Says what went wrong in one message; a stack only for faults of the tool, and only under STEPPROOF_DEBUG. */
function explainFailure(error: unknown): ExitCode {
  if (isInputError(error)) {
    printNote(error.message);
    return EXIT.usage;
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  printNote(`internal fault, not a finding in your code: ${message}`);
  if (process.env["STEPPROOF_DEBUG"])
    process.stderr.write(`${error instanceof Error ? (error.stack ?? "") : ""}\n`);
  else
    printNote(
      "run it again with STEPPROOF_DEBUG=1 and report what it prints, with the command: npm bugs stepproof",
    );
  return EXIT.internal;
}

async function main(): Promise<void> {
  // Whoever reads our output may leave early (`| head`); that is no fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  let code: ExitCode = EXIT.clean;
  const finish = (result: ExitCode): void => {
    code = result;
  };
  try {
    await program(finish).parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) code = error.exitCode === 0 ? EXIT.clean : EXIT.usage;
    else code = explainFailure(error);
  }
  process.exitCode = code;
}

await main();
