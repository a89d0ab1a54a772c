import type { Booking } from '../../domain/bookings/booking.ts';
import {
  differingFields,
  fieldWords,
  newFields,
  sentHash,
  storedHash,
} from '../../domain/bookings/booking-content.ts';
import { earliest, latest, standing } from '../../domain/bookings/booking-versions.ts';
import {
  type Resembling,
  resemblanceSentence,
  resemblances,
  resembling,
  sameName,
} from '../../domain/bookings/resemblance.ts';
import { isChanged } from '../../domain/bookings/visit-now.ts';
import { instant, toMs } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import { sentences } from '../../platform/text/sentences.ts';
import type {
  Beside,
  DuplicateVerdict,
  KnownLeads,
  LeadJudge,
  NewBooking,
} from '../../store/ports/bookings.ts';

/** Limits each message of a flood with one phone and time, which would otherwise list every predecessor. */
const NAMED_AT_MOST = 5;

/** The booking under a submission's id with the same content, or the one beside which other content is held. */
type Known =
  | { same: Booking; change: Booking | undefined }
  | { first: Booking; fields: string[]; submission_hash: string | null };

/** Judges by these rules; the same content from the same source is merged within so long. */
export const judgeWithin = (mergeWithinMs: number): LeadJudge => ({
  mergeWithinMs,
  judge: (known, booking) => judgeLead(known, booking, mergeWithinMs),
});

/**
 * What becomes of a submission, given what is known before it. Pure. Same (source, submission_id) and same content →
 * `same`; other content, another clinic or another kind → `new`, held (`changed_submission`) beside the first, and
 * counted there (`same`) when sent again. Same content from the same source within `mergeWithinMs`, or the same name,
 * phone, date and time from any source within a day → `merged` (counted on the first), unless it says something new:
 * then `new`, held (`changed_submission`) beside the first, as is the same name and phone for another time within
 * minutes. Another that resembles it, or one of an erased person → held (`duplicate_suspect`).
 */
function judgeLead(known: KnownLeads, booking: NewBooking, mergeWithinMs: number): DuplicateVerdict {
  const submission = knownSubmission(known, booking);
  if (submission !== undefined && 'same' in submission)
    return { result: 'same', first: submission.same, change: submission.change };
  const alike = alikeIn(known, booking);
  if (submission !== undefined)
    return {
      result: 'new',
      submission_hash: submission.submission_hash,
      beside: besideOf(known, booking, { ...submission, how: sameIdAs(booking) }, alike),
    };
  const asAsked = (row: Booking) => !isChangedSince(known, row, booking);
  const content = sameLeads(known, booking, mergeWithinMs);
  const repeated = [...new Set([...content, ...samePatient(booking, alike)])].filter(asAsked);
  const first = earliest(repeated.filter((row) => newFields(row, booking).length === 0));
  if (first) return { result: 'merged', first };
  const { submission_hash } = booking;
  const corrected = alike.flatMap(({ booking: row, resembles }) =>
    resembles === 'other_slot' && asAsked(row) ? row : [],
  );
  const changes = standing(repeated) ?? standing(corrected);
  const change = changes && {
    first: changes,
    fields: repeated.includes(changes) ? newFields(changes, booking) : fieldsOf(changes, booking),
    how: sentAgain('for the same patient as'),
  };
  const others = content.flatMap((row) =>
    alike.some((one) => one.booking === row) ? [] : { booking: row, resembles: 'slot' as const },
  );
  return { result: 'new', submission_hash, beside: besideOf(known, booking, change, [...alike, ...others]) };
}

/** All that may be the same wish, earliest first. */
function alikeIn(known: KnownLeads, booking: NewBooking): Resembling[] {
  const atSlot = known.atSlot(booking);
  const rows = [...new Set([...atSlot, ...known.ofPhone(booking)])];
  return resembling(booking, rows, (row) => atSlot.includes(row));
}

interface Change {
  first: Booking;
  fields: string[];
  how: Wording;
}
type Wording = (ref: string, fields: string) => string;

const sentAgain =
  (as: string): Wording =>
  (ref, fields) =>
    `It was sent again ${as} ${ref}, with another ${fields}.`;

/** The rows of files have no id that people know. */
const sameIdAs = ({ version }: NewBooking): Wording =>
  version === undefined
    ? sentAgain('under the same id as')
    : (ref, fields) => `In ${version.here} it has another ${fields} than ${ref}, which is ${version.there}.`;

function besideOf(
  known: KnownLeads,
  booking: NewBooking,
  change: Change | undefined,
  alike: readonly Resembling[],
): Beside | undefined {
  const others = alike.filter(({ booking: { ref } }) => ref !== change?.first.ref).slice(0, NAMED_AT_MOST);
  const erased = known.erasedAt(booking).filter(({ state }) => state !== 'rejected' && state !== 'expired');
  const refs = [...others.map((one) => one.booking), ...erased].map(({ ref }) => ref);
  const changedSince = others.flatMap(({ booking: row }) =>
    isChangedSince(known, row, booking) ? row.ref : [],
  );
  const says = sentences(
    change?.how(change.first.ref, fieldWords(change.fields)),
    ...resemblances.map((kind) => {
      const named = others.flatMap(({ booking: row, resembles }) => (resembles === kind ? row.ref : []));
      return named.length > 0 && resemblanceSentence(named, kind);
    }),
    changedSince.length > 0 &&
      `Since then, ${changedSince.join(' and ')} was cancelled or moved, or is to be: this may be a new request.`,
    erased.length > 0 &&
      `Somebody with this phone number asked for this time as ${erased.map(({ ref }) => ref).join(' and ')} ` +
        'and was erased since: it may be at the clinic.',
  );
  if (change !== undefined)
    return {
      reason: 'changed_submission',
      refs: [change.first.ref, ...refs],
      changed_fields: change.fields,
      says,
    };
  if (refs.length === 0) return undefined;
  const changed_fields = others[0]?.resembles === 'other_phone' ? ['patient_phone'] : [];
  return { reason: 'duplicate_suspect', refs, changed_fields, says };
}

