import { hash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Json } from '../platform/json.ts';
import type { NextTurn } from '../platform/turns.ts';
import { messageOf } from './booking-outcome.ts';
import type { Call, Calls } from './calls.ts';
import type { Clinic, Listing, Priority } from './clinic.ts';
import { KEYS_HINT, quoted, readableAnswer } from './http/answer.ts';
import type { Exchange } from './http/exchange.ts';
import { listBytes } from './http/list-bytes.ts';
import { saysNo, softRefusal } from './http/soft-refusal.ts';
import {
  readCareId,
  readList,
  readSingle,
  readStatistics,
  readStatus,
  readTreatment,
} from './read-answer.ts';

interface ReadsOptions {
  calls: Calls;
  words: (message: string) => string;
  /** Combines the caller's signal with the closing of the clinic. */
  until: (signal: AbortSignal) => AbortSignal;
  /** Whether this is the organization that the clinic is known as. */
  accepts: (careId: string) => Promise<boolean>;
  nextTurn: NextTurn;
  clock: Clock;
}

type Reads = Omit<Clinic, 'key' | 'book' | 'limiter' | 'close'> & { identity: Identity };

/** Far more than a clinic's longest list, but no decompression bomb. */
const ANSWER_BYTES = 8_000_000;
/** How long the clinic may take to begin its answer. */
const RESPONSE_MS = 30_000;
/** Long enough for one round of bookings, short enough to notice a replaced server. */
const CONFIRMED_FOR_MS = 10_000;

/** Whether the server is still the clinic we know. */
export interface Identity {
  /** Reads the organization again unless recently confirmed. Throws as `Clinic.confirmIdentity` does. */
  confirm(priority: Priority, signal: AbortSignal, forMs: number, responseMs?: number): Promise<void>;
  /** True if it was read within `forMs`, without a new token, error or answer from a new address since. */
  isConfirmed(forMs: number): boolean;
}

/** The reading endpoints (specification section 4). */
export function createReads({ calls, words, until, accepts, nextTurn, clock }: ReadsOptions): Reads {
  const call = (path: string, priority: Priority, signal: AbortSignal, more: Partial<Call> = {}): Call => ({
    method: 'GET',
    path,
    endpoint: `GET ${path}`,
    priority,
    mostBytes: ANSWER_BYTES,
    responseMs: RESPONSE_MS,
    signal: until(signal),
    ...more,
  });

  /** Takes turns with reads of other clinics; bookings, and what is waited for, skip the queue. */
  const answerTo = async (asked: Call): Promise<Exchange> => {
    const isUrgent = asked.priority === 'booking' || asked.priority === 'awaited';
    if (!isUrgent) await nextTurn();
    const exchange = await calls.read(asked);
    if (!isUrgent) await nextTurn();
    return exchange;
  };

  const json = async (asked: Call): Promise<Json> => jsonOf(await answerTo(asked), asked);

  const jsonOf = (exchange: Exchange, asked: Call): Json => {
    // An abort looks like a broken call, but the caller expects the signal's reason.
    if (exchange.kind === 'broken') asked.signal.throwIfAborted();
    const value = readableAnswer(exchange, asked.endpoint, words);
    if (!saysNo(value)) return value;
    const reason = exchange.kind === 'answer' ? messageOf(exchange, words) : '';
    throw saidNo(exchange, asked.endpoint, reason);
  };

  /** One object by id; undefined when the clinic has none. */
  const one = async <T>(asked: Call, read: (value: Json, endpoint: string) => T): Promise<T | undefined> => {
    const exchange = await answerTo(asked);
    if (exchange.kind === 'broken') asked.signal.throwIfAborted();
    return oneOf(exchange, asked, read);
  };

  const list =
    (resource: 'treatments' | 'dentists') =>
    async (signal: AbortSignal, known?: string): Promise<Listing> => {
      const asked = call(`/${resource}`, 'list', signal);
      const exchange = await answerTo(asked);
      const digest = digestOf(exchange);
      if (digest !== undefined && digest === known)
        return { records: [], unreadable: [], digest, isSame: true };
      const listing = readList(resource, jsonOf(exchange, asked), asked.endpoint, pagesOf(exchange));
      return { ...listing, ...(digest !== undefined && { digest }) };
    };

  const never = { at: Number.NEGATIVE_INFINITY, era: -1 };
  let confirmed = never;
  /** The organization, if it is the clinic's own. */
  const ownOrganization = async (
    priority: Priority,
    signal: AbortSignal,
    responseMs = RESPONSE_MS,
  ): Promise<Json> => {
    const answer = await json(call('/organization', priority, signal, { responseMs }));
    const seen = { at: clock.monotonic(), era: calls.era() };
    const careId = readCareId(answer);
    if (careId !== null && !(await accepts(careId))) {
      confirmed = never;
      throw unconfirmed(careId);
    }
    confirmed = seen;
    return answer;
  };
  const identity: Identity = {
    async confirm(priority, signal, forMs, responseMs) {
      if (!identity.isConfirmed(forMs)) await ownOrganization(priority, signal, responseMs);
    },
    isConfirmed: (forMs) => clock.monotonic() - confirmed.at < forMs && confirmed.era === calls.era(),
  };

  return {
    identity,
    confirmIdentity: (signal, responseMs) => identity.confirm('status', signal, CONFIRMED_FOR_MS, responseMs),
    async organization(signal) {
      const asked = call('/organization', 'list', signal);
      const answer = await json(asked);
      const statistics = readStatistics(answer);
      return {
        ...readSingle('organization', answer, asked.endpoint),
        ...(statistics === undefined ? {} : { statistics }),
      };
    },
    async appointmentCount(signal) {
      return readStatistics(await ownOrganization('booking', signal))?.total_appointments ?? null;
    },
    async website(signal, responseMs = RESPONSE_MS) {
      const asked = call('/website', 'list', signal, { responseMs });
      return readSingle('website', await json(asked), asked.endpoint);
    },
    treatments: list('treatments'),
    dentists: list('dentists'),
    async treatment(id, signal) {
      const endpoint = 'GET /treatments/{id}';
      return one(call(`/treatments/${whole(id)}`, 'list', signal, { endpoint }), readTreatment);
    },
    async appointmentStatus(id, signal, priority = 'status') {
      const endpoint = 'GET /appointments/status/{id}';
      return one(call(`/appointments/status/${whole(id)}`, priority, signal, { endpoint }), readStatus);
    },
  };
}

