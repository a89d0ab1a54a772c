/**
 * Beginnings that a spreadsheet program runs as a formula, full-width forms included (OWASP, "CSV Injection"), behind any
 * apostrophes of ours.
 */
const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const plainNumber = /^[+-]?\d+([.,]\d+)?$/;

/** Puts an apostrophe before text that a spreadsheet program would run; `unguardText` removes it. */
export const guardText = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

/** The same for files that programs read, but leaves numbers alone, such as a phone in E.164. */
export const guardTyped = (text: string): string => (plainNumber.test(text) ? text : guardText(text));

/** The text without the protection that we or a spreadsheet program added: `'+88017…`, `="017…"`. */
export function unguardText(text: string): string {
  const quoted = /^="(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text;
}
