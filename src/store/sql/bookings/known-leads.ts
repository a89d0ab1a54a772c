import { sql } from 'kysely';
import type { Booking } from '../../../domain/bookings/booking.ts';
import type { TrackedVisit } from '../../../domain/bookings/visit-now.ts';
import { readDate, readTime } from '../../../domain/date-time.ts';
import { instant, toMs } from '../../../platform/clock.ts';
import type {
  Hashes,
  IntakeAllowance,
  KnownLeads,
  LeadJudge,
  MergedSubmission,
  NewBooking,
} from '../../ports/bookings.ts';
import type { Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { lookUp } from '../look-up.ts';
import { atOnce } from '../transaction.ts';
import { type StoredBookingRow, toBooking } from './booking-rows.ts';
import { visitChanges } from './changed-visits.ts';
import {
  type DigestOf,
  ERASED_SLOTS,
  type forgottenSubmissions,
  hasForgotten,
  slotKey,
} from './forgotten-submissions.ts';
import { refsNear } from './resembling.ts';

export interface LeadToKnow {
  booking: NewBooking;
  judge: LeadJudge;
  over: IntakeAllowance | undefined;
}

/**
 * Read with a few statements for a whole group. What the group itself stores is added, so that each is judged as if
 * the previous ones had been committed.
 */
export interface GrowingLeads extends KnownLeads {
  add(booking: Booking, hashes: Hashes): void;
  /** Call when a submission was counted on it, which may have updated its campaign. */
  change(booking: Booking): void;
  /** The campaign with which a phone number first came to a clinic. */
  firstTouch(submission: Pick<NewBooking, 'clinic' | 'phone_e164'>): FirstTouch | undefined;
  /** Keeps an existing entry with the same id. */
  addMerged(merged: MergedSubmission): void;
}

export type FirstTouch = Pick<StoredBookingRow, 'first_campaign' | 'first_channel' | 'first_touch_at'>;

export async function readKnownLeads(
  trx: Trx,
  group: readonly LeadToKnow[],
  forgottenIds: ReturnType<typeof forgottenSubmissions>,
): Promise<GrowingLeads> {
  const known = createKnownLeads();
  const ids = group.flatMap(({ booking: { source, submission_id } }) =>
    submission_id === null ? [] : [{ source, submission_id }],
  );
  const people = group.flatMap(({ booking: { clinic, phone_e164 } }) =>
    phone_e164 === null ? [] : [{ clinic, phone: phone_e164 }],
  );
  const [forgotten, merged, stored, alike, atSlots, touches] = await atOnce(
    hasForgotten(trx),
    underSubmissions(trx, ids),
    withSubmissions(trx, ids),
    withContent(trx, group.flatMap(wantedContent)),
    refsNear(
      trx,
      group.map(({ booking }) => booking),
    ),
    firstTouches(trx, people),
  );
  const digestOf = forgotten ? await forgottenIds(trx) : undefined;
  if (digestOf !== undefined) {
    known.recognize(digestOf);
    const slots = group.flatMap(({ booking }) => slotKey(booking) ?? []);
    const hidden = [...ids, ...slots.map((key) => ({ source: ERASED_SLOTS, submission_id: key }))];
    const digests = hidden.map(({ source, submission_id }) => ({
      source,
      submission_id: digestOf(source, submission_id),
    }));
    merged.push(...(await underSubmissions(trx, digests)));
  }
  for (const one of merged) known.addMerged(one);
  const rows = await bookingsNamed(trx, [...stored, ...merged, ...alike, ...atSlots]);
  for (const row of rows) known.add(toBooking(row), row);
  const { visits, reported } = await visitChanges(trx, rows);
  for (const visit of visits) known.addVisit(visit);
  for (const { ref } of reported) known.addReported(ref);
  for (const touch of touches) known.addTouch(touch);
  return known;
}

interface ReadLeads extends GrowingLeads {
  /** Call before submissions of erased people are looked up. */
  recognize(digestOf: DigestOf): void;
  addTouch(touch: FirstTouch & { clinic: string; phone: string }): void;
  /** Call after its booking was added. */
  addVisit(visit: TrackedVisit): void;
  addReported(ref: string): void;
}

function createKnownLeads(): ReadLeads {
  const bookings = new Map<string, Booking>();
  const hashes = new Map<string, Hashes>();
  const submissions = createGroups();
  const contents = createGroups();
  const slots = createGroups();
  const phones = createGroups();
  const merged = new Map<string, MergedSubmission>();
  let digestOf: DigestOf | undefined;
  const touches = new Map<string, FirstTouch>();
  const visits = new Map<string, TrackedVisit>();
  const reported = new Set<string>();
  const forgotten = ({ source, submission_id }: SubmissionKey) =>
    digestOf && merged.get(keyOf(source, digestOf(source, submission_id)));
  const bookingsOf = (refs: Iterable<string>) => [...refs].flatMap((ref) => bookings.get(ref) ?? []);

  return {
    bySubmission({ source, submission_id }) {
      const key = keyOf(source, submission_id);
      const other = merged.get(key) ?? forgotten({ source, submission_id });
      return bookingsOf(new Set([...submissions.of(key), ...(other === undefined ? [] : [other.ref])]));
    },
    merged: ({ source, submission_id }) => merged.get(keyOf(source, submission_id)),
    isForgotten(submission) {
      const { source, submission_hash: sent } = submission;
      const known = forgotten(submission);
      if (known === undefined || known.submission_hash === null) return known !== undefined;
      return sent !== null && digestOf?.(source, sent) === known.submission_hash;
    },
    byContent: ({ clinic, source, content_hash }) =>
      content_hash === null ? [] : bookingsOf(contents.of(keyOf(clinic, source, content_hash))),
    atSlot: ({ clinic, appointment_date: date, appointment_time: time }) =>
      date === null || time === null ? [] : bookingsOf(slots.of(keyOf(clinic, date, time))),
    ofPhone: ({ clinic, phone_e164: phone }) =>
      phone === null ? [] : bookingsOf(phones.of(keyOf(clinic, phone))),
    erasedAt(submission) {
      const key = slotKey(submission);
      const known = key === undefined ? undefined : forgotten({ source: ERASED_SLOTS, submission_id: key });
      return known === undefined ? [] : bookingsOf([known.ref]);
    },
    hashesOf: (ref) => hashes.get(ref) ?? { content_hash: null, submission_hash: null },
    visitOf: (ref) => visits.get(ref),
    isReported: (ref) => reported.has(ref),
    add(booking, { content_hash, submission_hash }) {
      const { ref, clinic, source, submission_id } = booking;
      const { appointment_date: date, appointment_time: time, phone_e164: phone, first_touch_at } = booking;
      bookings.set(ref, booking);
      hashes.set(ref, { content_hash, submission_hash });
      if (submission_id !== null) submissions.add(keyOf(source, submission_id), ref);
      if (content_hash !== null) contents.add(keyOf(clinic, source, content_hash), ref);
      if (date !== null && time !== null) slots.add(keyOf(clinic, date, time), ref);
      if (phone !== null) phones.add(keyOf(clinic, phone), ref);
      if (phone !== null && first_touch_at !== null) this.addTouch({ ...booking, phone });
    },
    change(booking) {
      if (bookings.has(booking.ref)) this.add(booking, this.hashesOf(booking.ref));
    },
    firstTouch: ({ clinic, phone_e164 }) =>
      phone_e164 === null ? undefined : touches.get(keyOf(clinic, phone_e164)),
    addTouch({ clinic, phone, first_campaign, first_channel, first_touch_at }) {
      const key = keyOf(clinic, phone);
      const known = touches.get(key)?.first_touch_at;
      if (known == null || (first_touch_at !== null && first_touch_at < known))
        touches.set(key, { first_campaign, first_channel, first_touch_at });
    },
    addMerged(one) {
      const key = keyOf(one.source, one.submission_id);
      if (!merged.has(key)) merged.set(key, one);
    },
    addVisit(visit) {
      const { ref, date, time } = visit;
      visits.set(ref, visit);
      const booking = bookings.get(ref);
      if (booking !== undefined)
        slots.add(keyOf(booking.clinic, readDate(date ?? '') ?? '', readTime(time ?? '') ?? ''), ref);
    },
    addReported: (ref) => void reported.add(ref),
    recognize(of) {
      digestOf = of;
    },
  };
}

/** Refs by key, in insertion order. */
function createGroups() {
  const groups = new Map<string, Set<string>>();
  return {
    of: (key: string): ReadonlySet<string> => groups.get(key) ?? new Set(),
    add(key: string, ref: string) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, new Set([ref]));
      else known.add(ref);
    },
  };
}

