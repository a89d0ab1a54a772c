import type { IntakeRequest } from '../../../src/connector.ts';
import { isOwnHost, requestOrigin } from '../../../src/platform/network/request-origin.ts';

type Sent = Pick<IntakeRequest, 'headers'> & { publicHost?: string | undefined };

/**
 * The website that a submission came from, if it is neither ours nor listed; empty when it does not say its name. Only
 * a reason to ask once: proxies and browsers rewrite the headers, and our form's own pass is the proof.
 */
export function otherSite(
  { headers, publicHost }: Sent,
  name: string,
  { listed, isFetched }: { listed: readonly string[]; isFetched: boolean },
): string | undefined {
  const from = URL.parse(headers.origin ?? '') ?? URL.parse(headers.referer ?? '');
  if (from === null) {
    // A frame without an origin does not say it, either, but a window asked for its form.
    const isElsewhere =
      requestOrigin(headers, publicHost) !== 'same' && headers['sec-fetch-site'] !== undefined;
    return isElsewhere && isFetched ? '' : undefined;
  }
  const { origin } = from;
  if (isListed(listed, from) || isOurPage({ headers }, name, from)) return undefined;
  return requestOrigin({ ...headers, origin }, publicHost) === 'other' ? origin : undefined;
}

/**
 * Whether our own page sent it, although the proxy in front did not pass on the host that the visitor sees: our pages
 * give their whole address to their own origin, other sites at most their origin to ours.
 */
function isOurPage({ headers }: Sent, name: string, origin: URL): boolean {
  const page = URL.parse(headers.referer ?? '');
  const isClaimed = page?.origin === origin.origin && isFormPath(page, name);
  return headers['sec-fetch-site'] === undefined && isClaimed;
}

/** The host in the visitor's browser, where the proxy in front passes on another one. */
export function unknownHost(
  sent: Sent,
  name: string,
  listed: readonly string[],
): { page: string; host: string } | undefined {
  const { headers, publicHost } = sent;
  const origin = URL.parse(headers.origin ?? '');
  if (origin === null || isListed(listed, origin) || isOwnHost(headers, origin, publicHost)) return undefined;
  const isOurs = headers['sec-fetch-site'] === 'same-origin' || isOurPage(sent, name, origin);
  return isOurs ? { page: origin.host, host: headers.host?.replace(/[^\w.:[\]-]/g, '') ?? '' } : undefined;
}

/** Whether the form is shown on this host: by its public address, or else by the request; or in a listed website. */
export function isFormHost({ headers, publicHost }: Sent, host: string, listed: readonly string[]): boolean {
  const url = URL.parse(`https://${host}`);
  if (url === null) return false;
  const sites = publicHost === undefined ? listed : [...listed, `https://${publicHost}`];
  if (sites.some((site) => URL.parse(site)?.hostname === url.hostname)) return true;
  // A program can claim any name in its headers, so these count only where nothing better is known.
  const isClaimed = isOwnHost(headers, url) || URL.parse(headers.origin ?? '')?.hostname === url.hostname;
  return publicHost === undefined && isClaimed;
}

const isFormPath = ({ pathname }: URL, name: string): boolean =>
  /[^/]\/([^/]+)(?:\/form)?\/?$/i.exec(pathname)?.[1]?.toLowerCase() === name.toLowerCase();

export const isListed = (listed: readonly string[], { origin }: URL): boolean =>
  listed.some((site) => URL.parse(site)?.origin === origin);
