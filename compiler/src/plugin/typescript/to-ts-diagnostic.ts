import { readFileSync } from "node:fs";
import type ts from "typescript";
import type { Reported } from "../../index.js";
import { headOf } from "../finding-text.js";

/** The name that editors show beside a finding. */
export const SOURCE = "stepproof";

/**
 * A finding as TypeScript shows it: `TS90001: [rule] message`, the remedy on the line below, the way from the
 * workflow as related information.
 * @returns `null` when the place is in no file of the program.
 */
export function toTsDiagnostic(
  { finding, diagnostic }: Reported,
  program: ts.Program,
  typescript: typeof ts,
): ts.DiagnosticWithLocation | null {
  const file = program.getSourceFile(finding.place.file);
  if (file === undefined || file.isDeclarationFile) return null;
  const [start, end] = finding.place.span;
  const related = finding.chain.length > 1 ? finding.chain : [];
  return {
    file,
    start,
    length: end - start,
    category:
      diagnostic.severity === "error"
        ? typescript.DiagnosticCategory.Error
        : typescript.DiagnosticCategory.Warning,
    code: diagnostic.code,
    source: SOURCE,
    messageText: {
      messageText: headOf(diagnostic),
      category: typescript.DiagnosticCategory.Error,
      code: diagnostic.code,
      next: [
        {
          messageText: diagnostic.help,
          category: typescript.DiagnosticCategory.Message,
          code: diagnostic.code,
        },
      ],
    },
    relatedInformation: related.flatMap(({ place, label }) => {
      const holder = program.getSourceFile(place.file) ?? sourceOnDisk(place.file, typescript);
      if (holder === null) return [];
      return [
        {
          file: holder,
          start: place.span[0],
          length: place.span[1] - place.span[0],
          category: typescript.DiagnosticCategory.Message,
          code: diagnostic.code,
          messageText: label,
        },
      ];
    }),
  };
}

/** A link of a way can lie in a package's JavaScript, which is in no program. */
function sourceOnDisk(path: string, typescript: typeof ts): ts.SourceFile | null {
  try {
    return typescript.createSourceFile(path, readFileSync(path, "utf8"), typescript.ScriptTarget.ESNext);
  } catch {
    return null; // gone meanwhile: the way is shown without it
  }
}
