#!/usr/bin/env node
// Committed, so that npm can link the command before the first build.
import * as module from "node:module";

// From Node 22.8 on: half of a short run would be spent on compiling the same code again. Not in Node 20.
module.enableCompileCache?.();
await import("../dist/cli/main.js");
