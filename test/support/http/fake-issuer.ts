import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown>;

/** How providers differ, and how they fail. */
export interface IssuerWays {
  /** Where groups and names are: Entra has them in the ID token alone, Authelia in what userinfo answers alone. */
  claimsIn: 'id_token' | 'userinfo';
  /** The only place for the secret that it accepts, though it says that it knows both. */
  secretIn: 'basic' | 'post';
  scopes: readonly string[] | undefined;
  /** Of the ID token. */
  overwritten: Claims;
  signedBy: 'its key' | 'another key' | 'HS256';
  /** Its clock minus ours. */
  skewMs: number;
  isDown: boolean;
  /** Takes connections and says nothing. */
  isSilent: boolean;
  /** How it calls itself, if otherwise than its address. */
  calledAs: string | undefined;
  /** Whether a code works more than once; none may. */
  forgetsCodes: boolean;
}

export interface FakeIssuer extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly ways: IssuerWays;
  /** The account that signs in; `sub` must be there. */
  account: Claims;
  /** Paths that were asked, in order. */
  readonly asked: string[];
  /** Signs with another key from now on, and publishes that one only. */
  rotate(): void;
}

interface SigningKey {
  kid: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

interface Issued {
  redirectUri: string;
  challenge: string;
  nonce: string;
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Made once, because each takes a tenth of a second: the first key, the next and a stranger's. */
const [firstKey, nextKey, stranger] = ['first', 'next', 'first'].map((kid) => ({
  kid,
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
})) as [SigningKey, SigningKey, SigningKey];
const jwk = ({ kid, publicKey }: SigningKey) => ({
  ...publicKey.export({ format: 'jwk' }),
  ...{ kid, use: 'sig', alg: 'RS256' },
});

/** A provider of OpenID Connect over real HTTP that signs one account in at once, and keeps the rules that clients break. */
export async function startFakeIssuer({ now = Date.now, path = '/realms/clinic' } = {}): Promise<FakeIssuer> {
  const codes = new Map<string, Issued>();
  const ways: IssuerWays = {
    ...{ claimsIn: 'id_token', secretIn: 'basic', overwritten: {}, signedBy: 'its key', skewMs: 0 },
    ...{ isDown: false, isSilent: false, calledAs: undefined, forgetsCodes: false },
    scopes: ['openid', 'profile', 'email', 'groups'],
  };
  let key = firstKey;
  const asked: string[] = [];

  const server = createServer(async (request, response) => {
    if (ways.isDown) return void request.socket.destroy();
    if (ways.isSilent) return;
    const url = new URL(request.url ?? '', issuer);
    asked.push(url.pathname.slice(path.length));
    const answer = await routes[url.pathname.slice(path.length)]?.(url, request);
    if (answer === undefined) return void response.writeHead(404).end();
    send(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const issuer = base;

  const idToken = (nonce: string, account: Claims): string => {
    const at = Math.floor((now() + ways.skewMs) / 1_000);
    const { sub } = account;
    const claims = {
      ...{ iss: ways.calledAs ?? issuer, aud: fake.clientId, iat: at, exp: at + 300, nonce, sub },
      ...(ways.claimsIn === 'id_token' && account),
      ...ways.overwritten,
    };
    const alg = ways.signedBy === 'HS256' ? 'HS256' : 'RS256';
    const body = `${base64({ alg, typ: 'JWT', kid: key.kid })}.${base64(claims)}`;
    const { privateKey } = ways.signedBy === 'another key' ? stranger : key;
    return `${body}.${sign('RSA-SHA256', Buffer.from(body), privateKey).toString('base64url')}`;
  };

  const authorize = (url: URL): Answer => {
    const given = Object.fromEntries(url.searchParams);
    const { redirect_uri: redirectUri = '', state = '', nonce = '', code_challenge: challenge = '' } = given;
    const isWhole = given.client_id === fake.clientId && given.code_challenge_method === 'S256';
    if (!isWhole || given.response_type !== 'code')
      return { status: 400, body: { error: 'invalid_request' } };
    const back = new URL(redirectUri);
    back.searchParams.set('state', state);
    const unknown = (given.scope ?? '').split(' ').some((scope) => !(ways.scopes?.includes(scope) ?? true));
    if (unknown) back.searchParams.set('error', 'invalid_scope');
    else {
      const code = randomUUID();
      codes.set(code, { redirectUri, challenge, nonce });
      back.searchParams.set('code', code);
    }
    return { status: 302, location: back.href };
  };

  const token = async (_url: URL, request: IncomingMessage): Promise<Answer> => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const isKnown =
      ways.secretIn === 'basic'
        ? basicOf(request) === `${fake.clientId}:${fake.clientSecret}`
        : form.client_secret === fake.clientSecret;
    if (!isKnown) return { status: 401, body: { error: 'invalid_client' } };
    const code = codes.get(form.code ?? '');
    if (!ways.forgetsCodes) codes.delete(form.code ?? '');
    const hashed = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    if (code === undefined || code.challenge !== hashed || code.redirectUri !== form.redirect_uri)
      return { status: 400, body: { error: 'invalid_grant' } };
    const body = {
      access_token: 'access',
      token_type: 'Bearer',
      id_token: idToken(code.nonce, fake.account),
    };
    return { status: 200, body };
  };

  const describe = (): Answer => ({
    status: 200,
    body: {
      ...{ issuer: ways.calledAs ?? issuer, response_types_supported: ['code'] },
      authorization_endpoint: `${base}/authorize`,
      ...{ token_endpoint: `${base}/token`, jwks_uri: `${base}/keys`, userinfo_endpoint: `${base}/userinfo` },
      id_token_signing_alg_values_supported: ['RS256', 'HS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      ...(ways.scopes && { scopes_supported: ways.scopes }),
    },
  });

  const routes: Record<string, (url: URL, request: IncomingMessage) => Answer | Promise<Answer>> = {
    '/.well-known/openid-configuration': describe,
    '/authorize': authorize,
    '/token': token,
    '/keys': () => ({ status: 200, body: { keys: [jwk(key)] } }),
    '/userinfo': (_url, { headers }) =>
      headers.authorization === 'Bearer access'
        ? { status: 200, body: ways.claimsIn === 'userinfo' ? fake.account : { sub: fake.account.sub } }
        : { status: 401, body: {} },
  };

  const fake: FakeIssuer = {
    ...{ issuer, clientId: 'clinic-sync', clientSecret: 'a-secret-of-the-client', ways, asked },
    account: { sub: '7f3a', preferred_username: 'rima', groups: ['front-desk'] },
    rotate() {
      key = nextKey;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

type Answer = { status: number; body?: object; location?: string };

const send = (response: ServerResponse, { status, body, location }: Answer) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
    .end(body === undefined ? '' : JSON.stringify(body));

/** Both parts are form-encoded within (RFC 6749, 2.3.1). */
const basicOf = ({ headers: { authorization = '' } }: IncomingMessage): string =>
  decodeURIComponent(Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString());
