/** A manifest that can't be read or written. `at` is the path of the place in the JSON, `$` = the whole. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  constructor(
    readonly code:
      | "manifest_syntax"
      | "manifest_invalid"
      | "manifest_edited"
      | "manifest_too_new"
      | "manifest_too_old"
      | "manifest_too_deep",
    readonly at: string,
    message: string,
  ) {
    super(message);
  }
}
