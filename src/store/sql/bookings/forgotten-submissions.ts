import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Booking } from '../../../domain/bookings/booking.ts';
import { sentHash } from '../../../domain/bookings/booking-content.ts';
import { PHONE_TAIL } from '../../../domain/phone.ts';
import { type Instant, instant, toMs } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import type { Db, Trx } from '../database.ts';
import { readMemory } from '../installation/key-value.ts';
import { prepared } from '../prepared.ts';

const PREFIX = 'erased:';
/** For submissions without a date, which cannot be booked; senders stop repeating long before. */
const UNDATED_MS = 90 * DAY;

/**
 * A submission's id as stored after its person was erased. Senders choose ids, which may be a phone number or the
 * hash of a name, so only a keyed digest stays. The key lies in the same database: whoever can read all of it can
 * still try ids and numbers one after another.
 */
export function forgottenSubmissions(): (db: Db) => Promise<DigestOf | undefined> {
  let key: string | undefined;
  return async (db) => {
    key ??= await readMemory(db, 'erasing', 'key');
    const known = key;
    if (known === undefined) return undefined;
    return (source, id) => {
      const digest = createHmac('sha256', known)
        .update(JSON.stringify([source, id]))
        .digest('base64url');
      return PREFIX + digest.slice(0, 32);
    };
  };
}

/** Also for the hash of a submission's content, from which a person could be guessed, too. */
export type DigestOf = (source: string, id: string) => string;

/** Whether any id is stored as a digest. */
export const hasForgotten: (db: Db) => Promise<boolean> = async (db) => (await anyDigest(db, {})).length > 0;

const anyDigest = prepared<object, { at: string }>([], (db) =>
  db
    .selectFrom('merged_submissions')
    .select('at')
    .where('submission_id', '>=', sql.lit('erased:'))
    .where('submission_id', '<', sql.lit('erased;'))
    .limit(sql.lit(1)),
);

/** No connector has this name: under it, the phone numbers and times of erased people are kept as digests. */
export const ERASED_SLOTS = '@slots';

type Slot = Pick<Booking, 'clinic' | 'phone_e164' | 'appointment_date' | 'appointment_time'>;

/** What its digest is made of; by the ending of the number, because a country code may be missing. */
export function slotKey(slot: Slot): string | undefined {
  const { clinic, phone_e164: phone, appointment_date: date, appointment_time: time } = slot;
  if (phone === null || date === null || time === null) return undefined;
  return JSON.stringify([clinic, phone.slice(-PHONE_TAIL), date, time]);
}

type Forgotten = Slot & Pick<Booking, 'ref' | 'source' | 'submission_id' | 'received_at'>;

/**
 * Replaces the ids of an erased booking, and the hashes of what was sent under them, by digests: a repeated
 * submission must still match the booking, and other content under its id must not. Its phone number and time leave
 * one, too, so that the same wish is asked about instead of booked again. They are kept until the booking's date has
 * passed; later repetitions are held as past anyway.
 */
export async function forgetSubmissions(trx: Trx, booking: Forgotten): Promise<void> {
  const { ref, source, submission_id, appointment_date, received_at } = booking;
  const digestOf = await forgottenSubmissions()(trx);
  const merged = await trx
    .selectFrom('merged_submissions')
    .select(['source', 'submission_id', 'submission_hash'])
    .where('ref', '=', ref)
    .execute();
  const own = await trx.selectFrom('bookings').select('submission_hash').where('ref', '=', ref).execute();
  const slot = slotKey(booking);
  const known = [
    ...merged,
    ...(slot === undefined ? [] : [{ source: ERASED_SLOTS, submission_id: slot, submission_hash: null }]),
    ...(submission_id === null ? [] : own.map((row) => ({ ...row, source, submission_id }))),
  ];
  await trx.deleteFrom('merged_submissions').where('ref', '=', ref).execute();
  const until = forgetAt(appointment_date, received_at);
  for (const { source, submission_id, submission_hash: hash } of known) {
    const isErased = submission_id.startsWith(PREFIX);
    const digest = isErased ? submission_id : digestOf?.(source, submission_id);
    if (digest === undefined) continue;
    const submission_hash = isErased || hash === null ? hash : (digestOf?.(source, sentHash(hash)) ?? null);
    await trx
      .insertInto('merged_submissions')
      .values({ source, submission_id: digest, submission_hash, ref, at: until })
      // Two of one id: one hash cannot tell what belongs to neither.
      .onConflict((conflict) =>
        conflict.columns(['source', 'submission_id']).doUpdateSet({ submission_hash: null }),
      )
      .execute();
  }
}

function forgetAt(date: string | null, receivedAt: Instant): Instant {
  const day = Date.parse(`${date ?? ''}T00:00:00Z`);
  return instant(Number.isFinite(day) ? day + 2 * DAY : toMs(receivedAt) + UNDATED_MS);
}

/** Removes expired digests. Resolves to their count. */
export async function deleteForgotten(trx: Trx, before: Instant, limit: number): Promise<number> {
  const old = trx
    .selectFrom('merged_submissions')
    .select(['source', 'submission_id'])
    .where('submission_id', '>=', 'erased:')
    .where('submission_id', '<', 'erased;')
    .where('at', '<', before)
    .limit(limit);
  const rows = await old.execute();
  for (const { source, submission_id } of rows)
    await trx
      .deleteFrom('merged_submissions')
      .where((row) => row.and({ source, submission_id }))
      .execute();
  return rows.length;
}
