import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/esbuild`: the plugin for esbuild. */
export default stepproof.esbuild;
