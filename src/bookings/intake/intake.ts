import { createHash } from 'node:crypto';
import type { ClinicSettings } from '../../config/config.ts';
import {
  type Booking,
  type BookingKind,
  noClinic,
  requiredFields,
  type Submission,
} from '../../domain/bookings/booking.ts';
import { bookingRefPattern } from '../../domain/bookings/booking-ref.ts';
import { wrongFields } from '../../domain/bookings/faulty-fields.ts';
import { hasOrigin, readCampaign } from '../../domain/campaign.ts';
import { comparablePhone } from '../../domain/phone.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import type { ClockTrust } from '../../platform/clock-trust.ts';
import { DAY, HOUR, MINUTE } from '../../platform/duration.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { normalise } from '../../platform/json.ts';
import type { BookingVerbs, IntakeLimit, NewBooking, Rehearsal } from '../../store/ports/bookings.ts';
import type { Store } from '../../store/store.ts';
import { contentHash, submissionHash } from '../content-hash.ts';
import { judgeWithin } from '../duplicates/judge-lead.ts';
import { heldMessage, holds, taskPrefix } from '../messages.ts';
import { check, type Facts, type IntakeVerdict } from './check.ts';
import type { FactsSource } from './facts.ts';
import { type BookingFields, type Fault, readFields } from './read-fields.ts';

const MERGE_WITHIN_MS = 15 * MINUTE;
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
  trust: Pick<ClockTrust, 'isBehind'>;
  /** True until a user has reviewed what a restored database forgot. */
  isRestored: () => boolean;
}

export interface Intake {
  /** Durable when it resolves. */
  accept(submission: Submission): Promise<{ booking: Booking; result: 'new' | 'same' | 'merged' }>;
  /** What `accept` would decide; stores nothing. */
  rehearse(submission: Submission): Promise<Rehearsal>;
  validate(submission: Submission): Promise<Fault[]>;
  /**
   * Checks the fields of a stored booking as of now. A user's own decision needs no approval; limits apply only to new
   * submissions.
   */
  checkAgain(
    draft: BookingFields,
    booking: Booking,
    who: 'person' | 'daemon',
  ): Promise<IntakeVerdict & { phone_e164: string | null }>;
}

export function createIntake(options: IntakeOptions): Intake {
  const { store, clinics, sources, clock, isRestored } = options;

  const clinicOf = ({ clinic }: Submission): ClinicSettings | undefined => {
    if (clinic !== undefined && clinic !== '') return clinics.get(clinic);
    const [only] = clinics.values();
    return clinics.size === 1 ? only : undefined;
  };
  const examineNew = async (submission: Submission) => {
    const settings = clinicOf(submission);
    const namesNone = () => `It names none of the clinics: ${[...clinics.keys()].join(', ')}.`;
    const { problems = [] } = submission;
    const { judge, ...read } = await examine(
      options,
      settings,
      { fields: submission.fields, isSent: true, named: new Set(problems.map(({ field }) => field)) },
      namesNone,
    );
    const known = problems.map(
      ({ field, message }): Fault => ({ field, message: normalise(message), reason: 'invalid_field' }),
    );
    if (submission.over_limit !== undefined)
      known.push({ field: 'booking', message: submission.over_limit, reason: 'source_limit' });
    if (submission.ask !== undefined)
      known.push({ field: 'booking', message: normalise(submission.ask), reason: 'approval' });
    if (carriesRef(submission) && isRestored())
      known.push({ field: 'booking', message: holds.restored_state.means, reason: 'restored_state' });
    return { ...read, judge: (faults: Fault[], approval: boolean) => judge([...known, ...faults], approval) };
  };
  const needsApproval = (settings: ClinicSettings | undefined, source: string) =>
    settings?.bookings.approval === 'required' || sources.get(source)?.approval === 'required';

  /** The arguments for the store's `accept`. */
  const prepared = async (submission: Submission): Promise<Parameters<BookingVerbs['accept']>> => {
    const { settings, draft, judge, phone_e164, unread } = await examineNew(submission);
    const { source, problems = [] } = submission;
    const clinic = settings?.key ?? noClinic;
    const content_hash = contentHash(clinic, draft, phone_e164);
    const base = {
      clinic,
      source,
      submission_id: submissionId(submission),
      phone_e164,
      unreadable_fields: [...new Set([...problems.map(({ field }) => field), ...unread])],
      content_hash,
      submission_hash: submissionHash(content_hash, draft, kindOf(submission)),
      not_before: null,
      received_at: instant(clock.now()),
      ...touchOf(submission, draft),
      ...(submission.visitor_ref !== undefined && { visitor_ref: submission.visitor_ref }),
      version: submission.version,
    };
    if (submission.task !== undefined) return [taskOf(submission, draft, base), judgeWithin(0)];
    if (settings === undefined) return [newBooking(judge([], false), base), judgeWithin(MERGE_WITHIN_MS)];

    const approval = needsApproval(settings, source);
    const whole = newBooking(judge([], approval), base);
    const limits = {
      limits: submission.by_hand === true ? [] : limitsOf(settings, phone_e164),
      over(reached: readonly IntakeLimit[]) {
        const faults = reached.map(
          ({ message }): Fault => ({ field: 'booking', message, reason: 'source_limit' }),
        );
        const { state, reason, message } = newBooking(judge(faults, approval), base);
        return { state, reason, message };
      },
    };
    return [whole, judgeWithin(MERGE_WITHIN_MS), limits];
  };

  return {
    async accept(submission) {
      const asked = await prepared(submission);
      failpoint('bookings.before_accept');
      const accepted = await store.bookings.accept(...asked);
      failpoint('bookings.after_accept');
      return accepted;
    },

    rehearse: async (submission) => store.bookings.rehearse(...(await prepared(submission))),

    validate: async (submission) => (await examineNew(submission)).judge([], false).faults,

    async checkAgain(fields, { clinic, source }, who) {
      const belongsToNone = () => 'It belongs to no clinic of this installation.';
      const examined = await examine(
        options,
        clinics.get(clinic),
        { fields: { ...fields }, isSent: false },
        belongsToNone,
      );
      const { settings, judge, phone_e164 } = examined;
      return { ...judge([], who === 'daemon' && needsApproval(settings, source)), phone_e164 };
    },
  };
}

