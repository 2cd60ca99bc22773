/**
 * Fixtures that fail today, with the reason. The list only shrinks: an entry that passes fails the test.
 * Ids end in `@rivetkit` for the second dialect.
 */
export const KNOWN_FAILURES: Readonly<Record<string, string>> = {};
