import { type RawBuilder, sql } from 'kysely';
import { statistics as figures } from '../../../domain/clinics/resource.ts';
import type { LoggedTable, MirrorTable, PagedTable, Row } from '../../../domain/clinics/tables.ts';
import type { MirrorVerbs } from '../../ports/mirror.ts';
import { type Db, parseJson, slices } from '../database.ts';
import { ascending, tableIn } from '../dialects.ts';

const IDS_PER_STATEMENT = 1_000;

/** A stable order of rows, by number if there is one. */
const order: Record<MirrorTable, readonly string[]> = {
  organization: ['care_id', 'first_seen_at'],
  organization_statistics: ['at'],
  website: ['care_id', 'first_seen_at'],
  treatments: ['treatment_id'],
  dentists: ['doctor_id'],
  fees: ['treatment_id', 'valid_from'],
  consultation_fees: ['doctor_id', 'valid_from'],
  appointments: ['appointment_id'],
  bookings: ['received_at', 'ref'],
  leads: ['received_at', 'ref'],
  conversions: ['converted_at', 'ref'],
  retractions: ['retracted_at', 'ref', 'n'],
};

/** An expression that only the index for pages has: SQLite would also pick a plain column's index for other reads. */
const pageOrder: Record<PagedTable, readonly string[]> = {
  treatments: order.treatments,
  dentists: order.dentists,
  organization_statistics: order.organization_statistics,
  appointments: order.appointments,
  bookings: [`received_at || ''`, 'ref'],
  leads: [`received_at || ''`, 'ref'],
  conversions: order.conversions,
  retractions: order.retractions,
};

/** The change log's name for a table's rows, and the column with their id. */
const logged: Record<LoggedTable, { resource: string; id: string }> = {
  appointments: { resource: 'appointment', id: 'appointment_id' },
  bookings: { resource: 'booking', id: 'ref' },
  leads: { resource: 'booking', id: 'ref' },
  conversions: { resource: 'booking', id: 'ref' },
  retractions: { resource: 'booking', id: 'ref' },
};

export function mirrorReads(
  db: Db,
): Pick<MirrorVerbs, 'rows' | 'names' | 'keysOf' | 'statistics' | 'page' | 'rowsById' | 'rowsChangedSince'> {
  const from = (table: MirrorTable) => {
    if (table === 'conversions') return conversionsIn(db);
    return table === 'retractions' ? retractionsIn(db) : tableIn(db, table);
  };
  const inOrder = (table: MirrorTable) => sql.join(order[table].map((column) => ascending(db, column)));

  const rowsById: MirrorVerbs['rowsById'] = async (table, clinic, ids) => {
    const rows: Row[] = [];
    const { id } = logged[table];
    for (const some of slices(ids, IDS_PER_STATEMENT)) {
      // A ref is of one clinic. With many refs, SQLite would enter an index at the clinic and read all of its rows.
      const wanted =
        id === 'ref'
          ? sql`ref in (${sql.join(some)})`
          : sql`clinic = ${clinic} and ${sql.ref(id)} in (${sql.join(some.map(Number))})`;
      const found = await sql<Row>`select * from ${from(table)} where ${wanted}`.execute(db);
      rows.push(...found.rows.filter((row) => row.clinic === clinic));
    }
    return rows;
  };

  return {
    rowsById,

    async rows(table, clinic) {
      const { rows } = await sql<Row>`
        select * from ${from(table)}
        where clinic = ${clinic} order by ${inOrder(table)}
      `.execute(db);
      return rows;
    },

    async names() {
      const { rows } = await sql<{ clinic: string; name: string | null }>`
        select clinic, name from ${tableIn(db, 'organization')} where removed_at is null
      `.execute(db);
      return new Map(rows.map(({ clinic, name }) => [clinic, name]));
    },

    async keysOf(careId) {
      const found = await db
        .selectFrom('organization_things as organization')
        .select(({ selectFrom }) => [
          'organization.clinic',
          selectFrom('bookings')
            .select('ref')
            .whereRef('bookings.clinic', '=', 'organization.clinic')
            .limit(1)
            .as('ref'),
        ])
        .where('id', '=', careId)
        .orderBy('organization.clinic')
        .execute();
      return found.map(({ clinic, ref }) => ({ key: clinic, hasBookings: ref !== null }));
    },

    async statistics(clinic, limit) {
      const newest = await db
        .selectFrom('organization_statistics')
        .select(['at', ...figures])
        .where('clinic', '=', clinic)
        .orderBy('at', 'desc')
        .limit(limit)
        .execute();
      return newest.reverse();
    },

    async page(table, clinic, limit, after) {
      // By ref, because the view would be computed in full for each page.
      if (table === 'leads') {
        const { rows } = await sql<{ ref: string }>`
          select ref from ${tableIn(db, 'bookings')} where clinic = ${clinic} and kind = 'booking'
            ${behind(table, after)}
          order by ${sql.raw(pageOrder[table].join(', '))} limit ${limit}
        `.execute(db);
        const refs = rows.map(({ ref }) => ref);
        const leads = new Map((await rowsById(table, clinic, refs)).map((row) => [row.ref, row]));
        return refs.map((ref) => leads.get(ref)).filter((row) => row !== undefined);
      }
      const { rows } = await sql<Row>`
        select * from ${from(table)} where clinic = ${clinic} ${behind(table, after)}
        order by ${sql.raw(pageOrder[table].join(', '))} limit ${limit}
      `.execute(db);
      return rows;
    },

    async rowsChangedSince(table, clinic, sequence, limit) {
      const { resource } = logged[table];
      const isOfLeads = table === 'leads' || table === 'conversions' || table === 'retractions';
      const changes = await db
        .selectFrom('changes')
        .select(['sequence', 'resource', 'id', 'data'])
        .where('clinic', '=', clinic)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .limit(limit)
        .execute();
      const ids = new Set(
        changes.flatMap((change) => {
          if (change.resource === resource) return [change.id];
          return isOfLeads ? leadOf(change) : [];
        }),
      );
      const rows = await rowsById(table, clinic, [...ids]);
      return {
        rows: table === 'conversions' ? [...rows, ...formerPlaces(changes, rows)] : rows,
        through: changes.at(-1)?.sequence ?? sequence,
      };
    },
  };
}

