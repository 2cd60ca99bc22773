/** Source files → facts. */
export { createFactsSource } from "./facts-source.js";
export { factsOfSource, factsOfSources } from "./facts-of-source.js";
export { printFacts } from "./print-facts.js";
