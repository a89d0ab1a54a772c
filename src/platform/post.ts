import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';

import type { Destinations } from './destination.ts';
import { MINUTE } from './duration.ts';

export interface Answer {
  status: number;
  retryAfter: string | undefined;
  /** Where a redirect leads. */
  location?: string | undefined;
  /** The part of the body that was kept; empty unless `keepBytes` is set. */
  text: string;
}

/** Bodies are read so that the connection can be reused, up to this size. */
const MOST_READ_BYTES = 16 * 1024;

export interface Poster {
  /**
   * One POST, one answer. If it fails before an answer, throws the error with `sent`: whether the request had left in
   * full. Follows no redirects, retries nothing.
   */
  post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer>;
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
}: PosterOptions): Poster {
  const { lookup } = destinations;
  const { Agent, request: send } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections, lookup });
  renewConnections(agent);
  const target = { ...urlToHttpOptions(url), agent, method };

  return {
    async post(body, headers, signal) {
      signal.throwIfAborted();
      destinations.admit(url);
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      const request = send({ ...target, headers: { ...headers, ...length } });
      const answered = answerTo(request, keepBytes);
      const stop = () => void request.destroy(new Error('stopped'));
      signal.addEventListener('abort', stop, { once: true });
      const late = setTimeout(() => request.destroy(timedOut(request)), timeoutMs);
      request.end(body);
      try {
        return await answered;
      } catch (error) {
        dropIdle(agent);
        throw Object.assign(error as Error, { sent: request.writableFinished });
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
function answerTo(request: http.ClientRequest, keepBytes: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer: Omit<Answer, 'text'> | undefined;
    const kept: Buffer[] = [];
    let failure: Error | undefined;
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      answer = { status, retryAfter: headers['retry-after'], location: headers.location };
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        if (bytes < keepBytes) kept.push(chunk.subarray(0, keepBytes - bytes));
        bytes += chunk.length;
        if (bytes > Math.max(MOST_READ_BYTES, keepBytes)) response.destroy();
      });
      // A receiver that answers without reading the whole body would hold the connection until the timeout.
      response.once('end', () => request.writableFinished || request.destroy());
      // With the status the receiver has decided; how its body ends does not matter.
      response.on('error', () => {});
    });
    request.on('error', (error) => {
      failure = error;
    });
    request.once('close', () => {
      if (answer === undefined) reject(failure ?? new Error('no answer'));
      else resolve({ ...answer, text: Buffer.concat(kept).toString() });
    });
  });
}

const timedOut = ({ socket }: http.ClientRequest) =>
  Object.assign(new Error('timeout'), { code: socket?.connecting ? 'CONNECT_TIMEOUT' : 'ETIMEDOUT' });
