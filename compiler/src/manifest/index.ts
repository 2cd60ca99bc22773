/** Analysis → manifest. The format, the codec and the diff are `runtime/src/manifest`. */
export {
  manifestFrom,
  manifestOf,
  withOwnNames,
  workflowManifests,
  type ManifestOptions,
} from "./manifest-of.js";
