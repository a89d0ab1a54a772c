import { createVerify, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Clock } from '../../src/platform/clock.ts';
import { createSignIns, type OAuthClient, refusedGrant, SCOPE } from './sign-ins.ts';

/** The key file of a service account. */
interface ServiceAccountKey {
  type: 'service_account';
  project_id: string;
  private_key_id: string;
  private_key: string;
  client_email: string;
  client_id: string;
  token_uri: string;
}

export interface TokenIssuer {
  /** Creates an account with its own key. */
  createAccount(name: string): ServiceAccountKey;
  /** Deletes the key, as in the console. */
  revokeKey(email: string): void;
  /** What a machine at Google gets for its own identity, without a key. */
  issue(email: string): Record<string, unknown>;
  /** Creates an OAuth client of the type Desktop app, as the console does. */
  createClient(): OAuthClient;
  /** The user grants what was asked; returns where the browser goes next. Throws a RangeError. */
  authorize(query: URLSearchParams, person: string, granted?: string): URL;
  /** The user revokes every sign-in. */
  revokeSignIns(): void;
  /** Body of the token request → status and answer. */
  grant(form: URLSearchParams): { status: number; body: unknown };
  /** The owner of a token; undefined if it is invalid or has expired. */
  whose(token: string): string | undefined;
  /** Whether the sign-in requested more than spreadsheets. */
  mayReadDrive(token: string): boolean;
  /** Ends every granted token. */
  forget(): void;
}

const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.metadata.readonly';
const LIFETIME_S = 3_600;
const LEEWAY_S = 300;
const ofPeople = ['authorization_code', 'refresh_token'];
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The token endpoint for service accounts (RFC 7523), with Google's error messages. */
export function createTokenIssuer({
  clock,
  tokenUrl,
}: {
  clock: Clock;
  tokenUrl: () => string;
}): TokenIssuer {
  const keys = new Map<string, KeyObject | 'revoked'>();
  const tokens = new Map<string, { email: string; endsAt: number; scopes: readonly string[] }>();
  const seconds = () => clock.now() / 1_000;
  const newToken = (email: string, scopes: readonly string[] = [SCOPE]) => {
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    tokens.set(token, { email, endsAt: seconds() + LIFETIME_S, scopes });
    return { access_token: token, expires_in: LIFETIME_S - 1, token_type: 'Bearer' };
  };
  const people = createSignIns({ tokenUrl, newToken });
  function grantToAccount(form: URLSearchParams) {
    const claims = verified(form.get('assertion') ?? '', keys);
    if (typeof claims === 'string') return refusedGrant(claims);
    const { iss, aud, scope } = claims;
    if (aud !== 'https://oauth2.googleapis.com/token' && aud !== tokenUrl())
      return refusedGrant('Invalid JWT: Failed audience check.');
    const now = seconds();
    if (!isTimely(claims, now))
      return refusedGrant(
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable ' +
          'timeframe. Check your iat and exp values in the JWT claim.',
      );
    const scopes = String(scope ?? '').split(' ');
    if (!scopes.includes(SCOPE)) return refusedGrant('Invalid OAuth scope', 'invalid_scope');
    return { status: 200, body: newToken(String(iss), scopes) };
  }

  return {
    createAccount(name) {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const email = `${name}@sandbox.iam.gserviceaccount.com`;
      keys.set(email, publicKey);
      return {
        type: 'service_account',
        project_id: 'sandbox',
        private_key_id: randomBytes(8).toString('hex'),
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        client_email: email,
        client_id: '100000000000000000001',
        token_uri: tokenUrl(),
      };
    },
    revokeKey: (email) => void keys.set(email, 'revoked'),
    issue: (email) => newToken(email),
    ...people,
    grant(form) {
      const grantType = form.get('grant_type') ?? '';
      if (ofPeople.includes(grantType)) return people.grant(form);
      return grantType === GRANT
        ? grantToAccount(form)
        : refusedGrant('Invalid grant_type', 'unsupported_grant_type');
    },
    whose(token) {
      const found = tokens.get(token);
      return found && found.endsAt > seconds() ? found.email : undefined;
    },
    mayReadDrive: (token) => tokens.get(token)?.scopes.includes(DRIVE_SCOPE) === true,
    forget: () => tokens.clear(),
  };
}

/** The claims of a signed assertion, or the refusal. */
function verified(
  assertion: string,
  keys: ReadonlyMap<string, KeyObject | 'revoked'>,
): Record<string, unknown> | string {
  const [header = '', payload = '', signature = '', ...more] = assertion.split('.');
  const head = decoded(header);
  const claims = decoded(payload);
  if (!head || !claims || more.length > 0) return 'Bad Request';
  const key = keys.get(String(claims.iss));
  if (key === undefined) return 'Invalid grant: account not found';
  if (head.alg !== 'RS256' || key === 'revoked') return 'Invalid JWT Signature.';
  const verify = createVerify('RSA-SHA256').update(`${header}.${payload}`);
  return verify.verify(key, signature, 'base64url') ? claims : 'Invalid JWT Signature.';
}

function isTimely({ iat, exp }: Record<string, unknown>, now: number): boolean {
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  const isShort = exp - iat <= LIFETIME_S && exp > iat;
  return isShort && iat <= now + LEEWAY_S && exp >= now - LEEWAY_S;
}

function decoded(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
