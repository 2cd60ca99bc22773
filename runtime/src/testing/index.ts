/** `@stepproof/runtime/testing`: run workflows of one's own in tests, through time and crashes. */
export { programOf, type ManifestProgramOptions, type OpenQuestion } from "./manifest-program.js";
export { replayWitness, type WitnessReplay } from "./replay-witness.js";
export { ManualClock } from "./manual-clock.js";
export { crashEverywhere, type CrashRun } from "./crash-everywhere.js";
export { TestHost, testHost, type TestHostOptions } from "./test-host.js";
