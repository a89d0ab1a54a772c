import { hash, randomBytes } from 'node:crypto';
import { access, constants, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { LoginOptions } from '../../../src/connector.ts';
import { MINUTE } from '../../../src/platform/duration.ts';
import { codeOf, Failure } from '../../../src/platform/failure.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import { fetchOnce } from '../../../src/platform/network/fetch-once.ts';
import { isWebPage } from '../../../src/platform/network/web-page.ts';
import { googleTokenUrl, readKeyFile, SHEETS_SCOPE } from './credentials.ts';
import { ForeignAnswer, googleFailure } from './failures.ts';

/** An OAuth client of the type Desktop app, in the format of the Google Cloud console. */
const ClientFile = z.object({
  installed: z.object({
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    auth_uri: z.url().default('https://accounts.google.com/o/oauth2/v2/auth'),
    token_uri: z.url().default(googleTokenUrl),
  }),
});
const TokenAnswer = z.object({ refresh_token: z.string().optional(), scope: z.string().default('') });

const LONGEST_MS = 10 * MINUTE;
const page = (text: string) =>
  `<!doctype html><meta charset="utf-8"><title>clinic-sync</title><p>${text}</p>`;

interface LoginFiles {
  /** File of the OAuth client. */
  client: string;
  /** File for the sign-in; replaced. */
  credentials: string;
}

const refused = (message: string, hint: string): Failure => new Failure({ kind: 'refused', message, hint });

/**
 * Lets a person sign in with a browser, which returns to an address of this machine (RFC 8252, 7.3) with a code that
 * only we can use (PKCE, RFC 7636). Stores the refresh token in a file that only we can read. Throws `Failure`.
 */
export async function signInWithBrowser(
  files: LoginFiles,
  { port, show, typed }: LoginOptions,
  signal: AbortSignal,
): Promise<void> {
  const parsed = ClientFile.safeParse(parsedJson(await readKeyFile(files.client)));
  if (!parsed.success)
    throw refused(
      `What is in ${files.client} is not an OAuth client of the type Desktop app.`,
      'In the Google Cloud console choose Credentials, Create credentials, OAuth client ID, Desktop app, and ' +
        'download its JSON.',
    );
  const { client_id, client_secret, auth_uri, token_uri } = parsed.data.installed;
  // Fails now rather than after the person has signed in.
  await access(dirname(files.credentials), constants.W_OK).catch((cause) => {
    throw notKept(files.credentials, cause);
  });
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  const within = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const { code, redirect_uri } = await codeFromBrowser({ port, state, typed }, within, (redirect) => {
    const address = new URL(auth_uri);
    const query = {
      ...{ client_id, redirect_uri: redirect, response_type: 'code', scope: SHEETS_SCOPE, state },
      // Google gives no second refresh token without consent.
      ...{ access_type: 'offline', prompt: 'consent', code_challenge_method: 'S256' },
      code_challenge: hash('sha256', verifier, 'base64url'),
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    show(address.href);
  });
  const form = { client_id, client_secret, code, redirect_uri, code_verifier: verifier };
  const refresh_token = await exchange(token_uri, form, within);
  const kept = { type: 'authorized_user', client_id, client_secret, refresh_token, token_uri };
  await keep(files.credentials, JSON.stringify(kept));
}

/** Waits for the browser at 127.0.0.1, or for the address it shows when it runs on another machine. */
async function codeFromBrowser(
  { port, state, typed }: { port: number; state: string; typed: AsyncIterable<string> },
  signal: AbortSignal,
  ready: (redirect: string) => void,
): Promise<{ code: string; redirect_uri: string }> {
  const came = Promise.withResolvers<string>();
  /** What to tell a browser that arrived at this address; undefined when it does not answer our request. */
  const take = (address: string): string | undefined => {
    const query = URL.parse(address, 'http://127.0.0.1')?.searchParams;
    const [code, error] = [query?.get('code') ?? undefined, query?.get('error') ?? undefined];
    if (query?.get('state') !== state || (code ?? error) === undefined) return undefined;
    if (code === undefined) came.reject(notAllowed(String(error)));
    else came.resolve(code);
    return code === undefined ? 'Nothing was allowed.' : 'Signed in. You may close this page.';
  };
  const server = createServer(({ url = '/' }, response) => {
    const text = take(url);
    response
      .writeHead(text === undefined ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
        connection: 'close',
      })
      .end(page(text ?? 'Not an answer to our question.'));
  });
  const stop = () => came.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  server.once('error', (cause) =>
    came.reject(
      refused(
        `The port ${port} of this machine cannot be used (${codeOf(cause) ?? 'unknown'}).`,
        'Choose another with --port.',
      ),
    ),
  );
  server.listen(port, '127.0.0.1', () => ready(redirectOf(server.address() as AddressInfo)));
  const lines = typed[Symbol.asyncIterator]();
  try {
    signal.throwIfAborted();
    void (async () => {
      for (let line = await lines.next(); !line.done; line = await lines.next()) take(line.value.trim());
    })().catch(() => {});
    const code = await came.promise;
    return { code, redirect_uri: redirectOf(server.address() as AddressInfo) };
  } finally {
    signal.removeEventListener('abort', stop);
    server.close();
    await lines.return?.();
  }
}

const notAllowed = (error: string): Failure =>
  refused(
    `Google did not sign in: ${error.replace(/[^a-z_]/gi, '')}.`,
    'Allow it when asked. Where the organization forbids it, its Google administrator allows the OAuth ' +
      'client (Security, API controls).',
  );

const redirectOf = ({ port }: AddressInfo): string => `http://127.0.0.1:${port}`;

/** Exchanges the code for the refresh token. */
async function exchange(
  tokenUri: string,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const body = new URLSearchParams({ ...form, grant_type: 'authorization_code' });
  const response = await fetchOnce(tokenUri, { method: 'POST', body, signal }).catch((cause) => {
    throw new Failure({
      kind: 'transient',
      message: 'Google could not be reached.',
      hint: 'Check the network.',
      cause,
    });
  });
  const text = await response.text().catch(() => '');
  if (isWebPage(text))
    throw googleFailure(new ForeignAnswer(response.status, text).answer, {
      doing: 'token',
      ...{ address: '', connector: '' },
      slowDown: () => 0,
      cause: undefined,
    });
  const answer = TokenAnswer.safeParse(response.ok ? parsedJson(text) : undefined);
  if (!answer.success)
    throw refused(
      `Google refused the sign-in (${response.status}).`,
      'Try again; if it stays, download the OAuth client’s JSON again.',
    );
  const { refresh_token, scope } = answer.data;
  if (!scope.split(' ').includes(SHEETS_SCOPE) || refresh_token === undefined)
    throw refused(
      'The sign-in does not include spreadsheets.',
      'Sign in again and tick “See, edit, create and delete all your Google Sheets spreadsheets”.',
    );
  return refresh_token;
}

/** Readable only by us from its first byte; a failed or interrupted sign-in leaves the former one in place. */
async function keep(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true });
    throw notKept(file, cause);
  }
}

const notKept = (file: string, cause: unknown): Failure =>
  refused(
    `The sign-in cannot be kept in ${file} (${codeOf(cause) ?? 'unknown'}).`,
    'Let `credentials_file` be in a folder that this user may write to.',
  );
