import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { hasSession } from './access/cookies.ts';
import { failureRefusal, type HttpRefusal, noSuch, refuse, wantsHtml } from './answers.ts';
import { dropRest, readBody } from './body.ts';
import type { BodyBudget } from './limits/body-budget.ts';
import { limitConnections } from './limits/connection-limit.ts';
import type { Proxies } from './limits/proxies.ts';
import { dropSlowReaders } from './limits/slow-readers.ts';
import { watchStandstill } from './limits/standstill.ts';
import type { Stray } from './stray-visitors.ts';

/** Time and size limits of requests. Only tests change these. */
export interface HttpLimits {
  bodyBytes: number;
  /** Maximum bytes read of a multipart body; its files are dropped. */
  multipartBytes: number;
  /** Memory for all bodies that are being read. */
  unreadBytes: number;
  /** Milliseconds for the header lines, and for the whole request. */
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  /** Milliseconds for reading a response, from its first byte on. */
  answerMs: number;
  /** Requests on one connection that may await their responses; one more closes it. */
  pipelined: number;
  connections: number;
  /** Per address, except trusted proxies; a new connection replaces the oldest. */
  connectionsPerAddress: number;
  /** Authenticated submissions per minute, address and connector; generous, because tools send for many visitors. */
  provenPerMinute: number;
  /** Unauthenticated requests per minute, address and connector; more are answered 429. */
  unprovenPerMinute: number;
  /** Pages of a public form per address in ten minutes. */
  formPages: number;
  /** Wrong tokens per address in 15 minutes that are answered at once. */
  wrongTokens: number;
  /** Milliseconds since draining began that a stop waits for open requests. */
  stopMs: number;
}

export const defaultLimits: HttpLimits = {
  bodyBytes: 65_536,
  multipartBytes: 10_485_760,
  unreadBytes: 16_777_216,
  headersMs: 5_000,
  requestMs: 20_000,
  keepAliveMs: 5_000,
  answerMs: MINUTE,
  pipelined: 4,
  connections: 2_000,
  connectionsPerAddress: 200,
  provenPerMinute: 600,
  unprovenPerMinute: 60,
  formPages: 120,
  wrongTokens: 10,
  stopMs: 5_000,
};

/** A registered route. */
export interface Route {
  method: string;
  path: string;
}

interface ServerOptions {
  proxies: Proxies;
  limits: HttpLimits;
  budget: BodyBudget;
  /** The address that was meant by a typed one. */
  meant?: (url: string, method?: string) => string | undefined;
  publicUrl?: URL | undefined;
  /** Answers people who may be visitors of a form. */
  stray: Stray;
  clock: Clock;
  log: Log;
}

/**
 * A server that keeps every body as received, drops slow clients and answers each fault in our format. `routes` fills
 * as routes are registered.
 */
