import { createHash } from 'node:crypto';
import type { ClinicSettings } from '../../config/config.ts';
import { type Booking, noClinic, type Submission } from '../../domain/booking.ts';
import { bookingRefPattern } from '../../domain/booking-ref.ts';
import { comparablePhone } from '../../domain/phone.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { normalise } from '../../platform/json.ts';
import type { NewBooking } from '../../store/ports/bookings.ts';
import type { Store } from '../../store/store.ts';
import { contentHash } from '../content-hash.ts';
import { heldMessage, holds, taskPrefix } from '../messages.ts';
import { check, type Facts, type Verdict } from './check.ts';
import type { FactsSource } from './facts.ts';
import { type Draft, type Fault, readFields } from './read-fields.ts';

const MERGE_WITHIN_MS = 15 * 60_000;
const LONGEST_SUBMISSION_ID = 300;

const nothingKnown: Facts = {
  zone: 'UTC',
  dentists: undefined,
  treatments: undefined,
  openingHours: undefined,
};

interface IntakeOptions {
  store: Store;
  clinics: ReadonlyMap<string, ClinicSettings>;
  sources: ReadonlyMap<string, { approval: 'none' | 'required' }>;
  facts: FactsSource;
  clock: Clock;
  /** True while nobody has looked at what an older database has forgotten. */
  isRestored: () => boolean;
}

export interface Intake {
  /** Durable when it resolves. */
  accept(submission: Submission): Promise<{ booking: Booking; result: 'new' | 'same' | 'merged' }>;
  validate(submission: Submission): Promise<Fault[]>;
  /**
   * Checks fields of a stored booking as they would be checked now. A person's own decision needs no approval;
   * limits are about new ones only.
   */
  checkAgain(
    draft: Draft,
    booking: Booking,
    who: 'person' | 'daemon',
  ): Promise<Verdict & { phone_e164: string | null }>;
}

