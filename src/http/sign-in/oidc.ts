import type { Configuration, ServerMetadata } from 'openid-client';
import { OIDC_CALLBACK, type OpenIdIssuer } from '../../domain/people.ts';
import type { Role } from '../../domain/role.ts';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { fetchWithin } from '../../platform/network/fetch-once.ts';
import { isLoopback } from '../../platform/network/networks.ts';
import { type AccountClaims, accountName, claimAt, claimValues, isTooMany, roleOf } from './claims.ts';
import { beginFlow, type Flow } from './flow.ts';
import { isClientRefused, providerFailure } from './provider-failure.ts';

/** Whom the provider names. */
export interface Account {
  name: string;
  /** Undefined when none of the values has one. */
  role: Role | undefined;
  /** Of the claim that decides the role. */
  values: readonly string[];
  /** The provider left them out. */
  isTooMany: boolean;
}

export type Oidc = ReturnType<typeof createOidc>;

/** Milliseconds for one call to the provider. */
const CALL_MS = 10 * SECOND;
/** How long what the provider says of itself is believed, and how long that it could not be asked. */
const KNOWN_MS = 5 * MINUTE;
const AGAIN_MS = 5 * SECOND;
/** Seconds by which the two clocks may differ. */
const TOLERANCE_S = 60;

const hosts: Readonly<Record<string, string>> = {
  'accounts.google.com': 'Google',
  'login.microsoftonline.com': 'Microsoft',
};

/** What the button calls the provider. */
const providerName = (issuer: string): string => {
  const { host } = new URL(issuer);
  return hosts[host] ?? host;
};

/** Loaded with the first sign-in. */
const load = () => import('openid-client');

/** Plain HTTP reaches this machine only, whatever the provider’s description says. */
const call = (url: string, init: object): Promise<Response> => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new Failure({ kind: 'refused', message: `The provider names ${hostname} without https.` });
  return fetchWithin(CALL_MS, url, init);
};

interface OidcOptions {
  issuer: OpenIdIssuer;
  /** Whether a name can be shown and stored as it is. */
  isName: (text: string) => boolean;
  clock: Clock;
  log: Log;
}

/**
 * Sign-in through OpenID Connect: code flow with PKCE, state and nonce, and a signature that is checked. Keeps what the
 * provider says of itself, and nothing of any sign-in.
 */
export function createOidc(options: OidcOptions) {
  const { issuer: settings, isName, clock, log } = options;
  const { issuer, clientId, clientSecret, redirectUri, roleClaim } = settings;
  const metadata = cachedDescription(options);
  /** Providers say which places for the secret they support, not which one they want of this client. */
  let place: 'basic' | 'post' = 'basic';

  /** A new one each time has read no keys yet, so that a rotated key is known at once. */
  const configure = async (): Promise<Configuration> => {
    const [client, described] = await Promise.all([load(), metadata()]);
    const times = {
      [client.clockSkew]: Math.round((clock.now() - Date.now()) / 1_000),
      [client.clockTolerance]: TOLERANCE_S,
    };
    const secret = place === 'basic' ? client.ClientSecretBasic : client.ClientSecretPost;
    const configuration = new client.Configuration(described, clientId, times, secret(clientSecret));
    configuration[client.customFetch] = call;
    configuration.timeout = CALL_MS / 1_000;
    if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  };

  const redeem = async (answer: URL, { state, nonce, verifier }: Flow) => {
    const client = await load();
    const redeemed = async () => {
      const configuration = await configure();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      return {
        configuration,
        tokens: await client.authorizationCodeGrant(configuration, answer, {
          ...checks,
          idTokenExpected: true,
        }),
      };
    };
    try {
      return await redeemed();
    } catch (error) {
      if (!isClientRefused(error)) throw error;
      place = place === 'basic' ? 'post' : 'basic';
      return await redeemed();
    }
  };

  /** Some providers put groups and names into the ID token, others only into what the userinfo endpoint answers. */
  const claimsOf = async ({
    configuration,
    tokens,
  }: Awaited<ReturnType<typeof redeem>>): Promise<AccountClaims> => {
    const own: AccountClaims = tokens.claims() ?? {};
    const isWhole = claimAt(own, roleClaim) !== undefined && own.preferred_username !== undefined;
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return own;
    const { fetchUserInfo } = await load();
    const more = await fetchUserInfo(configuration, tokens.access_token, String(own.sub));
    return { ...more, ...own };
  };

  return {
    name: providerName(issuer),
    /** What decides the role, for people who have none. */
    claim: roleClaim,
    /** Where a sign-in begins: at the public address, to which the provider sends people back. */
    startAddress: (next: string): string =>
      `${redirectUri.replace(/\/callback$/, '')}?next=${encodeURIComponent(next)}`,
    /** A page of ours at the public address. */
    addressOf: (path: string): string => redirectUri.replace(OIDC_CALLBACK, path),
    /** Resolves when it can be asked. Throws `Failure`. */
    async ready(): Promise<void> {
      await metadata();
    },
    /** Where the browser goes to. Throws `Failure`. */
    async begin(key: string, next: string): Promise<URL> {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load();
      const { state, nonce, verifier } = beginFlow(key, next, clock.now());
      const configuration = await configure();
      return buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, response_type: 'code', state, nonce },
        scope: scopesOf(configuration.serverMetadata(), roleClaim).join(' '),
        ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
    },
    /** Whom the provider's answer names. Throws `Failure`. */
    async finish(flow: Flow, query: URLSearchParams): Promise<Account> {
      try {
        const claims = await claimsOf(await redeem(new URL(`?${query}`, redirectUri), flow));
        const name = accountName(claims, isName);
        if (name === undefined) throw noName(issuer);
        const values = claimValues(claims, roleClaim);
        const isMissing = values.length === 0 && isTooMany(claims, roleClaim);
        return { name, role: roleOf(values, settings.roles), values, isTooMany: isMissing };
      } catch (error) {
        const failure = providerFailure(error, issuer);
        log.warn('a sign-in failed', { problem: failure.message, hint: failure.hint ?? '' });
        throw failure;
      }
    },
  };
}

