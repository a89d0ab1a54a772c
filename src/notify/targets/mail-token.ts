import type { MailOAuth } from '../../config/mail.ts';
import type { Memory } from '../../connector.ts';
import { SECOND } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { destinations } from '../../platform/network/destination.ts';
import { createPoster } from '../../platform/network/post.ts';
import { unreachableFailure } from '../../platform/network/unreachable.ts';
import { remedyOf } from './remedies.ts';

/** The stored permission is the one that followed this: a new one in the configuration counts. */
const KEY = 'refresh_token';

/** A token to sign in with. Microsoft replaces the permission with each; the newest is kept. Throws `Failure`. */
export async function mailToken(
  { tokenUrl, clientId, clientSecret, refreshToken, scope }: MailOAuth,
  memory: Memory | undefined,
  signal: AbortSignal,
): Promise<string> {
  const url = new URL(tokenUrl);
  const [configured, newest] = (await memory?.get(KEY))?.split(' ') ?? [];
  const permission = configured === refreshToken && newest !== undefined ? newest : refreshToken;
  const form = new URLSearchParams({
    ...{ client_id: clientId, client_secret: clientSecret },
    ...(permission === ''
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: permission }),
    ...(scope !== '' && { scope }),
  });
  const poster = createPoster({
    url,
    timeoutMs: 30 * SECOND,
    destinations: destinations(['0.0.0.0/0', '::/0']),
    connections: 1,
    keepBytes: 64 * 1024,
  });
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const { status, text } = await poster.post(form.toString(), headers, signal);
    const { access_token, refresh_token, error } = answerIn(text);
    if (typeof access_token !== 'string' || access_token === '') {
      const word = /^[a-z_]{1,40}$/.exec(String(error))?.[0] ?? '';
      throw new Failure({
        kind: 'transient',
        lasting: status >= 400 && status < 500 && status !== 429,
        ...remedyOf('mail_token', { host: url.host, answer: [status, word].filter(Boolean).join(' ') }),
      });
    }
    if (typeof refresh_token === 'string' && refresh_token !== permission)
      await memory?.set({ [KEY]: `${refreshToken} ${refresh_token}` });
    return access_token;
  } catch (error) {
    throw error instanceof Failure ? error : unreachableFailure(error, url.host);
  } finally {
    poster.close();
  }
}

function answerIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
