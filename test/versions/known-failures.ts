/** Pairs that are misjudged today (`<pair> <direction> <profile>`), with the reason. The list only shrinks. */
export const KNOWN_FAILURES: Readonly<Record<string, string>> = {};
