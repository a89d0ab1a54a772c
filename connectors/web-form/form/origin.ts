import type { IntakeRefusal, IntakeRequest } from '../../../src/connector.ts';

/**
 * Refuses a form from a website that is not listed. Browsers send Origin with every POST, and pages cannot change it.
 * For our own form only the host is compared, because behind a proxy the scheme differs.
 */
export function originFault(
  { headers }: Pick<IntakeRequest, 'headers'>,
  allowed: readonly string[],
): IntakeRefusal | undefined {
  const origin = URL.parse(headers.origin ?? '');
  if (origin !== null && (ownHosts(headers).includes(origin.host) || isListed(allowed, origin)))
    return undefined;
  return {
    kind: 'refused',
    status: 403,
    message: 'This form may not be sent from here',
    hint: 'Add the website to `origins` of this connector, as https://www.clinic.example.',
  };
}

export const ownHosts = ({ host, 'x-forwarded-host': forwarded }: IntakeRequest['headers']) => [
  host,
  forwarded?.split(',')[0]?.trim(),
];

export const isListed = (allowed: readonly string[], { origin }: URL): boolean =>
  allowed.some((site) => URL.parse(site)?.origin === origin);
