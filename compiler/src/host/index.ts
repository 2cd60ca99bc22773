/** The host: how a program is opened and what may be asked of it (see `host.ts`). */
export type { Host } from "./host.js";
export { fromProgram, type FromProgramOptions } from "./from-program.js";
export { openProject, type OpenProjectOptions } from "./open-project.js";
export { ProjectError, type ProjectErrorCode } from "./project-error.js";
export { moduleName } from "./modules.js";
