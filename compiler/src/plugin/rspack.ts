import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/rspack`: the plugin for Rspack. */
export default stepproof.rspack;
