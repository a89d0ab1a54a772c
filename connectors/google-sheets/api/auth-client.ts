import { hash } from 'node:crypto';
import { Failure } from '../../../src/platform/failure.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import { fetchOnce } from '../../../src/platform/network/fetch-once.ts';
import {
  BIN_SCOPE,
  GCLOUD_LOGIN,
  type GoogleCredentials,
  googleTokenUrl,
  SHEETS_SCOPE,
} from './credentials.ts';
import { ForeignAnswer } from './failures.ts';

type Auth = typeof import('googleapis/build/src/apis/sheets/index.js')['auth'];

export type AuthClient = Awaited<ReturnType<typeof authClientOf>>;

export async function authClientOf(auth: Auth, credentials: GoogleCredentials) {
  const { kind } = credentials;
  const tokenUrl = kind === 'default' ? googleTokenUrl : credentials.tokenUrl;
  const transporterOptions = { fetchImplementation: fetchWith(tokenUrl) };
  if (kind === 'service_account') {
    const { address: email, key, keyId } = credentials;
    return new auth.JWT({
      email,
      key,
      ...(keyId !== undefined && { keyId }),
      scopes: [SHEETS_SCOPE, BIN_SCOPE],
      transporterOptions,
    });
  }
  if (kind === 'user') {
    const { clientId, clientSecret, refreshToken } = credentials;
    const person = new auth.OAuth2({ clientId, clientSecret, transporterOptions });
    person.setCredentials({ refresh_token: refreshToken });
    return person;
  }
  try {
    const found = new auth.GoogleAuth({ scopes: [SHEETS_SCOPE], clientOptions: { transporterOptions } });
    // Every kind of client has the members used here.
    return (await found.getClient()) as InstanceType<Auth['OAuth2']>;
  } catch (cause) {
    throw new Failure({
      kind: 'refused',
      message: 'This machine has no Application Default Credentials.',
      hint: `Run where Google gives an identity, set GOOGLE_APPLICATION_CREDENTIALS, or run: ${GCLOUD_LOGIN}.`,
      cause,
    });
  }
}

/** The key by which Google counts calls. */
export const accountOf = (credentials: GoogleCredentials): string =>
  credentials.kind === 'user' ? hash('sha256', credentials.refreshToken, 'base64url') : credentials.address;

/**
 * Redirects the token requests to the endpoint in the key file, because the library hard-codes Google's, and throws
 * `ForeignAnswer` for a success without a token, which the library would report as its own fault.
 */
const fetchWith =
  (tokenUrl: string): typeof fetch =>
  async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(googleTokenUrl)) return fetchOnce(input, init);
    const response = await fetchOnce(tokenUrl, init);
    if (!response.ok) return response;
    const text = await response.clone().text();
    const grant = Object(parsedJson(text)) as { access_token?: unknown };
    if (typeof grant.access_token !== 'string') throw new ForeignAnswer(response.status, text);
    return response;
  };
