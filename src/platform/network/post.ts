import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { MINUTE } from '../duration.ts';
import type { Destinations } from './destination.ts';
import { proxyEnvFor, proxyFailure, proxyFor } from './outgoing-proxy.ts';

export interface PostAnswer {
  status: number;
  retryAfter: string | undefined;
  /** The clock of whoever answered. */
  date?: string | undefined;
  /** Where a redirect leads. */
  location?: string | undefined;
  /** The part of the body that was kept; empty unless `keepBytes` is set. */
  text: string;
  /** False when the body was cut off, or is longer than what is read. */
  complete: boolean;
}

/** Bodies are read so that the connection can be reused, up to this size. */
const MOST_READ_BYTES = 16 * 1024;

export interface Poster {
  /**
   * One POST, one answer. If it fails before an answer, throws the error with `sent`: whether the request had left in
   * full. Follows no redirects, retries nothing. `leaving` is awaited between the connection and the first byte.
   */
  post(
    body: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    leaving?: () => Promise<void>,
  ): Promise<PostAnswer>;
  close(): void;
}

interface PosterOptions {
  url: URL;
  timeoutMs: number;
  destinations: Destinations;
  connections: number;
  /** Default: POST. */
  method?: 'GET' | 'POST';
  /** Bytes of an answer to keep. Default: none, only the status matters. */
  keepBytes?: number;
  /** Where an outgoing proxy may be named. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Node's own client: everything a library adds would be switched off here, and would cost more than the rest of a
 * delivery (see docs/decisions/0002-dependencies.md).
 */
export function createPoster({
  url,
  timeoutMs,
  destinations,
  connections,
  method = 'POST',
  keepBytes = 0,
  environment = process.env,
}: PosterOptions): Poster {
  const proxy = proxyFor(url, environment);
  // The proxy resolves the name; its own address may be a private one.
  const lookup = proxy === undefined ? destinations.lookup : undefined;
  const { Agent, request: send } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    maxFreeSockets: connections,
    ...(lookup && { lookup }),
    ...(proxy && { timeout: timeoutMs, ...proxyEnvFor(proxy) }),
  });
  renewConnections(agent);
  const target = { ...urlToHttpOptions(url), agent, method };

  return {
    async post(body, headers, signal, leaving) {
      signal.throwIfAborted();
      destinations.admit(url);
      if (proxy !== undefined) await destinations.admitName(url.hostname);
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      const request = send({ ...target, headers: { ...headers, ...length } });
      const unsent = Promise.withResolvers<never>();
      const end = (error: Error) => {
        request.destroy(error);
        // Without a socket, as while a proxy makes the tunnel, Node reports nothing until there is one.
        if (!request.socket) unsent.reject(error);
      };
      const answered = Promise.race([answerTo(request, keepBytes), unsent.promise]);
      const stop = () => end(new Error('stopped'));
      signal.addEventListener('abort', stop, { once: true });
      const late = setTimeout(() => end(timedOut(request)), timeoutMs);
      try {
        if (leaving !== undefined) {
          await Promise.race([answered, connected(request)]);
          await leaving();
        }
        request.end(body);
        return await answered;
      } catch (error) {
        dropIdle(agent);
        throw Object.assign(proxyFailure(error, proxy) as Error, { sent: request.writableFinished });
      } finally {
        clearTimeout(late);
        signal.removeEventListener('abort', stop);
      }
    },
    close: () => agent.destroy(),
  };
}

/** So that a name is looked up again under steady traffic, too. */
const OLDEST_CONNECTION_MS = MINUTE;

function renewConnections(agent: http.Agent): void {
  const openedAt = new WeakMap<Duplex, number>();
  const keep = agent.keepSocketAlive.bind(agent);
  const now = () => performance.now();
  agent.keepSocketAlive = (socket) => {
    const opened = openedAt.get(socket) ?? now();
    openedAt.set(socket, opened);
    return now() - opened < OLDEST_CONNECTION_MS && keep(socket);
  };
}

/** A firewall that forgot one connection forgot its idle neighbours: the next attempt makes a new one. */
function dropIdle({ freeSockets }: http.Agent): void {
  for (const socket of Object.values(freeSockets).flatMap((some) => some ?? [])) socket.destroy();
}

/** Settles when the request is closed, so that its connection can serve the next one or is gone. */
function answerTo(request: http.ClientRequest, keepBytes: number): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    let answer: Omit<PostAnswer, 'text' | 'complete'> | undefined;
    let complete = false;
    const kept: Buffer[] = [];
    let failure: Error | undefined;
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      answer = { status, retryAfter: headers['retry-after'], location: headers.location, date: headers.date };
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        if (bytes < keepBytes) kept.push(chunk.subarray(0, keepBytes - bytes));
        bytes += chunk.length;
        if (bytes > Math.max(MOST_READ_BYTES, keepBytes)) response.destroy();
      });
      // A receiver that answers without reading the whole body would hold the connection until the timeout.
      response.once('end', () => {
        complete = response.complete;
        if (!request.writableFinished) request.destroy();
      });
      // With the status the receiver has decided; how its body ends does not matter.
      response.on('error', () => {});
    });
    request.on('error', (error) => {
      failure = error;
    });
    request.once('close', () => {
      if (answer === undefined) reject(failure ?? new Error('no answer'));
      else resolve({ ...answer, text: Buffer.concat(kept).toString(), complete });
    });
  });
}

/** Resolves when the request has a connection; never when it fails. */
const connected = (request: http.ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    request.once('socket', (socket) => {
      if (!socket.connecting) resolve();
      else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => resolve());
    });
  });

const timedOut = ({ socket }: http.ClientRequest) =>
  Object.assign(new Error('timeout'), {
    code: socket?.connecting === false ? 'ETIMEDOUT' : 'CONNECT_TIMEOUT',
  });