const unconfirmed = (careId: string) =>
  new Failure({
    kind: 'transient',
    message:
      `The organization that answers (care_id ${careId}) is not confirmed as ` +
      'this clinic’s: nothing is read from it or sent to it',
    hint: 'See clinic-sync guards list. If it is another clinic’s, check app_key, secret_key and base_url',
  });

/** A throttle or an expired token says nothing of the object, whatever its status. */
const isSoft = (exchange: Exchange): boolean =>
  exchange.kind === 'answer' && softRefusal(exchange) !== undefined;

/** 410 is a 404 that lasts; 400 is what some servers answer for an unknown id. */
const hasNone = (exchange: Exchange): boolean =>
  exchange.kind === 'answer' && [400, 404, 410].includes(exchange.status) && !isSoft(exchange);

function oneOf<T>(
  exchange: Exchange,
  { endpoint }: Call,
  read: (value: Json, endpoint: string) => T,
): T | undefined {
  if (hasNone(exchange)) return undefined;
  // Without the clinic's own words, which may name the patient.
  const value = readableAnswer(exchange, endpoint, () => '');
  if (!saysNo(value)) return read(value, endpoint);
  if (isSoft(exchange)) throw saidNo(exchange, endpoint, '');
  return undefined;
}

/** `success: false`: for now, in the words of a throttle, of maintenance or of an expired token; else for good. */
function saidNo(exchange: Exchange, endpoint: string, reason: string): Failure {
  const why = exchange.kind === 'answer' ? softRefusal(exchange) : undefined;
  const isPassing = why === 'throttled' || why === 'maintenance';
  return new Failure({
    kind: isPassing ? 'transient' : 'refused',
    message: `${endpoint}: the clinic says no${quoted(reason)}`,
    hint: why === 'token' ? KEYS_HINT : undefined,
    retryAfterMs: isPassing ? exchange.retryAfterMs : undefined,
  });
}

/** Undefined for an error: the same bytes with another status are another answer. */
function digestOf(exchange: Exchange): string | undefined {
  if (exchange.kind !== 'answer') return undefined;
  const { status, body } = exchange;
  return `${status}:${hash('sha256', listBytes(body) ?? body, 'base64url')}`;
}

/** The id as path segment: nothing but digits may get there. */
function whole(id: number): number {
  if (Number.isSafeInteger(id)) return id;
  throw new Failure({ kind: 'refused', message: 'An id must be a whole number' });
}

const pagesOf = (exchange: Exchange) => (exchange.kind === 'answer' ? exchange.pages : undefined);
