/**
 * A cell that begins like this is run as a formula by a spreadsheet program, full-width forms included
 * (OWASP, "CSV Injection"). Apostrophes before it are ours, or look like it.
 */
const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const plainNumber = /^[+-]?\d+([.,]\d+)?$/;

/** Text that no spreadsheet program will run: an apostrophe before it, which `unguardText` takes away again. */
export const guardText = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

/** The same for files that programs read: a number, such as a phone in E.164, computes nothing and stays as it is. */
export const guardTyped = (text: string): string => (plainNumber.test(text) ? text : guardText(text));

/** The text as it was before a spreadsheet program, or we, protected it: `'+88017…`, `="017…"`. */
export function unguardText(text: string): string {
  const quoted = /^="(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text;
}
