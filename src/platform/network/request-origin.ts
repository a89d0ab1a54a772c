/** Header values by lower-case name, as Node and connectors have them. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Who made the browser send a request: a page of this very address, one of the same host at another port, a page that
 * does not say, or another site's.
 */
type RequestOrigin = 'same' | 'same_host' | 'unsaid' | 'other';

/**
 * Judges the headers that browsers set and scripts cannot. `unsaid`: no Origin, or `null`, as from sandboxed frames and
 * under `Referrer-Policy: no-referrer`. Only hosts are compared, because behind a proxy the scheme differs.
 */
export function requestOrigin(headers: Headers, publicHost?: string): RequestOrigin {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin' || site === 'none') return 'same';
  const from = typeof origin === 'string' ? hostOf(URL.parse(origin)?.host ?? '') : undefined;
  if (from === undefined) return site === undefined || origin !== undefined ? 'unsaid' : 'other';
  const near = ownHosts(headers, publicHost).filter(({ name }) => name === from.name);
  if (near.length === 0) return 'other';
  const isSame = near.some(({ port }) => port === '' || from.port === '' || port === from.port);
  return isSame && site === undefined ? 'same' : 'same_host';
}

/** Whether an address is on a host by which visitors reach this server. */
export const isOwnHost = (headers: Headers, { host }: URL, publicHost?: string): boolean =>
  ownHosts(headers, publicHost).some(({ name }) => name === hostOf(host)?.name);

interface Host {
  name: string;
  /** Empty for a default port. */
  port: string;
}

/** All names that the request, the proxies and the configuration have for this server. */
function ownHosts(headers: Headers, publicHost: string | undefined): Host[] {
  const forwarded = [
    ...listed(headers.forwarded)
      .join(';')
      .matchAll(/(?:^|[;,\s])host="?([^";,\s]+)/gi),
  ];
  const texts = [
    publicHost,
    ...listed(headers.host),
    ...listed(headers['x-forwarded-host']),
    ...forwarded.map(([, host]) => host),
  ];
  return texts.flatMap((text = '') => hostOf(text) ?? []);
}

const listed = (value: string | string[] | undefined): string[] =>
  [value ?? []].flat().flatMap((text) => text.split(','));

/** As `URL` writes it: lower case, IDN in ASCII. The schemes' default ports mean the same behind a proxy. */
function hostOf(text: string): Host | undefined {
  const url = URL.parse(`http://${text.trim()}`);
  if (url === null || url.hostname === '') return undefined;
  return { name: url.hostname.replace(/\.$/, ''), port: url.port === '443' ? '' : url.port };
}
