#!/usr/bin/env node
// Committed, so that npm can link the command before the first build.
import module from "node:module";

// Node 22.1 and later keep compiled code between runs.
module.enableCompileCache?.();
await import("../dist/cli/main.js");
