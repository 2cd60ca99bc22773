import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/rollup`: the plugin for Rollup. */
export default stepproof.rollup;