export function createServer({
  proxies,
  limits,
  budget,
  meant = () => undefined,
  publicUrl,
  stray,
  clock,
  log,
}: ServerOptions): {
  app: FastifyInstance;
  routes: Route[];
} {
  // How often Node checks for overdue requests; its default of 30 s would defeat the limits.
  const checkMs = Math.min(1_000, limits.headersMs / 2);
  const app = fastify({
    logger: false,
    rewriteUrl: ({ url = '/', method }) => meant(url, method) ?? url,
    trustProxy: proxies.trusts,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.requestMs + limits.headersMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Fastify's own 503 has no Retry-After.
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: checkMs,
    },
    routerOptions: { maxParamLength: 500 },
    // No route has a JSON Schema; Fastify's two compilers would be a tenth of the code loaded at start.
    schemaController: {
      compilersFactory: { buildValidator: () => noSchemas, buildSerializer: () => noSchemas },
    },
    frameworkErrors: (_error, request, reply) => {
      reply.headers(securityHeaders);
      if (!isOperator(request)) return void stray(request, reply);
      refuse(request, reply, { status: 400, message: 'The address cannot be read' });
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable) return void socket.destroy();
      const [line, message] = brokenRequest(error.code, hasStoodStill());
      const body = JSON.stringify({ ok: false, message });
      socket.end(
        `HTTP/1.1 ${line}\r\n${plainHeaders}content-length: ` +
          `${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
        // Otherwise the socket stays open while the client keeps sending.
        () => void socket.destroy(),
      );
    },
  });
  const hasStoodStill = watchStandstill(app, checkMs, clock);
  limitConnections(app.server, limits, (address) => proxies.trusts(address, 0));
  dropSlowReaders(app, limits.answerMs, clock);

  const routes: Route[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, path: url });
  });
  app.addHook('onRequest', (request, reply, done) => {
    proxies.drop(request.raw);
    // A proxy and this server might each trust a different one (RFC 9112, 3.2).
    const hosts = request.raw.rawHeaders.filter(isHost);
    if (hosts.length < 2) return done();
    refuse(request, reply, { status: 400, message: 'The request names two hosts' });
  });
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!raw.complete && raw.listenerCount('data') === 0) dropRest(raw, budget);
    for (const [name, value] of onEveryAnswer) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => {
    const { 'content-type': contentType = '', 'content-length': length } = request.headers;
    return readBody({ payload, contentType, length: Number(length), address: request.ip }, limits, budget);
  });

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof Failure) return refuse(request, reply, failureRefusal(error));
    const status = error.statusCode ?? 500;
    const known = bodyRefusal(status);
    if (known !== undefined) return refuse(request, reply, known);
    const { message } = asFailure(error, 'Answering a request');
    log.error('request failed', { path: request.routeOptions.url ?? '', problem: message });
    return refuse(request, reply, {
      status: 500,
      message: 'Something went wrong here',
      hint: 'The log of clinic-sync says more.',
    });
  });
  /** Where an address of ours came with something before it. */
  const arrived = (url: string): string | undefined => {
    const path = url.replace(/[?&].*$/s, '');
    const meantPath = routes.find((one) => one.path.length > 1 && path.endsWith(one.path))?.path;
    if (meantPath === undefined) return undefined;
    const expected = publicUrl?.href ?? 'which is not set';
    return (
      `${path.slice(0, 200)} arrived here instead of ${meantPath}: a proxy must ` +
      `pass on what follows \`http.public_url\` (${expected}).`
    );
  };
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(routes, request);
    if (allowed.length === 0)
      return isOperator(request)
        ? refuse(request, reply, { ...noSuch, hint: arrived(request.url) })
        : stray(request, reply);
    reply.header('allow', allowed.join(', '));
    return refuse(request, reply, {
      status: 405,
      message: `${request.method} is not possible here`,
      hint: `Use ${allowed.join(' or ')}.`,
    });
  });
  return { app, routes };
}

/** A program, or a browser that once signed in here. It learns only what it sent, so that need not be proven. */
const isOperator = (request: FastifyRequest): boolean => !wantsHtml(request) || hasSession(request.headers);

/** Names and values take turns. */
const isHost = (text: string, index: number): boolean =>
  index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';

const noSchemas = () => {
  throw new Error('a route has a schema, but there is no compiler for it');
};

/** Scripts and styles only from here. The referrer policy lets our forms send their Origin. */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

const onEveryAnswer = Object.entries(securityHeaders);

/** For requests that Node cannot parse, whose responses pass no hook. */
const plainHeaders = Object.entries({ 'content-type': 'application/json; charset=utf-8', ...securityHeaders })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

const faults: readonly HttpRefusal[] = [
  { status: 400, message: 'The request is damaged', hint: 'Send it again.' },
  { status: 413, message: 'The body is larger than 64 kB', hint: 'Send only the fields of the booking.' },
  { status: 415, message: 'The content type cannot be read' },
  {
    status: 503,
    message: 'More is sent at once than can be read',
    hint: 'Send it again in a few seconds.',
    retryAfter: 5,
  },
];

/** Why a body was not read, by the status of the fault. */
export const bodyRefusal = (status: number | undefined): HttpRefusal | undefined =>
  faults.find((fault) => fault.status === status);

function brokenRequest(code: string | undefined, hasStoodStill: boolean): [line: string, message: string] {
  // A sender may take 408 as final.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasStoodStill)
    return ['503 Service Unavailable\r\nretry-after: 5', 'The request was not read in time: send it again'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['408 Request Timeout', 'The request took too long'];
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'The headers are too large'];
  return ['400 Bad Request', 'This is not HTTP'];
}

function allowedMethods(routes: readonly Route[], request: FastifyRequest): string[] {
  const [path = ''] = request.url.split('?', 1);
  return [...new Set(routes.filter((route) => matches(route.path, path)).map(({ method }) => method))];
}

function matches(route: string, path: string): boolean {
  const pattern = route.replaceAll('.', '\\.').replace('*', '.*').replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path);
}
