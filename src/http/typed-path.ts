/** Pages and scripts below `/in/CONNECTOR/` that people link to. */
const pages = ['', 'form', 'thanks', 'calendar.ics', 'embed.js', 'form.js'];
/** A word that no address has, for one that cannot be read. */
const UNREADABLE = '-';

interface TypedPaths {
  /** Path of `public_url`, for a proxy that does not cut it off. */
  publicPath: string;
  /** Name of a connector that takes bookings, whatever its case; undefined for other text. */
  connectorOf(text: string): string | undefined;
}

/**
 * The address that a person meant who typed or copied one below `/in/`: with other capitals, slashes or blanks, the
 * punctuation of a sentence, `.html`, `&` for `?`, encoded once too often, or with a path that the proxy should have
 * cut off or left. It is answered under the typed one: a redirect to the right one, and a proxy that changes it back,
 * would never end. Undefined for all others.
 */
export function meantAddress(url: string, paths: TypedPaths, method?: string): string | undefined {
  const [, exact] = /^\/in\/([\w-]+)$/.exec(url) ?? [];
  return exact !== undefined && paths.connectorOf(exact) === exact ? url : readTyped(url, paths, method);
}

function readTyped(url: string, { publicPath, connectorOf }: TypedPaths, method = 'GET'): string | undefined {
  const { path: typed, query } = parted(url);
  const own = typed.startsWith(`${publicPath}/`) ? typed.slice(publicPath.length) : typed;
  const raw = own.split('/').filter((word) => plain(decoded(word)) !== '');
  const words = raw.map(decoded);
  const below = words.findLastIndex(
    (word, index) => words[index - 1]?.toLowerCase() === 'in' && connectorOf(word) !== undefined,
  );
  const at = Math.max(below, 0);
  const name = connectorOf(words[at] ?? '');
  const { path: last, query: within } = parted(words[at + 1] ?? '');
  const page = plain(last);
  const isKnown = words.length <= at + 2 && pages.includes(page);
  // A proxy may have cut off `/in` as well.
  const isMeant = below >= 0 || (isKnown && (page !== '' || method === 'POST'));
  if (name === undefined || !isMeant) return undefined;
  const rest = raw.slice(at + 1).map((word) => (decoded(word) === UNREADABLE ? UNREADABLE : word));
  const path = ['', 'in', encodeURIComponent(name), ...(isKnown ? [page].filter(Boolean) : rest)].join('/');
  const all = [isKnown ? within : '', query].filter(Boolean).join('&');
  return all === '' ? path : `${path}?${all}`;
}

/** A fragment is sent by nothing but links that were encoded as a whole. */
function parted(url: string): { path: string; query: string } {
  const [, path = '', query = ''] = /^([^?&#]*)[?&]?([^#]*)/s.exec(url) ?? [];
  return { path, query };
}

/** Without what people and programs that recognize links add. */
const plain = (word: string): string =>
  word
    .replace(/(?<![\s.,;:!)>"'\]’”»])[\s.,;:!)>"'\]’”»]+$/u, '')
    .replace(/\.(?:html?|php|aspx?)$/i, '')
    .toLowerCase();

function decoded(word: string): string {
  try {
    const once = decodeURIComponent(word).trim();
    return /%[\da-f]{2}/i.test(once) ? decodeURIComponent(once).trim() : once;
  } catch {
    return UNREADABLE;
  }
}

/** Links copied out of a page's source have `&amp;` in their query, and others a `?` for each `&`. */
export const readQuery = (url: string): URLSearchParams =>
  new URLSearchParams(
    parted(url)
      .query.replace(/&(?:amp;)+/gi, '&')
      .replace(/\?(?=[\w.]+=)/g, '&'),
  );
