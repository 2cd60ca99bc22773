import type { EngineProfile } from "../types.js";
import { RIVET_WORKFLOWS_1 } from "./rivet-workflows-1.js";
import { RIVETKIT_2 } from "./rivetkit-2.js";
import { STEPPROOF } from "./stepproof.js";

/** All engines, by name. A further engine is one more row. */
export const ENGINES: Readonly<Record<EngineProfile["name"], EngineProfile>> = {
  "rivetkit-2": RIVETKIT_2,
  "rivet-workflows-1": RIVET_WORKFLOWS_1,
  stepproof: STEPPROOF,
};

/**
 * The engine that an import chooses: `rivetkit/workflow` → `rivetkit-2`; `null` for any other module.
 *
 * @param specifier as written in the import, or the package that it resolved to
 */
export function engineOfModule(specifier: string): EngineProfile | null {
  for (const profile of Object.values(ENGINES)) {
    if (profile.modules.some((module) => specifier === module || specifier.startsWith(`${module}/`)))
      return profile;
  }
  return null;
}