function knownSubmission(known: KnownLeads, submitted: NewBooking): Known | undefined {
  const { source, submission_id } = submitted;
  if (submission_id === null) return undefined;
  const rows = known.bySubmission({ source, submission_id });
  const first = standing(rows);
  if (first === undefined) return undefined;
  const alike = rows.filter((row) => isSentAgain(known, { ...submitted, submission_id }, row));
  // The country may be known since, or a user may have corrected the booking to exactly this.
  const same = leading(alike) ?? rows.find((row) => fieldsOf(row, submitted).length === 0);
  if (same === undefined) {
    const { submission_hash } = submitted;
    return { first: first, fields: fieldsOf(first, submitted), submission_hash };
  }
  const since = latest(rows.filter((row) => hasFollowed(row, same, isChangedSince(known, same, submitted))));
  const fields = since === undefined || alike.includes(since) ? [] : fieldsOf(since, submitted);
  if (since === undefined || fields.length === 0) {
    const change = latest(rows.filter((row) => isHeldChange(row, since ?? same)));
    return { same: since ?? same, change: change && change };
  }
  const own = alike.filter((row) => row.source === source && row.submission_id === submission_id);
  const { submission_hash: sent } = submitted;
  const before = own.map(({ ref }) => known.hashesOf(ref).submission_hash);
  return {
    first: since,
    fields,
    submission_hash: sent === null ? null : storedHash(sent, before),
  };
}

const fieldsOf = (row: Booking, submitted: NewBooking) => differingFields(row, submitted);

/**
 * Whether a change counts for more than what came before it: that was dropped for it, or its visit was cancelled or
 * moved since. Then the earlier content, sent again, is another change.
 */
const hasFollowed = (row: Booking, { state, received_at }: Booking, isChanged: boolean) =>
  row.received_at > received_at && (isChanged || (state === 'dropped' && row.state !== 'dropped'));

/** A change of this booking's submission that waits for a person. */
const isHeldChange = ({ state, reason, duplicate_of }: Booking, { ref }: Booking) =>
  state === 'held' && reason === 'changed_submission' && duplicate_of === ref;

/** Whether this was sent before under the id, and became this booking or was merged into it. */
function isSentAgain(
  known: KnownLeads,
  booking: NewBooking & { submission_id: string },
  row: Booking,
): boolean {
  const { source, submission_id, content_hash, submission_hash, clinic, kind } = booking;
  if (row.kind !== kind) return false;
  const merged = known.merged({ source, submission_id });
  const isItsOwn = row.source === source && row.submission_id === submission_id;
  const isOfClinic = row.clinic === clinic;
  if (!isItsOwn && merged === undefined)
    return isOfClinic && known.isForgotten({ source, submission_id, submission_hash });
  // Version 0.1.0 stored no hash for merged submissions, which equalled the first.
  const stored =
    isItsOwn || merged === undefined || merged.content_hash === null ? known.hashesOf(row.ref) : merged;
  // Older rows do not know the note and address that were sent. Both hashes cover the clinic, as it was sent.
  if (stored.submission_hash !== null) return sentHash(stored.submission_hash) === submission_hash;
  return isOfClinic && (stored.content_hash === content_hash || content_hash === null);
}

/** The same lead from the same source within the window: a second click. */
function sameLeads(known: KnownLeads, submitted: NewBooking, mergeWithinMs: number): Booking[] {
  const { content_hash, received_at, patient_name, patient_phone, appointment_date, appointment_time } =
    submitted;
  const isComplete = patient_name && patient_phone && appointment_date && appointment_time;
  if (content_hash === null || !isComplete || submitted.kind !== 'booking') return [];
  const since = instant(toMs(received_at) - mergeWithinMs);
  // Never merged into a dropped booking: the same lead again needs a new decision. Nor into a cancellation, which has
  // the content of what it cancels.
  return known
    .byContent(submitted)
    .filter((row) => row.received_at >= since && row.state !== 'dropped' && row.kind === 'booking');
}

/** The same name, phone and slot from any source within a day: one patient who asked twice, not a family. */
function samePatient(booking: NewBooking, alike: readonly Resembling[]): Booking[] {
  // A booking that may already exist must reach a user.
  if (booking.reason === 'restored_state') return [];
  const since = instant(toMs(booking.received_at) - DAY);
  return alike.flatMap(({ booking: row, resembles }) =>
    resembles === 'slot' && row.state !== 'dropped' && row.received_at >= since && sameName(booking, row)
      ? row
      : [],
  );
}

const leading = (rows: readonly Booking[]): Booking | undefined =>
  rows.find(({ state }) => state !== 'dropped') ?? latest(rows);

/**
 * Whether its visit was cancelled, or moved to another time than this lead's, or a form tool reported that. Whoever
 * asks for it again means a new visit: merged, the lead would be neither booked nor seen.
 */
function isChangedSince(known: KnownLeads, booking: Booking, lead: NewBooking): boolean {
  const visit = known.visitOf(booking.ref);
  const times = [booking, lead].map((one) => ({ date: one.appointment_date, time: one.appointment_time }));
  return known.isReported(booking.ref) || (visit !== undefined && isChanged(visit, times));
}
