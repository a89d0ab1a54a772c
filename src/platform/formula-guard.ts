/**
 * Beginnings that a spreadsheet program interprets as a formula, including full-width forms (OWASP, "CSV Injection"),
 * after any apostrophes that we added.
 */
const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const plainNumber = /^[+-]?\d+([.,]\d+)?$/;

/** Prefixes text that a spreadsheet program would interpret with an apostrophe; `unguardText` removes it. */
export const guardText = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

/** Like `guardText`, for files read by programs: leaves numbers alone, such as a phone number in E.164. */
export const guardTyped = (text: string): string => (plainNumber.test(text) ? text : guardText(text));

/** Removes the protection added by us or by a spreadsheet program: `'+88017…`, `="017…"`. */
export function unguardText(text: string): string {
  const quoted = /^="(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text;
}