/** What the provider says of itself, asked for at most every five minutes. The function throws `Failure`. */
function cachedDescription({ issuer: settings, clock, log }: OidcOptions): () => Promise<ServerMetadata> {
  const { issuer } = settings;
  let known: { at: number; metadata: ServerMetadata } | undefined;
  let failed: { at: number; failure: Failure } | undefined;
  let asking: Promise<ServerMetadata> | undefined;
  const isRecent = (one: { at: number } | undefined, ms: number) =>
    one !== undefined && clock.monotonic() - one.at < ms;

  const discover = async (): Promise<ServerMetadata> => {
    try {
      const metadata = await describeProvider(settings);
      known = { at: clock.monotonic(), metadata };
      failed = undefined;
      return metadata;
    } catch (error) {
      const failure = providerFailure(error, issuer);
      const { message, hint = '' } = failure;
      if (failed?.failure.message !== message)
        log.warn('nobody can sign in there', { problem: message, hint });
      failed = { at: clock.monotonic(), failure };
      // Better than nothing: it rarely changes.
      if (known !== undefined) return known.metadata;
      throw failure;
    }
  };

  return async () => {
    if (known !== undefined && isRecent(known, KNOWN_MS)) return known.metadata;
    if (failed !== undefined && isRecent(failed, AGAIN_MS)) {
      if (known !== undefined) return known.metadata;
      throw failed.failure;
    }
    asking ??= discover().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

const noName = (issuer: string) =>
  new Failure({
    kind: 'refused',
    message: `${new URL(issuer).host} names the account in no way that can be shown.`,
    hint: 'It must send preferred_username, email or sub in one printable line of up to 60 characters.',
  });

/** What the provider says of itself. Throws the library's error. */
export async function describeProvider({
  issuer,
  clientId,
}: Pick<OpenIdIssuer, 'issuer' | 'clientId'>): Promise<ServerMetadata> {
  const client = await load();
  const configuration = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
    [client.customFetch]: call,
    timeout: CALL_MS / 1_000,
    ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
  });
  const described: ServerMetadata = JSON.parse(JSON.stringify(configuration.serverMetadata()));
  const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).find(
    (one) => described[one] === undefined,
  );
  if (missing === undefined) return described;
  const message = `${new URL(issuer).host} does not say its ${missing}.`;
  throw new Failure({
    kind: 'refused',
    message,
    hint: 'Use an issuer of OpenID Connect with the code flow.',
  });
}

/** Providers refuse a sign-in for a scope that they do not know, and some send groups only for the scope `groups`. */
function scopesOf({ scopes_supported: supported }: ServerMetadata, roleClaim: string): string[] {
  const wanted = ['profile', 'email', ...(supported?.includes(roleClaim) ? [roleClaim] : [])];
  return ['openid', ...new Set(wanted.filter((scope) => supported?.includes(scope) ?? true))];
}
