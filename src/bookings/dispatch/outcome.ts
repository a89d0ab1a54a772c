import type { BookingOutcome } from '../../clinic/clinic.ts';
import type { UnknownCause } from '../../domain/bookings/booking.ts';
import { answers } from '../messages.ts';

/** What one send means for its booking. */
export type Settlement =
  | { to: 'booked'; appointment_id: number }
  | { to: 'rejected'; message: string; refused: number }
  | { to: 'unknown'; cause: UnknownCause; answer: string; answered_id?: number }
  /** Not executed, as was proven or, if it was refused, as the clinic says: may be sent again. */
  | { to: 'queued'; proof: string; refused?: number }
  /** Refused before processing too often, and no other booking was: retrying does not help. */
  | { to: 'held'; words: string; refused: number };

/** A refusal given before the clinic processed the booking; it may concern only this one. */
export const unseenRefusal = (outcome: BookingOutcome): { status: number; words: string } | undefined =>
  outcome.class === 'lane_refusal' && mayBeTheBooking.has(outcome.status)
    ? { status: outcome.status, words: outcome.message }
    : undefined;

/** What one send means for the next ones. */
export type DispatchEffect =
  | { kind: 'fine' }
  | { kind: 'unknown' }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'limit'; reason: string; retryAfterMs?: number }
  | { kind: 'credentials'; reason: string }
  /** `safe`: the refusal certainly created nothing, so resending is harmless. */
  | { kind: 'configuration'; reason: string; safe: boolean }
  /** One booking was refused before processing: the fault is in the booking or in the configuration. */
  | { kind: 'refused'; reason: string; ref: string }
  /** That booking is held; sending continues. */
  | { kind: 'set_aside' };

const generalRefusals: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 415, 429]);
/** Statuses that may concern one booking (such as an unknown dentist) or all of them. */
const mayBeTheBooking: ReadonlySet<number> = new Set([403, 404, 405, 415]);
const refusals: ReadonlySet<number> = new Set([400, 409, 410, 413, 414, 422, 431]);
const isRefusal = (status: number) => refusals.has(status) || (status >= 200 && status < 300);

/**
 * The only place that judges outcomes. It rechecks the status although the client classified it: a class that does not
 * fit its status must end as "unknown", never as "send again".
 */
export function judgeOutcome(outcome: BookingOutcome): { booking: Settlement; effect: DispatchEffect } {
  switch (outcome.class) {
    case 'booked':
      return Number.isSafeInteger(outcome.appointment_id) && outcome.appointment_id > 0
        ? { booking: { to: 'booked', appointment_id: outcome.appointment_id }, effect: { kind: 'fine' } }
        : doubt('accepted_no_id', 'accepted, without a usable appointment number');
    case 'no_id':
      return doubt('accepted_no_id', 'accepted, without a usable appointment number');
    case 'refused':
      if (!isRefusal(outcome.status)) return doubt('unexpected_status', `status ${outcome.status}`);
      return {
        booking: { to: 'rejected', message: outcome.message, refused: outcome.status },
        effect: { kind: 'fine' },
      };
    case 'never_sent':
      return {
        booking: { to: 'queued', proof: 'No connection to the clinic was made; nothing was sent.' },
        // A pause that grows would blame the clinic for what is ours.
        effect: outcome.ours
          ? { kind: 'unknown' }
          : unreachable(`The clinic’s API cannot be reached: ${outcome.detail}.`, outcome.lasting === true),
      };
    case 'lane_refusal':
      if (!generalRefusals.has(outcome.status)) return doubt('unexpected_status', `status ${outcome.status}`);
      return {
        booking: {
          to: 'queued',
          proof: `The clinic’s API refused the request (${outcome.status}).`,
          refused: outcome.status,
        },
        effect: refusedEffect(outcome.status, outcome.retryAfterMs),
      };
    case 'deferred':
      if (!isRefusal(outcome.status)) return doubt('unexpected_status', `status ${outcome.status}`);
      return {
        booking: { to: 'queued', proof: `${deferrals[outcome.why]}.`, refused: outcome.status },
        effect: deferredEffect(outcome),
      };
    case 'ambiguous': {
      const { booking, effect } = doubt(outcome.cause, answers[outcome.cause], outcome.status);
      // The booking is unknown either way; the pause keeps the next one from the same fault.
      if (outcome.cause === 'redirect' || outcome.cause === 'certificate_or_protocol')
        return {
          booking,
          effect: { kind: 'configuration', reason: lastingFaults[outcome.cause], safe: false },
        };
      return { booking, effect };
    }
    default:
      return doubt('unexpected_answer', 'an answer of no known kind');
  }
}

function doubt(cause: UnknownCause, answer: string, status?: number) {
  const shown = status === undefined || answer.includes(String(status)) ? answer : `${answer} (${status})`;
  return { booking: { to: 'unknown', cause, answer: shown } as const, effect: { kind: 'unknown' } as const };
}

const lastingFaults = {
  redirect: 'The clinic’s API answered a booking with a redirect: check base_url.',
  certificate_or_protocol:
    'The clinic’s API has no safe connection, or does not speak HTTP: check its certificate and base_url.',
} as const;

/** A lasting fault is reported to a user; any other is retried. */
export const unreachable = (reason: string, lasting: boolean): DispatchEffect =>
  lasting ? { kind: 'configuration', reason, safe: true } : { kind: 'unreachable', reason };

const deferrals = {
  token: 'The clinic’s API says that our token is not valid',
  throttled: 'The clinic’s API asks us to wait',
  maintenance: 'The clinic’s API says that it is under maintenance',
} as const;

function deferredEffect({
  why,
  retryAfterMs,
}: Extract<BookingOutcome, { class: 'deferred' }>): DispatchEffect {
  const reason = `${deferrals[why]}.`;
  if (why === 'token') return { kind: 'credentials', reason };
  return { kind: 'limit', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function refusedEffect(status: number, retryAfterMs: number | undefined): DispatchEffect {
  if (status === 429)
    return {
      kind: 'limit',
      reason: 'The clinic’s API asked us to wait (429).',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  if (status === 401)
    return {
      kind: 'credentials',
      reason: 'The clinic’s API does not accept the credentials (401): check app_key and secret_key.',
    };
  return {
    kind: 'configuration',
    reason: `The clinic’s API refuses to book (${status}): check base_url and what the key may do.`,
    safe: true,
  };
}
