import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import got, { AbortError, type Options, TimeoutError } from 'got';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { JsonObject } from '../../platform/json.ts';
import { ATTEMPT_MS } from '../../platform/network/far-networks.ts';
import { proxyEnvFor, proxyFailure, proxyFor } from '../../platform/network/outgoing-proxy.ts';
import { retryAfterMs } from '../../platform/network/retry-after.ts';
import { networkFault, type Peer } from '../../platform/network/unreachable.ts';
import { pagesIn } from '../part-of-list.ts';
import type { Broken, Exchange, ExchangeProblem } from './exchange.ts';

export interface HttpCall {
  method: 'GET' | 'POST';
  /** Below base_url, with a leading slash. */
  path: string;
  headers: Record<string, string>;
  /** JSON text; undefined for no body. */
  body?: string;
  /** Maximum size of the answer, bytes after decompression. */
  mostBytes: number;
  /** Longest wait for the headers of the answer, milliseconds. */
  responseMs: number;
  signal: AbortSignal;
}

/** Sends single requests: no redirect, no retry, no socket reuse. Never throws. */
export interface Transport {
  send(call: HttpCall): Promise<Exchange>;
  close(): void;
}

interface TransportOptions {
  base_url: string;
  version: string;
  clock: Clock;
  /** PEM of the certificate authorities to trust instead of the system's. */
  ca: string | undefined;
  /** Where an outgoing proxy may be named. */
  environment?: Readonly<Record<string, string | undefined>>;
}

