/** Pages and scripts below `/in/CONNECTOR/` that people link to. */
const pages = ['', 'form', 'thanks', 'calendar.ics', 'embed.js', 'form.js'];

interface TypedPaths {
  /** Path of `public_url`, for a proxy that does not cut it off. */
  publicPath: string;
  /** Name of a connector that takes bookings, whatever its case; undefined for other text. */
  connectorOf(text: string): string | undefined;
}

/**
 * The address that a person meant who typed or copied one below `/in/`: with other capitals, slashes or blanks, the
 * punctuation of a sentence, `.html`, `&` for `?`, or a path that the proxy should have cut off or left. Undefined for
 * all others.
 */
export function meantAddress(
  url: string,
  { publicPath, connectorOf }: TypedPaths,
  method = 'GET',
): string | undefined {
  const [, typed = '', mark = '', query = ''] = /^([^?&]*)([?&]?)(.*)$/s.exec(url) ?? [];
  const own = typed.startsWith(`${publicPath}/`) ? typed.slice(publicPath.length) : typed;
  const words = own.split('/').map(plain).filter(Boolean);
  const at = words.findLastIndex((word) => connectorOf(word) !== undefined);
  const name = connectorOf(words[at] ?? '');
  const page = (words[at + 1] ?? '').toLowerCase().replace(/\.(?:html?|php|aspx?)$/, '');
  const isSent = method === 'POST';
  // A form's page leads its form to its own folder, wherever a proxy has put it.
  const isMeant = words[at - 1]?.toLowerCase() === 'in' || (at === 0 && (page !== '' || isSent));
  if (name === undefined || !isMeant || words.length > at + 2 || !pages.includes(page)) return undefined;
  const path = ['', 'in', encodeURIComponent(name), ...(page === '' || isSent ? [] : [page])].join('/');
  return mark === '' ? path : `${path}?${query}`;
}

/** Without what people and programs that recognize links add. */
function plain(word: string): string {
  try {
    return decodeURIComponent(word)
      .trim()
      .replace(/(?<![\s.,;:!)>"'\]’”»])[\s.,;:!)>"'\]’”»]+$/u, '');
  } catch {
    // No page's name.
    return '%';
  }
}

/**
 * The same relative to the address that the browser has, whose beginning a proxy may have cut off. Undefined when links
 * of the page lead to the same from both, so that none leads to itself.
 */
export function redirectTo(typed: string, meant: string): string | undefined {
  const [path = ''] = typed.split(/[?&]/, 1);
  const [page = '', ...query] = meant.split('?');
  const tail = page.replace(/^\/in\//, '');
  if (path.endsWith(`/${tail}`) && typed[path.length] !== '&') return undefined;
  const folders = path.split('/').slice(1);
  const start = folders.findLastIndex((word) => word.toLowerCase() === 'in');
  if (start === -1) return undefined;
  const up = '../'.repeat(Math.max(0, folders.length - start - 2));
  return [`${up || './'}${tail}`, ...query].join('?');
}
