import { type CheckLine, fail, ok } from '../connector.ts';
import type { OpenIdIssuer } from '../domain/people.ts';
import { describeProvider } from './sign-in/oidc.ts';
import { providerFailure } from './sign-in/provider-failure.ts';

/** For `doctor`: whether the provider can be asked, and what has to be registered there. */
export async function checkIssuer(settings: OpenIdIssuer): Promise<CheckLine[]> {
  const { issuer, redirectUri } = settings;
  try {
    const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } =
      await describeProvider(settings);
    const works = ok(`${issuer} answers; there, the redirect URI must be ${redirectUri}`);
    if (algorithms.some((one) => !one.startsWith('HS'))) return [works];
    const what = `it signs with ${algorithms.join(', ')}, which cannot be checked`;
    return [
      works,
      fail({ message: what, hint: 'Choose a signing key for the client there: RS256 or ES256.' }),
    ];
  } catch (error) {
    return [fail(providerFailure(error, issuer))];
  }
}
