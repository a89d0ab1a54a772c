import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import got, { type Method, TimeoutError } from 'got';
import { MINUTE } from '../duration.ts';
import { proxyEnvFor, proxyFailure, proxyFor } from './outgoing-proxy.ts';

/** Statuses whose answers have no body, by the Fetch standard. */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** Of a call without an answer. Google's client makes some without a limit, and all others wait for those. */
const LONGEST_MS = 2 * MINUTE;

/**
 * `fetch` for Google's client. Node’s own connects again 2,000 times a second, until its deadline, to a proxy that
 * closes every tunnel. Follows no redirect, which would take our assertion or token along, and repeats nothing. Each
 * call has its own connection: on a kept one that has died unseen, it would wait for minutes.
 */
export const fetchOnce: typeof fetch = (input, init) => fetchWithin(LONGEST_MS, input, init);

/** The same within so many milliseconds. */
export async function fetchWithin(ms: number, ...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { url, method, headers, body, signal } = new Request(input, init);
  const proxy = proxyFor(new URL(url), process.env);
  const sockets = { keepAlive: false, ...proxyEnvFor(proxy) };
  try {
    const answer = await got(url, {
      ...{ method: method as Method, headers: Object.fromEntries(headers), signal, responseType: 'buffer' },
      ...(body !== null && { body: Buffer.from(await new Response(body).arrayBuffer()) }),
      ...{ followRedirect: false, throwHttpErrors: false, retry: { limit: 0 } },
      timeout: { request: ms },
      agent: { http: new HttpAgent(sockets), https: new HttpsAgent(sockets) },
    });
    const { statusCode: status, rawHeaders } = answer;
    const shown = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2)
      shown.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    return new Response(bodiless.has(status) ? null : answer.rawBody, { status, headers: shown });
  } catch (error) {
    signal.throwIfAborted();
    throw proxyFailure(error instanceof TimeoutError ? error : (Object(error).cause ?? error), proxy);
  }
}
