import { z } from 'zod';
import { secretFile, textSetting, webAddress } from '../domain/clinics/setting.ts';
import { OIDC_CALLBACK, type OpenIdIssuer } from '../domain/people.ts';
import { roles } from '../domain/role.ts';
import { isLoopback } from '../platform/network/networks.ts';
import type { ReadSecret, Report } from './secrets.ts';

export const RoleName = z
  .enum(roles)
  .describe('viewer reads figures, desk decides about bookings, admin does all.');

export const OidcSetting = z
  .strictObject({
    issuer: webAddress()
      .refine((address) => {
        const { protocol, hostname = '' } = URL.parse(address) ?? {};
        return protocol === 'https:' || isLoopback(hostname);
      }, 'must begin with https, except on this machine')
      .refine(
        (address) =>
          !/^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\//.test(address),
        'must name your tenant: anybody’s administrator decides who has which role otherwise',
      )
      .describe('As the provider spells it, with or without a slash at the end.'),
    client_id: textSetting.describe('From the provider.'),
    client_secret: z.string().optional().describe('From the provider.'),
    client_secret_file: secretFile('client secret'),
    role_claim: textSetting
      .default('groups')
      .describe(
        'The claim of the ID token, or else of the userinfo endpoint, that decides the role; within others: ' +
          '`realm_access.roles`. `email` counts only if the provider verified the address.',
      ),
    roles: z
      .record(textSetting, RoleName)
      .refine((given) => Object.keys(given).length > 0, 'must name at least one value')
      .describe(
        'A role for each value of the claim; the highest counts. People without one are not signed in.',
      ),
  })
  .describe(
    'Signs people in through OpenID Connect, beside tokens. Register the redirect URI ' +
      '`public_url` + `/admin/sign-in/oidc/callback` with the provider.',
  );

/** The settings with the secret resolved. Reports what keeps people from signing in. */
export function oidcConfig(
  given: z.infer<typeof OidcSetting> | undefined,
  publicUrl: URL | undefined,
  read: ReadSecret,
  report: Report,
): OpenIdIssuer | undefined {
  if (given === undefined) return undefined;
  const path = ['http', 'oidc'];
  const clientSecret = read([...path, 'client_secret'], given.client_secret, given.client_secret_file);
  if (publicUrl === undefined)
    report(path, 'needs http.public_url, to which the provider sends people back', 'Set http.public_url.');
  return {
    issuer: given.issuer,
    clientId: given.client_id,
    clientSecret,
    roleClaim: given.role_claim,
    roles: given.roles,
    redirectUri: `${publicUrl?.href.replace(/\/$/, '') ?? ''}${OIDC_CALLBACK}`,
  };
}