const isRequired = (field: string): boolean => (requiredFields as readonly string[]).includes(field);

/** Reads the fields; `judge` checks them, with further faults, against the clinic's facts. */
async function examine(
  { facts, clock, trust }: IntakeOptions,
  settings: ClinicSettings | undefined,
  {
    fields,
    isSent,
    named = new Set(),
  }: { fields: Submission['fields']; isSent: boolean; named?: ReadonlySet<string> },
  withoutClinic: () => string,
) {
  const { draft, faults } = readFields(fields, {
    maxText: settings?.bookings.max_text,
    zone: settings?.timezone,
    isSent,
  });
  if (settings === undefined)
    faults.unshift({ field: 'clinic', message: withoutClinic(), reason: 'missing_field' });
  const known = settings && (await facts.of(settings));
  const judge = (more: readonly Fault[], approval: boolean) =>
    check(draft, known ?? nothingKnown, {
      nowMs: clock.now(),
      // By a clock that began in 1970, every visit is far ahead.
      horizonDays: (trust.isBehind() ? undefined : settings?.bookings.horizon_days) ?? Infinity,
      approval,
      // Whoever sent it said more precisely what is wrong with these.
      faults: [
        ...faults.filter(({ field, reason }) => reason !== 'invalid_field' || !named.has(field)),
        ...more,
      ],
    });
  const wrong = new Set<string>(wrongFields(draft).map(({ field }) => field));
  /** What only a person can read; `wrongFields` are known by their content. */
  const unread = faults.flatMap(({ field, reason }) =>
    reason === 'invalid_field' && isRequired(field) && !wrong.has(field) ? [field] : [],
  );
  const phone_e164 = comparablePhone(draft.patient_phone, known?.country);
  return { settings, draft, judge, phone_e164, unread };
}

/** The row carries a reference that we wrote back, so after a restore it may be booked already. */
const carriesRef = ({ submission_id, fields }: Submission): boolean =>
  bookingRefPattern.test(submission_id ?? '') ||
  (typeof fields.note === 'string' && bookingRefPattern.test(fields.note));

/** As stored: undefined and empty ids become null, very long ones a hash. */
export function submissionId({ submission_id }: Submission): string | null {
  const id = submission_id === undefined ? '' : normalise(submission_id).trim();
  if (id === '') return null;
  return id.length <= LONGEST_SUBMISSION_ID ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

function touchOf({ campaign }: Submission, draft: BookingFields): Pick<NewBooking, 'touch'> {
  if (campaign === undefined) return {};
  const touch = readCampaign(campaign, draft);
  return hasOrigin(touch) ? { touch } : {};
}

type Base = Pick<
  NewBooking,
  | 'clinic'
  | 'source'
  | 'submission_id'
  | 'phone_e164'
  | 'unreadable_fields'
  | 'content_hash'
  | 'submission_hash'
  | 'not_before'
  | 'received_at'
  | 'touch'
>;

function newBooking(verdict: IntakeVerdict, base: Base): NewBooking {
  const { draft, state, reason, faults } = verdict;
  const message = reason === null ? null : heldMessage(reason, faults);
  return { ...base, ...draft, kind: 'booking', state, reason, message };
}

const kindOf = ({ task, task_kind }: Pick<Submission, 'task' | 'task_kind'>): BookingKind =>
  task === undefined ? 'booking' : (task_kind ?? 'cancellation');

/** Stored without date and time, so that it can never be sent; the note keeps them for the user. */
function taskOf(submission: Submission, draft: BookingFields, base: Base): NewBooking {
  const { task = '' } = submission;
  const { appointment_date: date, appointment_time: time, note } = draft;
  const about = [date, time].filter((part) => part !== null).join(' ');
  return {
    ...base,
    ...draft,
    appointment_date: null,
    appointment_time: null,
    note: [about, note].filter((part) => part !== null && part !== '').join(' · ') || null,
    kind: kindOf(submission),
    state: 'held',
    reason: 'approval',
    message: `${taskPrefix}: ${normalise(task).trim()}`,
  };
}

/** How many leads one source or one phone number may send to a clinic. */
function limitsOf(
  { bookings: { max_per_source_per_hour: perHour, max_per_phone_per_day: perDay } }: ClinicSettings,
  phone: string | null,
): IntakeLimit[] {
  const limits: IntakeLimit[] = [
    {
      by: 'source',
      within_ms: HOUR,
      at_most: perHour,
      message: `More than ${perHour} came from this source within an hour.`,
    },
  ];
  if (phone !== null)
    limits.push({
      by: 'phone',
      within_ms: DAY,
      at_most: perDay,
      message: `More than ${perDay} came with this phone number within a day.`,
    });
  return limits;
}
