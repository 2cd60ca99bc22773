import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/vite`: the plugin for Vite. */
export default stepproof.vite;
