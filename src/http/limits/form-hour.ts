import { type Submission, type SubmissionField, submissionFields } from '../../domain/bookings/booking.ts';
import type { Clock } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { Json } from '../../platform/json.ts';
import { type Allowance, addressKey, all, createAllowance, together } from './allowance.ts';

/** Bytes of text that a genuine request rarely exceeds; a flood may store this much per submission. */
const BRIEF_BYTES = 400;
/** Bytes an hour for all longer texts together. */
const LONG_TEXT_BYTES = 50_000;
/** Brief submissions an hour, besides the full ones: per visitor, per network and in total. */
const BRIEF = { visitor: 2, network: 10, all: 300 };

/**
 * What all visitors of a public form may store in an hour. Beyond `inFull` submissions, each further one is shortened
 * and held; one visitor or network can use only part of that allowance.
 */
export interface FormHour {
  /** Milliseconds until a submission from this address is accepted, even shortened; undefined when it is now. */
  waitMs(address: string): number | undefined;
  /** Counts a submission that `waitMs` allows, and returns it in the form to be stored. */
  take(address: string, submission: Submission): Submission;
}

export function createFormHour(inFull: number, clock: Clock): FormHour {
  const hourly = (limit: number) => createAllowance({ limit, windowMs: HOUR, clock });
  const full = together(hourly(inFull));
  const longTexts = together(hourly(LONG_TEXT_BYTES));
  const brief = all([hourly(BRIEF.visitor), ofNetwork(hourly(BRIEF.network)), together(hourly(BRIEF.all))]);

  return {
    waitMs: (address) => (full.waitMs('') === undefined ? undefined : brief.waitMs(address)),
    take(address, submission) {
      const extra = Math.max(0, bytesOf(submission) - BRIEF_BYTES);
      if (full.waitMs('') !== undefined) {
        brief.count(address);
        return shortened(submission, `More than ${inFull} came through this form within an hour.`);
      }
      full.count('');
      if (extra === 0) return submission;
      if (longTexts.waitMs('') !== undefined)
        return shortened(submission, 'Many long texts came through this form within an hour.');
      longTexts.count('', extra);
      return submission;
    },
  };
}

/** One subscriber or hosting customer often has an IPv6 /48 or an IPv4 /24. */
const networkOf = (address: string): string =>
  addressKey(address)
    .replace(/^((?:[\da-f]+:){2}[\da-f]+):[\da-f]+$/, '$1')
    .replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1');

const ofNetwork = (allowance: Allowance): Allowance => ({
  waitMs: (address) => allowance.waitMs(networkOf(address)),
  count: (address) => allowance.count(networkOf(address)),
});

const bytesOf = ({ fields }: Submission): number =>
  Object.values(fields).reduce<number>((sum, value) => sum + Buffer.byteLength(asText(value)), 0);

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Holds the submission and cuts its texts to `BRIEF_BYTES`, in the order of the booking's fields. */
function shortened(submission: Submission, why: string): Submission {
  const fields: Partial<Record<SubmissionField, Json>> = Object.create(null);
  let left = BRIEF_BYTES;
  let isCut = false;
  for (const field of submissionFields) {
    const value = submission.fields[field];
    if (value === undefined) continue;
    const room = Math.min(left, BRIEF_BYTES / 2);
    const bytes = Buffer.byteLength(asText(value));
    const kept = bytes <= room ? value : cut(asText(value), room);
    isCut ||= kept !== value;
    left -= Math.min(bytes, room);
    if (kept !== '') fields[field] = kept;
  }
  const over_limit = isCut ? `${why} Its long texts end in “…”.` : why;
  return { ...submission, fields, over_limit };
}

/** The characters that fit into this many bytes. */
function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/(?<!\uFFFD)\uFFFD+$/, '');
  return whole === '' ? '' : `${whole}…`;
}
