import { isObject, type Json, type JsonObject } from '../platform/json.ts';

/** The names that frameworks give them, without case and underscores. */
const LAST_PAGE = ['lastpage', 'totalpages', 'pagecount', 'pages', 'numpages'];
const PAGE = ['currentpage', 'page', 'pagenumber'];
const TOTAL = ['total', 'totalcount', 'totalitems', 'totalrecords', 'totalrows', 'recordstotal', 'count'];
const NEXT = [
  ...['next', 'nextpage', 'nextpageurl', 'nexturl', 'nextlink', 'nextcursor'],
  ...['nextpagetoken', 'nexttoken', 'continuationtoken'],
];
const MORE = ['hasmore', 'hasmorepages', 'hasnext', 'hasnextpage', 'morepages', 'istruncated'];
/** Objects beside the list that describe it. */
const ABOUT = ['meta', 'links', 'pagination', 'paging', 'pageinfo', 'cursor'];

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^@?odata\./, '')
    .replaceAll(/[_-]/g, '');

/** What headers say of pages: those of WordPress, GitLab and others, `Link`, and `Content-Range` of PostgREST. */
export function pagesIn(headers: Readonly<Record<string, unknown>>): JsonObject | undefined {
  const said: JsonObject = {};
  for (const [name, value] of Object.entries(headers)) {
    const [, fact = ''] = /^x-(?:wp-|pagination-)?(.+)$/.exec(name) ?? [];
    const isOfPages = fact !== 'count' && [...LAST_PAGE, ...PAGE, ...TOTAL, ...NEXT].includes(plain(fact));
    if (isOfPages && typeof value === 'string') said[fact] = /^\d+$/.test(value) ? Number(value) : value;
  }
  if (/;\s*rel="?next\b/i.test(String(headers.link ?? ''))) said.next = 'Link';
  const [, total] = /\d\/(\d+)$/.exec(String(headers['content-range'] ?? '')) ?? [];
  if (total !== undefined) said.total = Number(total);
  return Object.keys(said).length === 0 ? undefined : said;
}

/**
 * In what words an answer, or what its headers say, calls its list a part; undefined where it says nothing of the kind.
 */
export function partOf(answer: Json, rows: number, pages: JsonObject = {}): string | undefined {
  const said = new Map([...factsOf(pages), ...factsOf(answer)]);
  const number = (names: readonly string[]) => {
    const value = names.map((name) => said.get(name)).find((one) => one !== undefined);
    const given = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return typeof given === 'number' && Number.isSafeInteger(given) ? given : undefined;
  };
  const [last, total] = [number(LAST_PAGE), number(TOTAL)];
  const counted = total === undefined ? '' : ` (${rows} of ${total})`;
  if (last !== undefined && last > 1) return `the answer is page ${number(PAGE) ?? 1} of ${last}${counted}`;
  if (total !== undefined && total > rows) return `the answer has ${rows} of ${total} rows`;
  const isMore = MORE.some((name) => [true, 'true', 1].includes(said.get(name) as boolean));
  const hasNext = NEXT.some((name) => {
    const value = said.get(name);
    return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 1);
  });
  return isMore || hasNext ? 'the answer is one page of several' : undefined;
}

/** What stands beside the list, one or two levels deep. */
function factsOf(answer: Json): ReadonlyMap<string, Json> {
  const facts = new Map<string, Json>();
  const collect = (from: JsonObject, depth: number) => {
    for (const [name, value] of Object.entries(from)) {
      const key = plain(name);
      if (isObject(value) && NEXT.includes(key) && typeof value.href === 'string') facts.set(key, value.href);
      else if (isObject(value) && ABOUT.includes(key) && depth < 3) collect(value, depth + 1);
      else if (value !== null && typeof value !== 'object') facts.set(key, value);
    }
  };
  if (isObject(answer)) collect(answer, 0);
  return facts;
}
