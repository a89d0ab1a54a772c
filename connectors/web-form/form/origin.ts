import type { IntakeRefusal, IntakeRequest } from '../../../src/connector.ts';

/**
 * Refuses a form of a website that is not on the list. Browsers send Origin with every POST and no page can change it.
 * The form that is served here has our own host as its origin; behind a proxy only the host is comparable.
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
