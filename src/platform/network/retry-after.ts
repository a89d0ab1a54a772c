import { HOUR } from '../duration.ts';

/**
 * How long a 429 or 503 asks us to wait (RFC 9110, 10.2.3): whole seconds or an HTTP date;
 * some servers write the time as a number. Anything else is ignored.
 */

/** Longer waits are capped, so that one odd `86400` cannot stop a clinic for a day. */
export const LONGEST_RETRY_AFTER_MS = HOUR;

/** From here on, a number is a time and no length: seconds since 1970, or milliseconds. */
const EPOCH_S = 1e9;
const EPOCH_MS = 1e11;

const seconds = /^\d{1,15}(\.\d+)?$/;
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
];
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

interface Answer {
  /** The answer's own `Date` header. */
  date?: string | undefined;
  /** Our wall clock, milliseconds. */
  now: number;
  longestMs?: number;
}

/** Milliseconds from now, 0 to `longestMs` (an hour); undefined when the header is absent or invalid. */
export function retryAfterMs(header: string | undefined, answer: Answer): number | undefined {
  const text = header?.trim() ?? '';
  const number = seconds.test(text) ? Number(text) : undefined;
  if (number !== undefined && number < EPOCH_S) return capped(number * 1_000, answer);
  const until = number === undefined ? httpDate(text) : number < EPOCH_MS ? number * 1_000 : number;
  if (until === undefined) return undefined;
  // Both dates come from the server's clock, so a difference from ours does not stretch the wait.
  return capped(until - (httpDate(answer.date?.trim() ?? '') ?? answer.now), answer);
}

const capped = (ms: number, { longestMs = LONGEST_RETRY_AFTER_MS }: Answer) =>
  Math.min(Math.max(0, ms), longestMs);

/** Stricter than Date.parse, which reads "soon 5" as a day in May 2001. */
function httpDate(text: string): number | undefined {
  const known = httpDates.some((form) => form.test(text)) || asctime.test(text);
  if (!known) return undefined;
  const ms = Date.parse(asctime.test(text) ? `${text} GMT` : text);
  return Number.isNaN(ms) ? undefined : ms;
}
