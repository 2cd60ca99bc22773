import { stepproof } from "./unplugin.js";

export type { BundlerOptions } from "./unplugin.js";

/** `stepproof/vitest`: tests run the checked and transformed code. A Vite plugin, since Vitest compiles with Vite. */
export default stepproof.vite;
