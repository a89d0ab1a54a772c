import { type Clock, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { isWebPage } from '../platform/network/web-page.ts';
import type { ClinicEvent, Priority } from './clinic.ts';
import { KEYS_HINT, readableAnswer } from './http/answer.ts';
import type { Answer, Exchange } from './http/exchange.ts';
import { hasNoise } from './http/json-body.ts';
import { mayConcernToken, softRefusal } from './http/soft-refusal.ts';
import { createTokens, type Token, type Tokens } from './http/tokens.ts';
import type { HttpCall, Transport } from './http/transport.ts';
import type { Limiter, Turn } from './rate-limit/limiter.ts';
import type { CallVerdict } from './rate-limit/rate-learner.ts';
import { readToken } from './read-answer.ts';

/** A call that needs a token. */
export interface Call extends Omit<HttpCall, 'headers'> {
  /** For messages: `GET /treatments/{id}`. */
  endpoint: string;
  priority: Priority;
}

/** Permission to send one request now. It must be used or returned. */
export interface Leave {
  token: Token;
  turn: Turn;
}

export interface Calls {
  readonly tokens: Tokens;
  /** Changes whenever another server may be answering: after a new token, an error, or an answer from a new address. */
  era(): number;
  /** Median duration of the last complete answers, milliseconds: tells a slow clinic from one that is down. */
  answerMs(): number | null;
  /** How long each call of a booking waits after any other call, because the clinic requires it. */
  gapMs(): number;
  /** Waits for a token and a turn. Throws `Failure` when there is no token, or the signal's reason. */
  leave(priority: Priority, signal: AbortSignal): Promise<Leave>;
  /** Sends it once. Never throws. */
  send(call: Call, leave: Leave): Promise<Exchange>;
  /** Sends it, and resends it with another token after a refusal that may concern it. Only for idempotent calls. */
  read(call: Call): Promise<Exchange>;
  /** Drops the token if this answer may be about it. True when another one may be tried. */
  judgeToken(call: Pick<Call, 'endpoint'>, answer: Answer, token: Token): boolean;
}

interface CallsOptions {
  limiter: Limiter;
  transport: Transport;
  clinic: string;
  /** `renewed`: those that have taken their place meanwhile, if any. */
  keys: { current(): Keys; renewed(): boolean };
  clock: Clock;
  log: Log;
  words: (message: string) => string;
  onEvent: (event: ClinicEvent) => void;
  /** A token that no message may show. */
  onSecret: (token: string) => void;
  closing: AbortSignal;
}

export interface Keys {
  app_key: string;
  secret_key: string;
}

const GRANT = 'POST /granttoken';
const ANSWERS_TIMED = 9;
/** One host name may resolve to several addresses; each counts once. */
const PEERS_KNOWN = 32;

export function createCalls(options: CallsOptions): Calls {
  const { limiter, transport, keys, clock, onEvent } = options;

  const noteNoise = noiseNoter(options);
  const times: number[] = [];
  let era = 0;
  const peers = new Set<string>();

  const watchPeer = (exchange: Exchange) => {
    const { peer } = exchange.kind === 'answer' ? exchange : {};
    if (peer !== undefined && peers.has(peer) && isInOrder(exchange)) return;
    era += 1;
    if (peers.size >= PEERS_KNOWN) peers.clear();
    if (peer !== undefined) peers.add(peer);
  };

  const onTheWire: OnTheWire = async (call, headers, turn) => {
    const began = clock.monotonic();
    const exchange = await transport.send({
      ...call,
      headers: { 'x-app-key': keys.current().app_key, ...headers },
    });
    const { status = 'none', retryAfterMs } = exchange;
    turn.end(verdictOf(exchange), retryAfterMs);
    noteNoise(exchange);
    watchPeer(exchange);
    const ms = Math.round(clock.monotonic() - began);
    if (exchange.kind === 'answer') times.splice(0, times.length, ...times.slice(1 - ANSWERS_TIMED), ms);
    onEvent({
      ...{ kind: 'call', priority: call.priority, endpoint: call.endpoint },
      ...{ status, ms, at: instant(clock.now()) },
      connected: exchange.kind === 'answer' || exchange.connected,
      serverTime: exchange.kind === 'answer' ? exchange.serverTime : undefined,
    });
    return exchange;
  };

  const tokens = createTokens({
    grant: createGrant(options, onTheWire),
    mayTryAgain: () => keys.renewed(),
    clock,
    onGranted(expires_at) {
      era += 1;
      onEvent({ kind: 'token_granted', expires_at });
    },
  });

  const calls: Calls = {
    tokens,
    era: () => era,
    gapMs: () => limiter.gapMs(),
    answerMs: () => times.toSorted((a, b) => a - b)[times.length >> 1] ?? null,

    async leave(priority, signal) {
      for (let turnPriority = priority; ; turnPriority = 'booking') {
        const token = await tokens.get(signal);
        const turn = await limiter.acquire(turnPriority, signal);
        if (tokens.isCurrent(token) && !signal.aborted) return { token, turn };
        // The token expired while waiting for the turn. The second time, skip the queue: a short-lived token would
        // otherwise be granted for ever and never used.
        turn.end('unused');
        signal.throwIfAborted();
      }
    },

    async send(call, { token, turn }) {
      const exchange = await onTheWire(call, { authorization: `Bearer ${token.value}` }, turn);
      if (exchange.kind === 'answer' && !mayConcern(exchange)) tokens.accepted(call.endpoint);
      return exchange;
    },

    judgeToken({ endpoint }, answer, token) {
      return mayConcern(answer) && tokens.refused(token, { endpoint, surely: answer.status === 401 });
    },

    async read(call) {
      const first = await calls.leave(call.priority, call.signal);
      const answer = await calls.send(call, first);
      if (answer.kind === 'broken' || !calls.judgeToken(call, answer, first.token)) return answer;
      const second = await calls.leave(call.priority, call.signal);
      const again = await calls.send(call, second);
      if (again.status === 401) tokens.refusedAgain();
      return again;
    },
  };
  return calls;
}

/** Once, because every answer has it. */
function noiseNoter({ clinic, log }: Pick<CallsOptions, 'clinic' | 'log'>): (exchange: Exchange) => void {
  let isNoted = false;
  return (exchange) => {
    if (isNoted || exchange.kind === 'broken' || !hasNoise(exchange.body)) return;
    isNoted = true;
    log.warn('the clinic’s server writes PHP messages in front of its answers', {
      clinic,
      hint: 'Tell whoever runs it to switch display_errors off.',
    });
  };
}

type OnTheWire = (call: Call, headers: Record<string, string>, turn: Turn) => Promise<Exchange>;

/** POST /granttoken. */
function createGrant({ limiter, keys, words, onSecret, closing }: CallsOptions, onTheWire: OnTheWire) {
  const grantWith = async (secret_key: string) => {
    // First in the queue, because other calls wait for the token.
    const priority = 'booking';
    const turn = await limiter.acquire(priority, closing);
    const exchange = await onTheWire(
      {
        method: 'POST',
        path: '/granttoken',
        endpoint: GRANT,
        priority,
        mostBytes: 1_000_000,
        responseMs: 30_000,
        signal: closing,
      },
      { 'x-app-secret-key': secret_key },
      turn,
    );
    if (refusesKeys(exchange))
      throw new Failure({
        kind: 'refused',
        message: 'The clinic refused the app key or the secret key',
        hint: KEYS_HINT,
        ...(exchange.status !== undefined && { status: exchange.status }),
      });
    const granted = readToken(readableAnswer(exchange, GRANT, words), GRANT);
    onSecret(granted.access_token);
    return granted;
  };

  return async () => {
    try {
      return await grantWith(keys.current().secret_key);
    } catch (error) {
      // Mounted secrets are rotated while the daemon runs.
      if (!(error instanceof Failure) || error.kind !== 'refused' || !keys.renewed()) throw error;
      return grantWith(keys.current().secret_key);
    }
  };
}

const mayConcern = (answer: Answer): boolean => answer.status === 401 || mayConcernToken(answer);

/** Not with a web page, which comes from something in between. */
const refusesKeys = (exchange: Exchange): boolean =>
  exchange.kind === 'answer' &&
  (exchange.status === 401 || exchange.status === 403 || softRefusal(exchange) === 'token') &&
  !isWebPage(exchange.body);

function verdictOf(exchange: Exchange): CallVerdict {
  if (exchange.status === 429) return 'refused';
  if (exchange.kind === 'answer' && softRefusal(exchange) === 'throttled') return 'refused';
  return exchange.status === undefined ? 'lost' : 'accepted';
}

/** Neither a refused token nor a server error. */
const isInOrder = ({ status = 0 }: Exchange): boolean => status < 500 && status !== 401 && status !== 403;
