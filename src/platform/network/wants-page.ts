/**
 * True for a browser that navigates, false for a script or a form tool. Old browsers name pictures and `text/*` only,
 * scripts of web pages any type.
 */
export function wantsPage(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const { accept, 'sec-fetch-mode': mode } = headers;
  const types = typeof accept === 'string' ? accept.toLowerCase() : '';
  if (types.includes('application/json')) return false;
  if (/text\/html|application\/(?:xhtml|vnd\.wap)/.test(types) || mode === 'navigate') return true;
  return mode === undefined && /\btext\/\*|\bimage\//.test(types);
}
