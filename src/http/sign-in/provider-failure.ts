import { codeOf, Failure } from '../../platform/failure.ts';
import { networkFault, unreachableFailure } from '../../platform/network/unreachable.ts';
import { printable } from '../../platform/text/printable.ts';

interface ProviderError extends Error {
  /** Of an answer that is an error: `invalid_client`. */
  error?: unknown;
  status?: unknown;
}

type Words = readonly [codes: RegExp, message: string, hint: string];

/** By the library's code, followed by the claim or the word of OAuth that tells more. */
const words: readonly Words[] = [
  [
    /^OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED/,
    'spells its issuer in another way',
    'Set http.oidc.issuer to exactly that.',
  ],
  [
    /^OAUTH_RESPONSE_IS_NOT_(CONFORM|JSON)|^OAUTH_(PARSE_ERROR|INVALID_RESPONSE)$/,
    'does not answer as a provider of OpenID Connect',
    'Set http.oidc.issuer to the address before /.well-known/openid-configuration.',
  ],
  [
    /invalid_client|unauthorized_client|^OAUTH_WWW_AUTHENTICATE/,
    'does not accept the client',
    'Check http.oidc.client_id and client_secret; secrets expire at some providers.',
  ],
  [/invalid_grant/, 'does not accept the code a second time, or so late', 'Sign in again.'],
  [/invalid_scope/, 'refuses a scope', 'Allow the client the scopes openid, profile and email.'],
  [/^OAUTH_AUTHORIZATION_RESPONSE/, 'ended the sign-in', 'Sign in again; if it goes on, see its own log.'],
  [
    /COMPARISON_FAILED (aud|azp)/,
    'issued the ID token for another client',
    'Check http.oidc.client_id; the token must name it as its audience.',
  ],
  [/COMPARISON_FAILED nonce/, 'answered another sign-in', 'Sign in again.'],
  [/COMPARISON_FAILED iss/, 'names another issuer in the ID token', 'Check http.oidc.issuer.'],
  [
    /^OAUTH_JWT_TIMESTAMP/,
    'issued an ID token that is not valid now',
    'Set the clocks of both machines (NTP); they may differ by a minute.',
  ],
  [
    /^OAUTH_UNSUPPORTED_OPERATION/,
    'signs in a way that cannot be checked',
    'Choose a signing key for the client there: RS256 or ES256, not HS256.',
  ],
  [/^OAUTH_(KEY_SELECTION|MISSING_SERVER)/, 'does not publish the key that it signs with', 'Sign in again.'],
  [/^OAUTH_TIMEOUT/, 'did not answer in time', 'Try again.'],
];

/** Whether the provider refused our credentials; it may want them in another place. */
export const isClientRefused = (error: unknown): boolean =>
  /invalid_client|^OAUTH_WWW_AUTHENTICATE/.test(codesOf(error));

/** What went wrong on the way, without anything the provider or the person wrote but names of claims and errors. */
export function providerFailure(error: unknown, issuer: string): Failure {
  if (error instanceof Failure) return error;
  const { host } = new URL(issuer);
  if (networkFault(error, { name: host }) !== undefined)
    return unreachableFailure(error, { name: host, setting: 'http.oidc.issuer' });
  const codes = codesOf(error);
  const [, what = 'could not be understood', hint] = words.find(([pattern]) => pattern.test(codes)) ?? [];
  return new Failure({ kind: 'refused', message: `${host} ${what} (${codes}).`, hint, cause: error });
}

function codesOf(error: unknown): string {
  const { error: word, cause, name } = Object(error) as ProviderError;
  return [codeOf(error) ?? name ?? 'unknown', ...wordsIn(word), ...detailsOf(cause)].join(' ');
}

const wordsIn = (text: unknown): string[] =>
  typeof text === 'string' && /^[\w.:-]{1,60}$/.test(text) ? [text] : [];

/** The claim that differs, the algorithm, or how the issuer calls itself. */
function detailsOf(cause: unknown): string[] {
  const { claim, alg, status, body, attribute, cause: inner } = Object(cause);
  const issuer = attribute === 'issuer' ? Object(body).issuer : undefined;
  return [
    ...wordsIn(claim),
    ...wordsIn(alg),
    ...wordsIn(status === undefined ? undefined : String(status)),
    ...(typeof issuer === 'string' ? [printable(issuer).slice(0, 200)] : []),
    ...(inner === undefined ? [] : detailsOf(inner)),
  ];
}
