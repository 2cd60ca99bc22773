// tsserver looks for a file by this path: it does not read `exports` of a package.
module.exports = require("../dist/language-service.cjs");
