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
  const own = [headers.host, headers['x-forwarded-host']?.split(',')[0]?.trim()];
  if (
    origin !== null &&
    (own.includes(origin.host) || allowed.some((site) => URL.parse(site)?.origin === origin.origin))
  )
    return undefined;
  return {
    kind: 'refused',
    status: 403,
    message: 'This form may not be sent from here',
    hint: 'Add the website to `origins` of this connector, as https://www.clinic.example.',
  };
}
