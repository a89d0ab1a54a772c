/**
 * Beginnings that a spreadsheet program interprets as a formula, including full-width forms (OWASP, "CSV Injection"),
 * after any apostrophes that we added.
 */
const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/**
 * The same behind what another program may take for the separator: `x;=1+1` in a file with commas, opened where lists
 * are separated by semicolons.
 */
const innerStart = /(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?<=[;,|\t\r\n]["'\s]*)/g;
const guardedInside = /'(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?<=[;,|\t\r\n]["'\s]*)/g;
const plainNumber = /^[+-]?\d+([.,]\d+)?$/;

/** Prefixes text that a spreadsheet program would interpret with an apostrophe; `unguardText` removes it. */
export function guardText(text: string): string {
  const inside = text.replace(innerStart, "'");
  return formulaStart.test(text) ? `'${inside}` : inside;
}

/** Like `guardText`, for files read by programs: leaves numbers alone, such as a phone number in E.164. */
export const guardTyped = (text: string): string => (plainNumber.test(text) ? text : guardText(text));

/** Removes the protection added by us or by a spreadsheet program: `'+88017…`, `="017…"`. */
export function unguardText(text: string): string {
  const quoted = /^="(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  const bare = text.replace(guardedInside, '');
  return bare.startsWith("'") && formulaStart.test(bare) ? bare.slice(1) : bare;
}

/** The same JSON, of which no part is a formula for a program that takes `;` or `|` for the separator. */
export const guardJson = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, (string) =>
    string.replace(/(?<=[;,|][\s'\\"]*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g, asEscape),
  );

const asEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
