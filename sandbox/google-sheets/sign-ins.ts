import { hash, randomBytes } from 'node:crypto';

export const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';

export const refusedGrant = (description: string, error = 'invalid_grant') => ({
  status: 400,
  body: { error, error_description: description },
});

export interface OAuthClient {
  installed: { client_id: string; client_secret: string; auth_uri: string; token_uri: string };
}

interface SignInParts {
  tokenUrl: () => string;
  newToken: (email: string) => object;
}

interface Allowed {
  person: string;
  scope: string;
  challenge: string;
  redirect: string;
}

const random = (prefix: string) => prefix + randomBytes(18).toString('base64url');

/** User sign-ins (RFC 6749 with PKCE, RFC 7636), as Google grants them to desktop apps. */
export function createSignIns({ tokenUrl, newToken }: SignInParts) {
  const clients = new Map<string, string>();
  const codes = new Map<string, Allowed>();
  const refreshTokens = new Map<string, string>();

  return {
    createClient(): OAuthClient {
      const [client_id, client_secret] = [`${random('')}.apps.googleusercontent.com`, random('GOCSPX-')];
      clients.set(client_id, client_secret);
      const auth_uri = tokenUrl().replace(/token$/, 'auth');
      return { installed: { client_id, client_secret, auth_uri, token_uri: tokenUrl() } };
    },
    authorize(query: URLSearchParams, person: string, granted?: string): URL {
      const get = (name: string) => query.get(name) ?? '';
      const redirect = new URL(get('redirect_uri'));
      const isAsked =
        clients.has(get('client_id')) &&
        get('response_type') === 'code' &&
        get('access_type') === 'offline' &&
        get('code_challenge_method') === 'S256' &&
        redirect.hostname === '127.0.0.1';
      if (!isAsked) throw new RangeError('Error 400: invalid_request');
      const code = random('4/0');
      const scope = granted ?? get('scope');
      codes.set(code, { person, scope, challenge: get('code_challenge'), redirect: get('redirect_uri') });
      redirect.search = new URLSearchParams({ state: get('state'), code, scope }).toString();
      return redirect;
    },
    revokeSignIns: () => refreshTokens.clear(),
    grant(form: URLSearchParams) {
      const get = (name: string) => form.get(name) ?? '';
      if (clients.get(get('client_id')) !== get('client_secret'))
        return {
          status: 401,
          body: { error: 'invalid_client', error_description: 'The OAuth client was not found.' },
        };
      if (get('grant_type') === 'refresh_token') {
        const person = refreshTokens.get(get('refresh_token'));
        if (person === undefined) return refusedGrant('Token has been expired or revoked.');
        return { status: 200, body: { ...newToken(person), scope: SCOPE } };
      }
      const allowed = codes.get(get('code'));
      codes.delete(get('code'));
      if (
        allowed?.redirect !== get('redirect_uri') ||
        allowed.challenge !== hash('sha256', get('code_verifier'), 'base64url')
      )
        return refusedGrant('Malformed auth code.');
      const refresh_token = random('1//');
      refreshTokens.set(refresh_token, allowed.person);
      return { status: 200, body: { ...newToken(allowed.person), refresh_token, scope: allowed.scope } };
    },
  };
}
