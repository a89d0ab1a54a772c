import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../src/platform/clock.ts';
import type { Log } from '../../src/platform/log.ts';
import { type Answer, refusal } from './answer.ts';
import type { ApiRequest } from './api.ts';
import { LARGEST_BODY_BYTES } from './booking-body.ts';
import { createLine, type Line } from './connection.ts';
import type { Counters } from './counters.ts';
import type { FaultContext, World } from './faults/kind.ts';
import type { FaultScript, Strike } from './faults/script.ts';
import { type Gate, openGate } from './gate.ts';
import { routeOf } from './routes.ts';

export interface TlsMaterial {
  /** PEM. */
  key: string;
  cert: string;
  /** What clients should trust; default: `cert`. */
  ca?: string;
}

interface Options {
  host: string;
  port: number;
  tls: TlsMaterial | undefined;
  api: (request: ApiRequest) => Answer;
  script: FaultScript;
  counters: Counters;
  /** Made once the gate's port is known. */
  world: (gate: Gate) => World;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
}

/** Puts the API on a socket, with the scripted faults in between. */
export async function startServer({
  host,
  port,
  tls,
  api,
  script,
  counters,
  world: makeWorld,
  clock,
  log,
  closing,
}: Options): Promise<{ gate: Gate; world: World }> {
  /** Longer than clients keep a connection idle, so that only a scripted fault makes it a race. */
  const settings = { keepAliveTimeout: 75_000 };
  const listener = (request: IncomingMessage, response: ServerResponse) => void exchange(request, response);
  const http =
    tls === undefined
      ? createHttpServer(settings, listener)
      : createHttpsServer({ ...settings, key: tls.key, cert: tls.cert }, listener);
  http.on('tlsClientError', () => {});
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (raw: Socket, stream: Socket) => {
    const line = lines.get(raw) ?? createLine(raw, stream);
    lines.set(raw, line);
    return line;
  };

  const gate = await openGate({
    host,
    port,
    onConnection(raw) {
      const strike = script.takeConnection();
      if (strike?.act.stage === 'connection') return void strike.act.act(createLine(raw));
      http.emit('connection', raw);
      raw.resume();
    },
  });
  const world = makeWorld(gate);

  const send = (response: ServerResponse, answer: Answer) => {
    const { status, headers, body } = answer;
    const bodiless = status === 204 || status === 304;
    const date = new Date(clock.now()).toUTCString();
    const length = bodiless ? {} : { 'content-length': String(body.length) };
    response.writeHead(status, { date, ...length, ...headers }).end(bodiless ? undefined : body);
  };

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/', headers, socket } = request;
    const raw = gate.rawOf(socket);
    const free = gate.busy(raw);
    const number = counters.next();
    const route = routeOf(method, target);
    const endpoint = route.kind === 'endpoint' ? route.endpoint : 'other';
    const strike = script.take({ method, target, endpoint, headers });
    // A client that goes away before its answer is complete is nothing to report.
    response.on('error', () => {});
    response.once('close', free);

    let status: number | 'none' = 'none';
    let fault: string | null = strike?.name ?? null;
    const context: FaultContext = {
      line: lineOf(raw, socket),
      method,
      target,
      headers,
      endpoint,
      response,
      world,
    };
    try {
      const answer = await answered();
      if (answer !== undefined && !closing.aborted) {
        status = answer.status;
        send(response, answer);
      }
    } catch (error) {
      if (closing.aborted || context.line.ended.aborted) return;
      log.error('sandbox request failed', { kind: endpoint, code: codeOf(error) });
      status = 500;
      if (!response.headersSent) send(response, refusal(500, 'server_error', 'Something went wrong.'));
    } finally {
      const [path = ''] = target.split('?');
      counters.record({ number, method, path, endpoint, status, fault });
    }

    async function answered(): Promise<Answer | undefined> {
      const act = strike?.act;
      if (act?.stage === 'headers') return void act.act(context);
      const body = await readBody(request);
      if (closing.aborted) return undefined;
      if (act?.stage === 'before') return act.act(context);
      if (act?.stage === 'beside') void act.act(context);
      const answer = api({ number, method, target, headers, body });
      if (act?.stage !== 'after') return answer;
      if (isOutOfPlace(strike, answer)) {
        strike?.giveBack();
        fault = null;
        return answer;
      }
      return act.act(context, answer);
    }
  }

  return { gate, world };
}

const isOutOfPlace = (strike: Strike | undefined, answer: Answer) =>
  strike?.needsSuccess === true && answer.status !== 200;

/** The whole body, or as much of it as shows that it is too large. */
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