export function createTransport({
  base_url,
  version,
  clock,
  ca,
  environment = process.env,
}: TransportOptions): Transport {
  const base = base_url.replace(/(?<!\/)\/+$/, '');
  const secure = /^https:/i.test(base);
  const to = URL.parse(base);
  const proxy = to === null ? undefined : proxyFor(to, environment);
  // On a reused socket, a request can be lost or answered without our knowing which; calls are few, so each gets its
  // own socket.
  const sockets = { keepAlive: false, ...proxyEnvFor(proxy), ...(proxy && { timeout: TUNNEL_MS }) };
  const agent = {
    http: new HttpAgent({ keepAlive: false, ...proxyEnvFor(proxy) }),
    https: new HttpsAgent({ ...sockets, ...(ca === undefined ? {} : { ca }) }),
  };
  const client = got.extend({
    agent,
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    strictContentLength: true,
    headers: { 'user-agent': `clinic-sync/${version}`, accept: 'application/json' },
  });

  return {
    async send(call) {
      const options = optionsFor(call);
      let stream: ReturnType<typeof client.stream>;
      try {
        stream = client.stream(`${base}${call.path}`, options);
      } catch {
        return { kind: 'broken', connected: false, problem: 'unsendable' };
      }
      const seen: {
        request?: ClientRequest & TimedRequest;
        head?: { status: number; retryAfterMs?: number };
        location?: string | undefined;
        pages?: JsonObject | undefined;
        serverTime?: number;
        peer?: string;
      } = {};
      stream.once('request', (request) => {
        seen.request = request;
      });
      stream.once('response', ({ statusCode, headers, socket }) => {
        seen.peer = peerOf(socket);
        seen.location = headers.location;
        seen.pages = pagesIn(headers);
        const wait = retryAfterMs(headers['retry-after'], {
          ...{ date: headers.date, now: clock.now(), longestMs: LONGEST_WAIT_MS },
        });
        const date = Date.parse(headers.date ?? '');
        if (Number.isFinite(date)) seen.serverTime = date;
        seen.head = { status: statusCode, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
      });
      const broken = (problem: ExchangeProblem, error?: unknown): Broken => {
        const code = codeOf(error);
        const connected = wasConnected(seen.request, secure, proxy !== undefined);
        return {
          kind: 'broken',
          connected,
          problem,
          ...(code !== undefined && {
            code,
            fault: networkFault(connected ? error : proxyFailure(innermost(error), proxy), CLINIC),
          }),
          ...seen.head,
        };
      };

      // An error after we stopped reading changes nothing and must not crash the process.
      stream.on('error', () => {});

      const chunks: Buffer[] = [];
      let bytes = 0;
      try {
        for await (const chunk of stream) {
          bytes += chunk.length;
          if (bytes > call.mostBytes) return broken('too_long');
          chunks.push(chunk);
        }
      } catch (error) {
        return broken(problemOf(error, codeOf(error)), error);
      } finally {
        stream.destroy();
      }
      if (seen.head === undefined) return broken('connection');
      return {
        kind: 'answer',
        body: Buffer.concat(chunks),
        peer: seen.peer ?? '',
        location: seen.location,
        serverTime: seen.serverTime,
        ...(seen.pages && { pages: seen.pages }),
        ...seen.head,
      };
    },
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

const CLINIC: Peer = { name: 'the clinic’s server', setting: 'base_url' };

const peerOf = (socket: Socket): string =>
  `${socket.remoteAddress} ${socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint256 : ''}`;

type TimedRequest = { timings?: { connect?: number | undefined; secureConnect?: number | undefined } };

/** A longer Retry-After is looked at this often: bookings wait for it, and one such answer may be a mistake. */
const LONGEST_WAIT_MS = 5 * MINUTE;

/** Until the tunnel of a proxy stands, nothing but its CONNECT was sent. */
const TUNNEL_MS = 4 * ATTEMPT_MS;

/**
 * When in doubt, it was sent: only the absence of the event that precedes every byte proves otherwise. Through a proxy,
 * a request gets its socket once the tunnel and TLS stand; unencrypted, as soon as the proxy is connected.
 */
function wasConnected(
  request: (ClientRequest & TimedRequest) | undefined,
  secure: boolean,
  isProxied: boolean,
): boolean {
  if (request === undefined) return false;
  if (secure && isProxied) return request.socket !== null && request.socket !== undefined;
  const { timings, reusedSocket } = request;
  if (timings === undefined || reusedSocket) return true;
  return (secure ? timings.secureConnect : timings.connect) !== undefined;
}

const optionsFor = ({ method, headers, body, responseMs, signal }: HttpCall) =>
  ({
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    // Without a body, got would make the POST a stream that waits for input.
    ...(method === 'POST' ? { body: body ?? '' } : {}),
    signal,
    timeout: {
      lookup: 10_000,
      // One attempt for each of a few addresses.
      connect: 4 * ATTEMPT_MS,
      secureConnect: 10_000,
      send: 20_000,
      response: responseMs,
      read: MINUTE,
      request: responseMs + 90_000,
    },
  }) satisfies Partial<Options>;

/** got wraps what it catches. */
const innermost = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;

/** got wraps errors that occur while reading; the code is in the inner one. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = error.cause === undefined ? undefined : codeOf(error.cause);
  return inner ?? ('code' in error && typeof error.code === 'string' ? error.code : undefined);
}

/** Only for messages and hints: whether anything was sent is never decided by a code. */
function problemOf(error: unknown, code = ''): ExchangeProblem {
  if (error instanceof AbortError) return 'aborted';
  if (error instanceof TimeoutError) return 'timeout';
  if (/^ERR_SSL_/.test(code)) return 'protocol';
  // UNSPECIFIED: OpenSSL refused it for a reason without a code of its own, such as a weak key.
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^UNSPECIFIED$/.test(code)) return 'certificate';
  if (/^(HPE_|EPROTO$|ERR_TLS_)/.test(code)) return 'protocol';
  if (/^(Z_BUF_ERROR|ERR_HTTP_CONTENT_LENGTH_MISMATCH)$/.test(code)) return 'cut';
  if (/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ZSTD_)/.test(code)) return 'unreadable';
  if (/^ERR_(INVALID_|UNESCAPED_|UNSUPPORTED_)/.test(code)) return 'unsendable';
  return 'connection';
}