/**
 * The rows after one in the table's order. A row value enters an index of columns at the right place; SQLite enters one
 * of an expression only by a comparison of its own, and would read it from the start.
 */
function behind(table: PagedTable, after: Row | undefined) {
  if (after === undefined) return sql``;
  const values = order[table].map((column) => after[column] ?? null);
  const [first = ''] = pageOrder[table];
  const entry = first === order[table][0] ? sql`` : sql`and ${sql.raw(first)} >= ${values[0]}`;
  return sql`${entry} and (${sql.raw(pageOrder[table].join(', '))}) > (${sql.join(values)})`;
}

/** The lead concerned by a change to a conversion or to its visit. */
function leadOf({ resource, id, data }: { resource: string; id: string; data: string }): string[] {
  if (resource === 'lead') return [id];
  const { ref } = resource === 'appointment' ? parseJson(data) : {};
  return typeof ref === 'string' ? [ref] : [];
}

/** Former positions of conversions retracted or repeated since; they no longer have a row there. */
function formerPlaces(
  changes: readonly { resource: string; id: string; data: string }[],
  rows: readonly Row[],
): Row[] {
  const placeOf = ({ ref = null, converted_at = null }: Row) => ({ ref, converted_at });
  const places = changes
    .filter(({ resource }) => resource === 'lead')
    .map(({ id, data }) => ({ ref: id, converted_at: String(parseJson(data).completed_at) }));
  const former = new Map(places.map((place) => [JSON.stringify(place), place]));
  for (const row of rows) former.delete(JSON.stringify(placeOf(row)));
  return [...former.values()];
}

const conversionsIn = (db: Db) => sql`(
  select clinic, ref, source, campaign, channel, utm_source, utm_medium, utm_term, utm_content, click_id, click_id_kind,
    received_at, booked_at, completed_at as converted_at, treatment_id, doctor_id, fee as value, currency, phone_e164,
    ${orderId('ref', sql`(1 + (select count(*) from ${tableIn(db, 'retractions')} r where r.ref = bookings.ref))`)}
  from ${tableIn(db, 'bookings')} where completed_at is not null and retracted_at is null) as conversions`;

/** Includes the lead's origin, for as long as that is known. */
const retractionsIn = (db: Db) => sql`(
  select r.clinic, r.ref, r.n, b.source, b.campaign, b.channel, b.click_id, b.click_id_kind,
    r.converted_at, r.retracted_at,
    r.outcome, r.fee as value, r.currency, ${orderId('r.ref', sql`r.n`)}
  from ${tableIn(db, 'retractions')} r join ${tableIn(db, 'bookings')} b on b.ref = r.ref) as retractions`;

/** A platform accepts an order id only once, even after a retraction: a second conversion gets another one. */
const orderId = (ref: string, n: RawBuilder<unknown>) =>
  sql`${sql.raw(ref)} || case when ${n} > 1 then '-' || ${n} else '' end as order_id`;
