import type { RemedyPlace } from "../../../../runtime/src/manifest/diff-types.js";

/** Where a remedy goes, in words: `before charge-card in payment-loop`. */
export function remedyPlaceText(place: RemedyPlace): string {
  const entry = place.entry === null ? "" : ` ${place.entry}`;
  return `${place.position}${entry}${place.scope.length === 0 ? "" : ` in ${place.scope.join("/")}`}`;
}