const keyOf = (...parts: string[]): string => parts.join('\u0000');

function wantedContent({ booking, judge: { mergeWithinMs } }: LeadToKnow) {
  const { clinic, source, content_hash, received_at } = booking;
  if (content_hash === null) return [];
  return [{ clinic, source, content_hash, since: instant(toMs(received_at) - mergeWithinMs) }];
}

interface SubmissionKey {
  source: string;
  submission_id: string;
}

interface Named {
  ref: string;
}

/** Only refs: a new lead finds none, and a server describes each column of an answer without rows. */
const withSubmissions = lookUp<SubmissionKey, Named>(
  ['source', 'submission_id'],
  (db) => sql`select bookings.ref from wanted cross join ${tableIn(db, 'bookings')} as bookings
    where bookings.source = wanted.source and bookings.submission_id = wanted.submission_id`,
);

const underSubmissions = lookUp<SubmissionKey, MergedSubmission>(
  ['source', 'submission_id'],
  (db) => sql`select merged.source, merged.submission_id, merged.ref, merged.content_hash,
      merged.submission_hash
    from wanted cross join ${tableIn(db, 'merged_submissions')} as merged
    where merged.source = wanted.source and merged.submission_id = wanted.submission_id`,
);

const withRefs = lookUp<Named, StoredBookingRow>(
  ['ref'],
  (db) =>
    sql`select bookings.* from wanted cross join ${tableIn(db, 'bookings')} as bookings
      where bookings.ref = wanted.ref`,
);