export function createIntake({ store, clinics, sources, facts, clock, isRestored }: IntakeOptions): Intake {
  /** Under way and not counted by the store yet: a burst must not slip under a limit. */
  const underWay = new Map<string, number>();

  const clinicOf = ({ clinic }: Submission): ClinicSettings | undefined => {
    if (clinic !== undefined && clinic !== '') return clinics.get(clinic);
    const [only, ...others] = clinics.values();
    return others.length === 0 ? only : undefined;
  };

  const examine = async (submission: Submission) => {
    const settings = clinicOf(submission);
    const { draft, faults } = readFields(submission.fields, settings?.bookings.max_text);
    for (const { field, message } of submission.problems ?? [])
      faults.push({ field, message: normalise(message), reason: 'invalid_field' });
    if (settings === undefined)
      faults.unshift({
        field: 'clinic',
        message: `It names none of the clinics: ${[...clinics.keys()].join(', ')}.`,
        reason: 'missing_field',
      });
    if (isRestored() && carriesRef(submission))
      faults.push({ field: 'booking', message: holds.restored_state.means, reason: 'restored_state' });
    const known = settings === undefined ? undefined : await facts.of(settings);
    const judge = (more: readonly Fault[], approval: boolean) =>
      check(draft, known ?? nothingKnown, {
        nowMs: clock.now(),
        horizonDays: settings?.bookings.horizon_days ?? Infinity,
        approval,
        faults: [...faults, ...more],
      });
    return { settings, draft, judge, phone_e164: comparablePhone(draft.patient_phone, known?.country) };
  };

  const needsApproval = (settings: ClinicSettings | undefined, source: string) =>
    settings?.bookings.approval === 'required' || sources.get(source)?.approval === 'required';

  const overLimit = async (
    { key, bookings: rules }: ClinicSettings,
    source: string,
    phone_e164: string | null,
    ahead: readonly number[],
  ): Promise<Fault[]> => {
    const { max_per_source_per_hour: perHour, max_per_phone_per_day: perDay } = rules;
    const since = (ms: number) => instant(clock.now() - ms);
    const faults: Fault[] = [];
    const fromSource = await store.bookings.countSince(key, since(HOUR), { source }, perHour);
    if (fromSource + (ahead[0] ?? 0) >= perHour)
      faults.push(limit(`More than ${perHour} came from this source within an hour.`));
    if (phone_e164 === null) return faults;
    const withPhone = await store.bookings.countSince(key, since(24 * HOUR), { phone_e164 }, perDay);
    if (withPhone + (ahead[1] ?? 0) >= perDay)
      faults.push(limit(`More than ${perDay} came with this phone number within a day.`));
    return faults;
  };

  /** Resolves `work` with how many of each key were already under way. */
  const counting = async <T>(keys: readonly string[], work: (ahead: number[]) => Promise<T>): Promise<T> => {
    const ahead = keys.map((key) => underWay.get(key) ?? 0);
    for (const key of keys) underWay.set(key, (underWay.get(key) ?? 0) + 1);
    try {
      return await work(ahead);
    } finally {
      for (const key of keys) {
        const left = (underWay.get(key) ?? 1) - 1;
        if (left > 0) underWay.set(key, left);
        else underWay.delete(key);
      }
    }
  };

  return {
    async accept(submission) {
      const { settings, draft, judge, phone_e164 } = await examine(submission);
      const { source } = submission;
      const base = {
        clinic: settings?.key ?? noClinic,
        source,
        submission_id: submissionId(submission),
        phone_e164,
        unreadable_fields: [...new Set((submission.problems ?? []).map(({ field }) => field))],
        content_hash: contentHash(settings?.key ?? noClinic, draft, phone_e164),
        not_before: null,
        received_at: instant(clock.now()),
      };
      if (submission.task !== undefined)
        return await store.bookings.accept(taskOf(submission, draft, base), 0);
      if (settings === undefined)
        return await store.bookings.accept(newBooking(judge([], false), base), MERGE_WITHIN_MS);

      const keys = [`${settings.key} source ${source}`];
      if (phone_e164 !== null) keys.push(`${settings.key} phone ${phone_e164}`);
      const accepted = await counting(keys, async (ahead) => {
        const limits = await overLimit(settings, source, phone_e164, ahead);
        const verdict = judge(limits, needsApproval(settings, source));
        failpoint('bookings.before_accept');
        return await store.bookings.accept(newBooking(verdict, base), MERGE_WITHIN_MS);
      });
      failpoint('bookings.after_accept');
      return accepted;
    },

    async validate(submission) {
      const { judge } = await examine(submission);
      return judge([], false).faults;
    },

    async checkAgain(draft, booking, who) {
      const settings = clinics.get(booking.clinic);
      const { draft: read, faults } = readFields({ ...draft }, settings?.bookings.max_text);
      if (settings === undefined)
        faults.unshift({
          field: 'clinic',
          message: 'It belongs to no clinic of this installation.',
          reason: 'missing_field',
        });
      const known = settings === undefined ? undefined : await facts.of(settings);
      const verdict = check(read, known ?? nothingKnown, {
        nowMs: clock.now(),
        horizonDays: settings?.bookings.horizon_days ?? Infinity,
        approval: who === 'daemon' && needsApproval(settings, booking.source),
        faults,
      });
      return { ...verdict, phone_e164: comparablePhone(read.patient_phone, known?.country) };
    },
  };
}

const limit = (message: string): Fault => ({ field: 'booking', message, reason: 'source_limit' });

/** A row that we once wrote back to carries our reference: after a restore it may be booked already. */
const carriesRef = ({ submission_id, fields }: Submission): boolean =>
  bookingRefPattern.test(submission_id ?? '') ||
  (typeof fields.note === 'string' && bookingRefPattern.test(fields.note));

function submissionId({ submission_id }: Submission): string | null {
  const id = submission_id === undefined ? '' : normalise(submission_id).trim();
  if (id === '') return null;
  return id.length <= LONGEST_SUBMISSION_ID ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

type Base = Pick<
  NewBooking,
  | 'clinic'
  | 'source'
  | 'submission_id'
  | 'phone_e164'
  | 'unreadable_fields'
  | 'content_hash'
  | 'not_before'
  | 'received_at'
>;

function newBooking(verdict: Verdict, base: Base): NewBooking {
  const { draft, state, reason, faults } = verdict;
  const message = reason === null ? null : heldMessage(reason, faults);
  return { ...base, ...draft, kind: 'booking', state, reason, message };
}

/** Without a date and time it can never be sent; what it was about is in the note, for the person. */
function taskOf({ task = '', task_kind }: Submission, draft: Draft, base: Base): NewBooking {
  const { appointment_date: date, appointment_time: time, note } = draft;
  const about = [date, time].filter((part) => part !== null).join(' ');
  return {
    ...base,
    ...draft,
    appointment_date: null,
    appointment_time: null,
    note: [about, note].filter((part) => part !== null && part !== '').join(' · ') || null,
    kind: task_kind ?? 'cancellation',
    state: 'held',
    reason: 'approval',
    message: `${taskPrefix}: ${normalise(task).trim()}`,
  };
}
