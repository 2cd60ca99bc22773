/** Names of errors that tell of wrong input; everything else is a fault of the tool. */
const INPUT_ERRORS: ReadonlySet<string> = new Set([
  "UsageError",
  "ConfigError",
  "ProjectError",
  "ManifestError",
  "BaselineError",
  "StoreOpenError",
  "CatalogueDeclarationError",
]);

/** True when the user can mend it: wrong arguments, config, project or manifest. */
export function isInputError(error: unknown): error is Error {
  return error instanceof Error && INPUT_ERRORS.has(error.name);
}
