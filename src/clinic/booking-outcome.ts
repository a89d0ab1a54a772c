import type { UnknownCause } from '../domain/bookings/booking.ts';
import { isObject } from '../platform/json.ts';
import { BookingAnswer } from './booking-body.ts';
import type { BookingOutcome } from './clinic.ts';
import { type Answer, type Broken, describeBroken, type Exchange, isLasting } from './http/exchange.ts';
import { describeBody, readJson } from './http/json-body.ts';
import { softRefusal } from './http/soft-refusal.ts';

/** Sending must wait or stop, and the request was certainly not carried out. */
const laneRefusals: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 415, 429]);
/** This booking was refused, and certainly not created. */
const refusals: ReadonlySet<number> = new Set([400, 409, 410, 413, 414, 422, 431]);

/**
 * The outcome of a POST to /appointments/book. Decided only by what was observed: whether a connection was made,
 * whether the answer was complete, its status and its body. Error codes decide nothing, because the same code can occur
 * before and after a server has booked. `redact` cleans the clinic's message.
 */
export function bookingOutcome(exchange: Exchange, redact: (message: string) => string): BookingOutcome {
  if (exchange.kind === 'broken') return outcomeOfBroken(exchange);
  const { status } = exchange;
  if (status >= 200 && status < 300) return outcomeOfSuccess(exchange, redact);
  if (laneRefusals.has(status)) {
    const { retryAfterMs } = exchange;
    const message = messageOf(exchange, redact) || NO_REASON;
    return {
      class: 'lane_refusal',
      status,
      message,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  if (refusals.has(status)) return refusal(exchange, messageOf(exchange, redact));
  return ambiguous(causeOfStatus(status), `the clinic answered ${status}`, status);
}

/** Certainly not created: for good, or only for now. */
function refusal(answer: Answer, message: string): BookingOutcome {
  const { status, retryAfterMs } = answer;
  const why = softRefusal(answer);
  const given = { status, message: message || NO_REASON };
  if (why === undefined) return { class: 'refused', ...given };
  return { class: 'deferred', why, ...given, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function outcomeOfBroken(broken: Broken): BookingOutcome {
  const detail = describeBroken(broken);
  if (!broken.connected) return { class: 'never_sent', detail, lasting: isLasting(broken) };
  return ambiguous(causeOfBreak(broken), detail, broken.status);
}

function causeOfBreak({ problem, status }: Broken): UnknownCause {
  switch (problem) {
    case 'timeout':
      return 'timeout';
    case 'aborted':
      return 'interrupted';
    case 'connection':
      return status === undefined ? 'connection_lost' : 'cut_answer';
    case 'cut':
      return 'cut_answer';
    case 'too_long':
    case 'unreadable':
      return 'unreadable_answer';
    case 'protocol':
      return status === undefined ? 'certificate_or_protocol' : 'unreadable_answer';
    case 'certificate':
    case 'unsendable':
      return 'certificate_or_protocol';
  }
}

function causeOfStatus(status: number): UnknownCause {
  if (status === 408) return 'status_408';
  if (status >= 500 && status < 600) return 'status_5xx';
  return status >= 300 && status < 400 ? 'redirect' : 'unexpected_status';
}

function outcomeOfSuccess(answered: Answer, redact: (message: string) => string): BookingOutcome {
  const { status, body } = answered;
  const json = readJson(body, { lenient: true });
  if (!json.ok)
    return ambiguous(
      json.problem === 'cut' || json.problem === 'empty' ? 'cut_answer' : 'unreadable_answer',
      describeBody(json.problem),
      status,
    );
  const answer = BookingAnswer.safeParse(json.value);
  if (!answer.success) return ambiguous('unexpected_answer', 'the answer does not say success', status);
  const message = redact(textIn(answer.data.message));
  if (!answer.data.success) return refusal(answered, message);
  const id = idIn(answer.data.data);
  return id === undefined ? { class: 'no_id', message } : { class: 'booked', appointment_id: id, message };
}

function idIn(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null || !('appointment_id' in data)) return undefined;
  const given = data.appointment_id;
  // Plain digits are as certain as a number; "05", " 5" and "5.0" are not.
  const id = typeof given === 'string' && /^[1-9][0-9]*$/.test(given) ? Number(given) : given;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

const NO_REASON = 'The clinic gave no reason.';

/** The clinic's message in an error body (section 7); empty when there is none. */
export function messageOf({ body }: Answer, redact: (message: string) => string): string {
  const json = readJson(body, { lenient: true });
  const value = json.ok ? json.value : null;
  const message = isObject(value) ? value.message : '';
  return redact(textIn(message));
}

/** Validators send their reasons as a list, or as a map by field: the texts in it, without the names of the fields. */
function textIn(message: unknown): string {
  if (typeof message === 'string') return message;
  if (typeof message !== 'object' || message === null) return '';
  return Object.values(message)
    .map(textIn)
    .filter((text) => text !== '')
    .join(' ');
}

const ambiguous = (cause: UnknownCause, detail: string, status?: number): BookingOutcome => ({
  class: 'ambiguous',
  cause,
  detail,
  ...(status === undefined ? {} : { status }),
});
