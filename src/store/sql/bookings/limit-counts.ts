import { sql } from 'kysely';
import { type Instant, instant, toMs } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import type { IntakeLimit, NewBooking } from '../../ports/bookings.ts';
import type { Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { insertMany } from '../insert-many.ts';
import { lookUp } from '../look-up.ts';
import type { Stored } from '../schema.ts';
import { atOnce } from '../transaction.ts';

/** The ten seconds that contain an instant: `2026-03-02T09:15:3`. */
const bucketOf = (at: Instant): string => at.slice(0, 18);

/** How many earlier bookings came from a source or with a phone number since a time. */
export interface LimitCounts {
  /** Those of the limits that the booking has reached, because as many as allowed were stored before it. */
  reached(booking: NewBooking, limits: readonly IntakeLimit[]): IntakeLimit[];
  /** Call when the group has stored it. */
  add(booking: NewBooking): void;
}

interface Limited {
  booking: NewBooking;
  limits: readonly IntakeLimit[];
}

/** Reads what the group needs; the cost does not grow with the number of bookings within the hour. */
export async function readLimitCounts(trx: Trx, group: readonly Limited[]): Promise<LimitCounts> {
  const asked = group.flatMap(({ booking, limits }) =>
    limits.map(({ by, within_ms, at_most }) => ({
      booking,
      by,
      since: sinceOf(booking, within_ms),
      at_most,
    })),
  );
  const stored = new Map<string, number>();
  const sources = asked.filter(({ by }) => by === 'source');
  const phones = asked.filter(({ by }) => by === 'phone');
  await atOnce(
    countSources(
      trx,
      grouped(sources, ({ booking }) => keyOf('source', booking)),
      stored,
    ),
    ...grouped(phones, ({ at_most }) => String(at_most)).map((one) => countPhones(trx, one, stored)),
  );

  const added = new Map<string, Instant[]>();
  return {
    reached: (booking, limits) =>
      limits.filter(({ by, within_ms, at_most }) => {
        const key = keyOf(by, booking);
        const since = sinceOf(booking, within_ms);
        const before = stored.get(`${key}\u0000${since}`) ?? 0;
        return before + (added.get(key) ?? []).filter((at) => at >= since).length >= at_most;
      }),
    add(booking) {
      for (const by of ['source', 'phone'] as const) {
        const key = keyOf(by, booking);
        const known = added.get(key);
        if (known === undefined) added.set(key, [booking.received_at]);
        else known.push(booking.received_at);
      }
    },
  };
}

interface Asked {
  booking: NewBooking;
  since: Instant;
  at_most: number;
}

/**
 * Since the latest of the times: whole buckets by their counts, plus the rows of the ten seconds that contain it.
 * Between it and the earliest time lie only the moments in which the group gathered.
 */
async function countSources(
  trx: Trx,
  all: readonly (readonly Asked[])[],
  into: Map<string, number>,
): Promise<void> {
  const wanted = all.map((asked) => {
    const { clinic = '', source = '' } = asked[0]?.booking ?? {};
    const times = asked.map(({ since }) => since).sort();
    const [earliest = '', latest = ''] = [times[0], times.at(-1)];
    const bucket = bucketOf(latest);
    return { clinic, source, earliest, latest, bucket, until: `${bucket}:` };
  });
  const [counts, between] = await atOnce(
    sinceLatest(trx, wanted),
    receivedBetween(
      trx,
      wanted.filter(({ earliest, latest }) => earliest !== latest),
    ),
  );
  const byKey = Map.groupBy([...counts, ...between], keyOfSource);
  for (const asked of all)
    for (const { booking, since } of asked) {
      const key = keyOf('source', booking);
      const parts = (byKey.get(key) ?? []).map((one) =>
        'whole' in one ? one.whole + one.rest : Number(one.received_at >= since),
      );
      into.set(
        `${key}\u0000${since}`,
        parts.reduce((sum, part) => sum + part, 0),
      );
    }
}

interface OfSource {
  clinic: string;
  source: string;
}
const keyOfSource = (of: OfSource) => keyOf('source', { ...of, phone_e164: null });

const sinceLatest = lookUp<
  OfSource & { bucket: string; latest: string; until: string },
  OfSource & { whole: number; rest: number }
>(
  ['clinic', 'source', 'bucket', 'latest', 'until'],
  (db) => sql`select wanted.clinic, wanted.source, (
      select coalesce(sum(count), 0) from ${tableIn(db, 'intake_counts')} as counts
      where counts.clinic = wanted.clinic and counts.source = wanted.source and counts.bucket > wanted.bucket
    ) as whole, (
      select count(*) from ${tableIn(db, 'bookings')} as bookings
      where bookings.clinic = wanted.clinic and bookings.source = wanted.source
        and received_at >= latest and received_at < until
    ) as rest from wanted`,
);

const receivedBetween = lookUp<
  OfSource & { earliest: string; latest: string },
  OfSource & { received_at: string }
>(
  ['clinic', 'source', 'earliest', 'latest'],
  (db) => sql`select wanted.clinic, wanted.source, received_at
    from wanted cross join ${tableIn(db, 'bookings')} as bookings
    where bookings.clinic = wanted.clinic and bookings.source = wanted.source
      and received_at >= earliest and received_at < latest`,
);

interface WantedPhone {
  clinic: string;
  phone: string;
  since: string;
}

/** One statement per allowance: a bound LIMIT would make SQLite plan it again for every value. */
const phoneCounts = new Map<number, ReturnType<typeof countUpTo>>();
const MOST_ALLOWANCES = 20;
const countUpTo = (atMost: number) =>
  lookUp<WantedPhone, WantedPhone & { count: number }>(
    ['clinic', 'phone', 'since'],
    (db) => sql`select wanted.clinic, phone, since, (
        select count(*) from (
          select 1 as one from ${tableIn(db, 'bookings')} as bookings
          where bookings.clinic = wanted.clinic and phone_e164 = phone and received_at >= since limit ${sql.lit(atMost)}
        ) as those
      ) as count from wanted`,
  );

/** `asked` share one allowance; counting stops there, which bounds a flood with one number. */
async function countPhones(trx: Trx, asked: readonly Asked[], into: Map<string, number>): Promise<void> {
  const atMost = asked[0]?.at_most ?? 0;
  const count = phoneCounts.get(atMost) ?? countUpTo(atMost);
  if (phoneCounts.size < MOST_ALLOWANCES) phoneCounts.set(atMost, count);
  const wanted = asked.map(({ booking, since }) => ({
    clinic: booking.clinic,
    phone: booking.phone_e164 ?? '',
    since,
  }));
  for (const { clinic, phone, since, count: found } of await count(trx, wanted))
    into.set(`${keyOf('phone', { clinic, source: '', phone_e164: phone })}\u0000${since}`, found);
}

const insertCounts = insertMany<Stored<'intake_counts'>>(
  ['clinic', 'source', 'bucket', 'count'],
  (trx, rows) =>
    trx
      .insertInto('intake_counts')
      .values(rows as unknown as Stored<'intake_counts'>[])
      .onConflict((conflict) =>
        conflict
          .columns(['clinic', 'source', 'bucket'])
          .doUpdateSet({ count: sql`intake_counts.count + excluded.count` }),
      ),
);

/** Runs in the transaction that stores the bookings. */
export async function countIntake(trx: Trx, stored: readonly NewBooking[]): Promise<void> {
  const rows = grouped(stored, (one) => `${keyOf('source', one)}\u0000${bucketOf(one.received_at)}`).map(
    (some) => {
      const [{ clinic, source, received_at }] = some as [NewBooking];
      return { clinic, source, bucket: bucketOf(received_at), count: some.length };
    },
  );
  await insertCounts(trx, rows);
}

/** Deletes counts that no limit still needs. Resolves to their number. */
export async function deleteIntakeCounts(trx: Trx, now: Instant, portion: number): Promise<number> {
  const old = await trx
    .selectFrom('intake_counts')
    .select(['clinic', 'source', 'bucket'])
    .where('bucket', '<', bucketOf(instant(toMs(now) - DAY)))
    .limit(portion)
    .execute();
  for (const key of old)
    await trx
      .deleteFrom('intake_counts')
      .where((row) => row.and(key))
      .execute();
  return old.length;
}

const sinceOf = ({ received_at }: NewBooking, withinMs: number): Instant =>
  instant(toMs(received_at) - withinMs);

type Counted = Pick<NewBooking, 'clinic' | 'source' | 'phone_e164'>;

const keyOf = (by: 'source' | 'phone', { clinic, source, phone_e164 }: Counted): string =>
  `${by}\u0000${clinic}\u0000${by === 'source' ? source : phone_e164}`;

const grouped = <T>(all: readonly T[], key: (one: T) => string): T[][] => [...Map.groupBy(all, key).values()];