/** In the order in which they were found. */
async function bookingsNamed(trx: Trx, found: readonly Named[]): Promise<StoredBookingRow[]> {
  const refs = [...new Set(found.map(({ ref }) => ref))];
  const rows = await withRefs(
    trx,
    refs.map((ref) => ({ ref })),
  );
  const byRef = new Map(rows.map((row) => [row.ref, row]));
  return refs.flatMap((ref) => byRef.get(ref) ?? []);
}

/** Never merged into a dropped booking: the same lead again needs a new decision. */
const withContent = lookUp<{ clinic: string; source: string; content_hash: string; since: string }, Named>(
  ['clinic', 'source', 'content_hash', 'since'],
  (db) => sql`select bookings.ref from wanted cross join ${tableIn(db, 'bookings')} as bookings
    where bookings.clinic = wanted.clinic and bookings.source = wanted.source
      and bookings.content_hash = wanted.content_hash and received_at >= since and state <> 'dropped'`,
);

/** For each phone number, the first lead that came with a campaign. */
const firstTouches = lookUp<
  { clinic: string; phone: string },
  FirstTouch & { clinic: string; phone: string }
>(
  ['clinic', 'phone'],
  (db) => sql`select wanted.clinic, wanted.phone, bookings.first_campaign, bookings.first_channel,
      bookings.first_touch_at
    from wanted cross join ${tableIn(db, 'bookings')} as bookings
    where bookings.clinic = wanted.clinic and bookings.phone_e164 = wanted.phone
      and bookings.first_touch_at is not null`,
);
