/**
 * A cell that begins like this is run as a formula by a spreadsheet program, full-width forms included
 * (OWASP, "CSV Injection").
 */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Text that no spreadsheet program will run. */
export const guardText = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

/** The text as it was before a spreadsheet program, or we, protected it: `'+88017…`, `="017…"`. */
export function unguardText(text: string): string {
  const quoted = /^="(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text;
}
