import type ts from "typescript";
import {
  carriedIn,
  checkProgram,
  isInputError,
  withoutKnown,
  type CarryingCall,
  type Config,
  type Reported,
} from "../../index.js";

/** What there is to say of a program of TypeScript's. */
export interface ProgramReport {
  readonly reported: readonly Reported[];
  /** Calls that are to carry a manifest, by file; made when first asked for. */
  readonly carried: () => ReadonlyMap<string, readonly CarryingCall[]>;
}

const NOTHING: ProgramReport = { reported: [], carried: () => new Map() };

/**
 * Checks a program as it is.
 * @param root absolute with `/`.
 * @param tell told what can't be used; the report is then empty.
 */
export function reportOf(
  program: ts.Program,
  typescript: typeof ts,
  how: { readonly root: string; readonly config: Config; readonly strict: boolean },
  tell: (message: string) => void,
): ProgramReport {
  const { root, config, strict } = how;
  try {
    const { analysis, reported, notes } = checkProgram({ program, typescript, cwd: root, config, strict });
    for (const note of notes) tell(note);
    let carried: ReadonlyMap<string, readonly CarryingCall[]> | null = null;
    return {
      reported: withoutKnown(reported, config, root),
      carried: () => (carried ??= carriedIn(analysis, root)),
    };
  } catch (error) {
    if (!isInputError(error)) throw error;
    tell(error.message);
    return NOTHING;
  }
}
