/**
 * Whether a body is a web page. Portals, proxies, bot filters, parked domains and maintenance pages answer with one in
 * place of the system we called, with any status, so that it proves nothing about that system. The type header decides
 * nothing: PHP sends its JSON, and its plain `OK`, as `text/html`.
 */
export function isWebPage(body: string | Uint8Array): boolean {
  const start =
    typeof body === 'string' ? body.slice(0, LOOKED_AT) : decoder.decode(body.subarray(0, LOOKED_AT));
  return PAGE.test(start.replace(BEFORE, ''));
}

/** Beginnings of pages stand after scripts' blank lines and licence comments. */
const LOOKED_AT = 4_096;
const decoder = new TextDecoder();

/** Byte order mark, blanks, comments (unfinished ones, too) and an XML declaration. */
const BEFORE = /^(?:[\s\uFEFF]|<\?xml[^>]*>|<!--[\s\S]*?(?:-->|$))+/i;
const PAGE =
  /^<(?:!doctype\s+html|(?:html|head|body|title|meta|link|base|script|noscript|style|main|header|section|div|center|table|form|iframe|frameset|img|svg|h[1-6]|p|pre|font|span)(?=[\s/>]))/i;
