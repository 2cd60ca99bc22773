import type { ClientOf } from "@stepproof/runtime";
import type { registry } from "./registry.js";

/** The client of the load registry. */
export type Client = ClientOf<typeof registry>;
