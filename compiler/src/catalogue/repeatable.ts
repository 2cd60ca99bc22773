import type { CatalogueRow } from "../types.js";

/**
 * Methods of clients that only ask, or that do no harm when they are called twice: `list`, `listComments`,
 * `getBalance`, `close`.
 */
const REPEATABLE =
  /^(?:get|list|retrieve|search|find|fetch|read|query|count|exists|describe|download|lookup|connect|disconnect|close|quit|end|ready|on|off|once|update|upsert|put|delete|del|remove|cancel|verify|ping|subscribe|unsubscribe|login|auth)(?![a-z])/;

const repeated = new WeakMap<CatalogueRow, CatalogueRow>();

/**
 * A row that covers a whole client by a `*` says that what it does must not be done twice; of `close()` or
 * `list()` that is not so.
 *
 * @param name of what was asked for, dotted
 */
export function asAsked(row: CatalogueRow, name: string): CatalogueRow {
  if (row.writes !== true || !row.of.endsWith("*") || !REPEATABLE.test(name.slice(name.lastIndexOf(".") + 1)))
    return row;
  let found = repeated.get(row);
  if (found === undefined) {
    found = { ...row, writes: false };
    repeated.set(row, found);
  }
  return found;
}
