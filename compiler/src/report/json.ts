/**
 * A report as JSON: two blanks of indent, one line end behind it.
 * @param report any of the documented report shapes; they hold plain data only.
 */
export function renderJson(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
