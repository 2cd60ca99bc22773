import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/rolldown`: the plugin for Rolldown. */
export default stepproof.rolldown;
