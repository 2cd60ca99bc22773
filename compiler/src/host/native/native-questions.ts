import { dirname } from "node:path";
import { checkerQuestions } from "../checker-questions.js";
import type { ProgramRequest } from "../lazy-program.js";
import type { TypeQuestions } from "../type-questions.js";
import { typescript } from "../typescript.js";
import { loadNative } from "./load-native.js";
import { nativeModel } from "./native-model.js";
import { openNativeProgram } from "./native-program.js";
import type { NativeProcess } from "./native-api.js";

/** How TypeScript 7 is asked. */
export interface NativeOptions {
  /** The folder whose code would import it; the tsconfig's, else the working directory, when left out. */
  readonly folder?: string;
  /** Told once when TypeScript 6 answers in its place, and why. */
  readonly onFallback: (message: string) => void;
}

/** Ends the processes of projects that nobody asks about any more. */
const forgotten = new FinalizationRegistry<() => void>((close) => {
  close();
});

/**
 * Answers from the project's own TypeScript 7, in a process of its own; it is started with the first question.
 * @param ours answers everything once it has failed.
 */
export function nativeQuestions(
  request: Omit<ProgramRequest, "unit">,
  ours: TypeQuestions,
  { folder = folderOfProject(request), onFallback }: NativeOptions,
): TypeQuestions {
  const native = checkerQuestions(() => {
    if (request.roots.length === 0) return null;
    const modules = loadNative(folder);
    const opened = openNativeProgram(modules, request);
    close = closing(opened.server);
    request.memory.closeAfter(close);
    forgotten.register(questions, close);
    return nativeModel(modules, opened, request.files);
  });
  let failed = false;
  let close = (): void => undefined;
  const ask = <T>(question: (asked: TypeQuestions) => T): T => {
    if (failed) return question(ours);
    try {
      return question(native);
    } catch (error) {
      failed = true;
      close();
      onFallback(
        `TypeScript 7's own checker was asked for, but can't be used: ${reason(error)}. TypeScript ${typescript.version}, which stepproof brings, answers in its place: the findings are the same, it takes longer.`,
      );
      return question(ours);
    }
  };
  const questions: TypeQuestions = {
    member: (unit, name) => ask((asked) => asked.member(unit, name)),
    valueType: (unit, expression) => ask((asked) => asked.valueType(unit, expression)),
    awaitedReturn: (unit, fn) => ask((asked) => asked.awaitedReturn(unit, fn)),
    namedType: (unit, node) => ask((asked) => asked.namedType(unit, node)),
    casesCover: (unit, statement) => ask((asked) => asked.casesCover(unit, statement)),
    writtenType: (unit, type) => ask((asked) => asked.writtenType(unit, type)),
    // What either was asked counts; this one can't tell.
    imports: () => (failed ? ours.imports() : null),
  };
  return questions;
}

/** Ends a process, once. It holds nothing else, so that the questions can be forgotten. */
function closing(server: NativeProcess): () => void {
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      server.close();
    } catch {
      // It has ended by itself, so that it can't be told to.
    }
  };
}

function folderOfProject({ options, files }: Pick<ProgramRequest, "options" | "files">): string {
  const { configFilePath } = options;
  return typeof configFilePath === "string" ? dirname(configFilePath) : files.cwd;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
