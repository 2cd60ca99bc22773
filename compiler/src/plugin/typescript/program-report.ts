import type ts from "typescript";
import {
  callsThatCarry,
  isInputError,
  withoutKnown,
  type CarryingCall,
  type Config,
  type KeptCheck,
  type Reported,
} from "../../index.js";

/** What there is to say of a program of TypeScript's. */
export interface ProgramReport {
  readonly reported: readonly Reported[];
  /** The calls in a file (absolute, with `/`) that are to carry a manifest. */
  readonly callsIn: (path: string) => readonly CarryingCall[];
}

const NOTHING: ProgramReport = { reported: [], callsIn: () => [] };

/**
 * Checks a program as it is.
 * @param root absolute with `/`.
 * @param check may hold what it found in an earlier state of the same program.
 * @param tell told what can't be used; the report is then empty.
 */
export function reportOf(
  program: ts.Program,
  how: { readonly root: string; readonly config: Config; readonly check: KeptCheck },
  tell: (message: string) => void,
): ProgramReport {
  const { root, config, check } = how;
  try {
    const { reported, carried } = check.lookAt(program);
    const calls = callsThatCarry(carried);
    return {
      reported: withoutKnown(reported, config, root),
      callsIn: (path) => calls.get(path) ?? [],
    };
  } catch (error) {
    if (!isInputError(error)) throw error;
    tell(error.message);
    return NOTHING;
  }
}
