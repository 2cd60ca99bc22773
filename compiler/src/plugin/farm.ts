import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/farm`: the plugin for Farm. */
export default stepproof.farm;
