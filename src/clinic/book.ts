import { MINUTE } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { BookingBody } from './booking-body.ts';
import { bookingOutcome } from './booking-outcome.ts';
import type { Calls, Leave } from './calls.ts';
import type { BookingOutcome, Clinic } from './clinic.ts';
import type { Exchange } from './http/exchange.ts';
import { safeWords } from './http/redaction.ts';
import type { Token } from './http/tokens.ts';
import type { Identity } from './reads.ts';

interface BookOptions {
  calls: Calls;
  /** Values that no message may show. */
  secrets: () => string[];
  /** Undefined where any clinic is accepted. */
  identity: Identity | undefined;
}

/** Bookings in quick succession share one reading of the organization. The gap between calls comes on top. */
const CONFIRMED_FOR_MS = 2_000;
/** A renewed token, another call's failure or a wait for the turn can each cost another reading. */
const CONFIRMATIONS = 3;
const BOOK = 'POST /appointments/book';

/** POST /appointments/book (specification 4.7): sent once, whatever the answer is. */
export function createBook({ calls, secrets, identity }: BookOptions): Clinic['book'] {
  const forMs = () => CONFIRMED_FOR_MS + calls.gapMs();
  const isConfirmed = () => identity?.isConfirmed(forMs()) ?? true;
  let wasTokenRefused = false;
  /** The next booking is sent with another token; after a second refusal in a row that is no longer tried at once. */
  const noteToken = (token: Token, exchange: Exchange) => {
    const isRefused = exchange.status === 401;
    if (isRefused && wasTokenRefused) calls.tokens.refusedAgain();
    if (exchange.kind === 'answer') calls.judgeToken({ endpoint: BOOK }, exchange, token);
    wasTokenRefused = isRefused;
  };

  /** Permission to send, to the clinic we know. Throws as `confirmIdentity` does. */
  const leave = async (signal: AbortSignal): Promise<Leave> => {
    for (let tries = 0; ; tries += 1) {
      await identity?.confirm('booking', signal, forMs());
      const given = await calls.leave('booking', signal);
      if (isConfirmed()) return given;
      given.turn.end('unused');
      if (tries >= CONFIRMATIONS) throw unsteady;
    }
  };

  /** Permission to send later than recorded; undefined if it may no longer be sent. Throws as `leave` does. */
  const leaveAgain = async (mayStillSend: () => boolean, signal: AbortSignal): Promise<Leave | undefined> => {
    const again = await leave(signal);
    if (mayStillSend()) return again;
    again.turn.end('unused');
    return undefined;
  };

  /** Permission to send what `beforeSend` has recorded. Throws its error, or before that the signal's reason. */
  const readyToSend = async ({ signal, beforeSend, mayStillSend }: Options) => {
    const first = await leaveOrOutcome(leave, signal);
    if ('class' in first) return first;
    try {
      await beforeSend();
    } catch (error) {
      first.turn.end('unused');
      throw error;
    }
    if (isConfirmed()) return first;
    // The confirmation expired or was invalidated while `beforeSend` ran.
    first.turn.end('unused');
    const again = (withSignal: AbortSignal) => leaveAgain(mayStillSend, withSignal);
    return (await leaveOrOutcome(again, signal).catch(() => undefined)) ?? calledOff;
  };

  return async (request, options) => {
    const { signal } = options;
    const body = bookable(request);
    const patient = {
      name: body.patient_name,
      phone: body.patient_phone,
      texts: [body.address, body.note],
    };
    const words = (message: string) => safeWords(message, { patient, secrets: secrets() });
    const call = {
      method: 'POST',
      path: '/appointments/book',
      endpoint: BOOK,
      priority: 'booking',
      body: JSON.stringify(body),
      mostBytes: 1_000_000,
      responseMs: MINUTE,
      signal,
    } as const;

    const first = await readyToSend(options);
    if ('class' in first) return first;
    const exchange = await calls.send(call, first);
    noteToken(first.token, exchange);
    return bookingOutcome(exchange, words);
  };
}

/** Exactly the fields named in the specification. */
function bookable(request: unknown): BookingBody {
  const result = BookingBody.safeParse(request);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.join('.') ?? '';
  throw new Failure({
    kind: 'refused',
    message: `A booking with this ${field} cannot be sent to the clinic`,
  });
}

/** Without a token the booking was never sent; the reason for its absence decides the outcome. */
async function leaveOrOutcome<Given>(
  leave: (signal: AbortSignal) => Promise<Given>,
  signal: AbortSignal,
): Promise<Given | BookingOutcome> {
  try {
    return await leave(signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    const { status, message, retryAfterMs } = error;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    if (error.kind === 'refused' && (status === 401 || status === 403))
      return { class: 'lane_refusal', status, message, ...wait };
    if (status === 429) return { class: 'lane_refusal', status, message, ...wait };
    const ours = error === unsteady && { ours: true as const };
    return { class: 'never_sent', detail: message, lasting: error.lasting, ...ours };
  }
}

type Options = Parameters<Clinic['book']>[1];

const calledOff: BookingOutcome = {
  class: 'never_sent',
  detail: 'the booking was cancelled before it was sent',
  ours: true,
};

/** As on a machine that is too busy to send within two seconds of the answer. */
const unsteady = new Failure({ kind: 'transient', message: 'The connection to the clinic keeps changing' });
