/**
 * TypeScript, as a value. Loaded with `require`: importing it makes Node scan its nine megabytes for export names
 * first, which costs as much as running them (0.3 s of 0.6 s).
 */
import { createRequire } from "node:module";
import type tsTypes from "typescript";

const load = createRequire(import.meta.url);

export const typescript = load("typescript") as typeof tsTypes;
