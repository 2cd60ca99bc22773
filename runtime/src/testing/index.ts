/** `@stepproof/runtime/testing`: run workflows of one's own in tests, through time and crashes. */
export { programOf, type ManifestProgramOptions, type OpenQuestion } from "./manifest-program.js";
export { replayWitness, type WitnessReplay } from "./replay-witness.js";
export { ManualClock } from "./manual-clock.js";
export { crashEverywhere, type CrashRun } from "./crash-everywhere.js";
export type { Arrival } from "./random-schedule.js";
export { ReplayDivergenceError, type ReplayDivergence } from "./replay-divergence-error.js";
export { replayFuzz, type ReplayFuzzOptions, type ReplayFuzzReport } from "./replay-fuzz.js";
export { RestlessWorkflowError } from "./restless-workflow-error.js";
export { runSchedule, type Outcome, type RecordedEntry, type RunOptions } from "./run-schedule.js";
export { describeSchedule, undisturbed, type Happening, type Schedule } from "./schedule.js";
export type { StepStub, StepStubs } from "./step-stubs.js";
export { TestHost, testHost, type Inspection, type TestHostOptions } from "./test-host.js";
