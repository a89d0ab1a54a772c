import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../src/platform/clock.ts';
import type { Log } from '../../src/platform/log.ts';
import { errorAnswer, type SandboxAnswer } from './answer.ts';
import type { ApiRequest } from './api.ts';
import { LARGEST_BODY_BYTES } from './booking-body.ts';
import { createConnection, type SandboxConnection } from './connection.ts';
import type { Counters } from './counters.ts';
import type { FaultContext, World } from './faults/kind.ts';
import type { FaultScript, Strike } from './faults/script.ts';
import { openGate, type SandboxGate } from './gate.ts';
import { routeOf } from './routes.ts';

export interface TlsMaterial {
  /** PEM. */
  key: string;
  cert: string;
  /** Certificate authority that clients should trust. Default: `cert`. */
  ca?: string;
}

interface Options {
  host: string;
  port: number;
  tls: TlsMaterial | undefined;
  api: (request: ApiRequest) => SandboxAnswer;
  script: FaultScript;
  counters: Counters;
  /** Called once the gate's port is known. */
  world: (gate: SandboxGate) => World;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
}

/** What answering a request needs. */
interface Server extends Pick<Options, 'api' | 'script' | 'counters' | 'clock' | 'log' | 'closing'> {
  gate: SandboxGate;
  world: World;
  connectionOf(raw: Socket, stream: Socket): SandboxConnection;
}

/** Longer than clients keep an idle connection, so that only a scripted fault causes a race. */
const settings = { keepAliveTimeout: 75_000 };

/** Serves the API on a socket, with the scripted faults in between. */
export async function startServer(options: Options): Promise<{ gate: SandboxGate; world: World }> {
  const { host, port, tls, script, world: makeWorld } = options;
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void exchange(server, request, response);
  const http =
    tls === undefined
      ? createHttpServer(settings, listener)
      : createHttpsServer({ ...settings, key: tls.key, cert: tls.cert }, listener);
  http.on('tlsClientError', () => {});
  const connections = new WeakMap<Socket, SandboxConnection>();
  const gate = await openGate({
    host,
    port,
    onConnection(raw) {
      const strike = script.takeConnection();
      if (strike?.act.stage === 'connection') return void strike.act.act(createConnection(raw));
      http.emit('connection', raw);
      raw.resume();
    },
  });
  const server: Server = {
    ...options,
    gate,
    world: makeWorld(gate),
    connectionOf(raw, stream) {
      const connection = connections.get(raw) ?? createConnection(raw, stream);
      connections.set(raw, connection);
      return connection;
    },
  };
  return { gate, world: server.world };
}

function send({ clock }: Server, response: ServerResponse, { status, headers, body }: SandboxAnswer): void {
  const bodiless = status === 204 || status === 304;
  const date = new Date(clock.now()).toUTCString();
  const length = bodiless ? {} : { 'content-length': String(body.length) };
  response.writeHead(status, { date, ...length, ...headers }).end(bodiless ? undefined : body);
}

/** One request, until its answer is sent or a fault has handled it. */
interface Exchange {
  number: number;
  request: IncomingMessage;
  context: FaultContext;
  strike: Strike | undefined;
  /** Name of the applied fault. */
  fault: string | null;
}

async function exchange(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { gate, script, counters, closing, log } = server;
  const { method = 'GET', url: target = '/', headers, socket } = request;
  const raw = gate.rawOf(socket);
  const free = gate.busy(raw);
  const number = counters.next();
  const route = routeOf(method, target);
  const endpoint = route.kind === 'endpoint' ? route.endpoint : 'other';
  const strike = script.take({ method, target, endpoint, headers });
  // A client that leaves before its answer is complete is not worth reporting.
  response.on('error', () => {});
  response.once('close', free);

  const connection = server.connectionOf(raw, socket);
  const context: FaultContext = {
    connection,
    method,
    target,
    headers,
    endpoint,
    response,
    world: server.world,
  };
  const one: Exchange = { number, request, context, strike, fault: strike?.name ?? null };
  let status: number | 'none' = 'none';
  try {
    const answer = await answered(server, one);
    if (answer !== undefined && !closing.aborted) {
      status = answer.status;
      send(server, response, answer);
    }
  } catch (error) {
    if (closing.aborted || connection.ended.aborted) return;
    log.error('sandbox request failed', { kind: endpoint, code: codeOf(error) });
    status = 500;
    if (!response.headersSent)
      send(server, response, errorAnswer(500, 'server_error', 'Something went wrong.'));
  } finally {
    const [path = ''] = target.split('?');
    counters.record({ number, method, path, endpoint, status, fault: one.fault });
  }
}

/** Undefined if a fault has handled the connection itself, or the sandbox is closing. */
async function answered({ api, closing }: Server, one: Exchange): Promise<SandboxAnswer | undefined> {
  const { number, request, context, strike } = one;
  const act = strike?.act;
  if (act?.stage === 'headers') return void act.act(context);
  const body = await readBody(request);
  if (closing.aborted) return undefined;
  if (act?.stage === 'before') return act.act(context);
  if (act?.stage === 'beside') void act.act(context);
  const { method, target, headers } = context;
  const answer = api({ number, method, target, headers, body });
  if (act?.stage !== 'after') return answer;
  if (!isOutOfPlace(strike, answer)) return act.act(context, answer);
  strike?.giveBack();
  one.fault = null;
  return answer;
}

const isOutOfPlace = (strike: Strike | undefined, answer: SandboxAnswer) =>
  strike?.needsSuccess === true && answer.status !== 200;

/** The whole body, or just enough to see that it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size <= LARGEST_BODY_BYTES) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.name
      : 'unknown';
