import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/webpack`: the plugin for webpack. */
export default stepproof.webpack;
