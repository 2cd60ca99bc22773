"use strict";
// Some loaders turn modules that are required into a second copy of them; then errors and contexts of one copy
// are strangers to the other. So it is refused, with what to do.
throw new Error(
  '@stepproof/runtime is an ES module and was asked for with require(). Set "type": "module" in your package.json ' +
    "(npm pkg set type=module), or name the files that import it .mts or .mjs.",
);
