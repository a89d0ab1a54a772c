import { sql } from 'kysely';
import { untouched } from '../../../domain/campaign.ts';
import { recordFields } from '../../../domain/clinics/record-fields.ts';
import type { ListPoll } from '../../../domain/clinics/resource.ts';
import { isSameValue } from '../../../domain/clinics/spelling.ts';
import { canonical, type Json, type JsonObject } from '../../../platform/json.ts';
import { withoutAddresses, withStableAddresses } from '../../../platform/network/stable-url.ts';
import type { Difference } from '../../ports/changes.ts';
import { createTheRest } from '../create-schema.ts';
import { type Db, parseJson } from '../database.ts';
import { isPostgres, tableIn } from '../dialects.ts';
import type { Stored, tables } from '../schema.ts';
import { firstFalseCount, firstMiscounted, staying } from './compare-counts.ts';
import { isPersonal, staysErased } from './erased-fields.ts';
import { feesOfLog } from './fees-of-before.ts';
import { clinicsIn } from './log-changes.ts';

const PAGE = 500;

interface Compared {
  table: keyof typeof tables;
  id: string;
  resource: 'treatment' | 'dentist' | 'organization' | 'website' | 'appointment' | 'booking' | 'lead';
  /** Columns that reports print, with their names in the log where they differ. */
  fields: Readonly<Record<string, string>>;
  /** Columns that some writes change without a change in the log, and the test for rows that had none of these. */
  more?: {
    columns: readonly string[];
    asked: readonly string[];
    isLogged(row: Pair, logged: JsonObject): boolean;
  };
  /** Whether each row comes with a change. A lead has one only if it converted. */
  isLogged: boolean;
}

const named = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, field]));

/** A record with signed addresses is read and stored anew with each answer. */
const texts = (poll: ListPoll): Required<Pick<Compared, 'more'>> => ({
  more: {
    columns: Object.entries(recordFields[poll]).flatMap(([name, kind]) =>
      kind === 'id' || kind === 'json' ? [] : [name],
    ),
    asked: ['raw'],
    isLogged: ({ raw, data }) => [raw, data].every((text) => withStableAddresses(String(text)) === text),
  },
});

/** A lead that came again brings its newest campaign. An erased one has none, in neither place. */
const touches: Required<Pick<Compared, 'more'>> = {
  more: {
    columns: Object.keys(untouched),
    asked: ['merged'],
    isLogged: ({ merged, salt }, logged) => salt !== null && Number(merged) === logged.merged,
  },
};

const COMPARED: readonly Compared[] = [
  {
    ...{ table: 'organization_things', id: 'id', resource: 'organization', isLogged: true },
    ...{ fields: named('name', 'currency'), ...texts('organization') },
  },
  {
    ...{ table: 'website_things', id: 'id', resource: 'website', isLogged: true },
    ...{ fields: named('clinic_name'), ...texts('website') },
  },
  {
    ...{ table: 'treatments_things', id: 'id', resource: 'treatment', isLogged: true },
    ...{ fields: named('treatment_name', 'base_fee'), ...texts('treatments') },
  },
  {
    ...{ table: 'dentists_things', id: 'id', resource: 'dentist', isLogged: true },
    ...{ fields: named('doctor_name', 'consultation_fee'), ...texts('dentists') },
  },
  {
    ...{ table: 'appointments', id: 'appointment_id', resource: 'appointment', isLogged: true },
    fields: named('status', 'name', 'date', 'time'),
  },
  {
    ...{ table: 'bookings', id: 'ref', resource: 'booking', isLogged: true },
    fields: named(
      ...['state', 'kind', 'source', 'doctor_id', 'treatment_id', 'appointment_id', 'received_at'],
      ...['patient_name', 'patient_phone', 'appointment_date', 'appointment_time', 'booked_at'],
    ),
    ...touches,
  },
  {
    ...{ table: 'bookings', id: 'ref', resource: 'lead', isLogged: false },
    fields: { ...named('completed_at', 'retracted_at', 'currency'), fee: 'value' },
  },
];

/** The log leaves these out where they are empty. */
const leftOut: ReadonlySet<string> = new Set([...Object.keys(untouched), 'retracted_at']);

/** Where no clinic has a row without a change. */
const LOGGED = [...new Set(COMPARED.map(({ table }) => table)), 'fee_periods', 'observations'] as const;

/** Clinics of which there is a row that comes with a change. */
export async function clinicsWithRows(db: Db): Promise<string[]> {
  const found = await Promise.all(LOGGED.map((table) => clinicsIn(db, table)));
  return found.flat();
}

interface Pair {
  id: string | number;
  sequence: number | null;
  type: string | null;
  data: string | null;
  /** Null if the person was erased, or none was in it. */
  salt: string | null;
  [column: string]: unknown;
}

/**
 * The first row that is not as the newest change of its record left it, or fee period that does not follow from the
 * log; null if there is none. `through`: the last change that retention removed.
 */
export async function compareRows(
  db: Db,
  clinic: string,
  { through, signal }: { through: number; signal?: AbortSignal | undefined },
): Promise<Difference | null> {
  for (const compared of COMPARED) {
    const found =
      (await firstAltered(db, clinic, { compared, through, signal })) ??
      (await firstMissing(db, clinic, compared));
    if (found !== null) return found;
  }
  return (
    (await firstFalsePeriod(db, clinic, through)) ??
    (await firstFalseCount(db, clinic, through === 0)) ??
    (through > 0 ? null : await firstMiscounted(db, clinic)) ??
    (await firstAlteredView(db))
  );
}

async function firstAltered(
  db: Db,
  clinic: string,
  { compared, through, signal }: { compared: Compared; through: number; signal: AbortSignal | undefined },
): Promise<Difference | null> {
  const { table, id, resource, fields, more } = compared;
  const wanted = new Set([...Object.keys(fields), ...(more?.columns ?? []), ...(more?.asked ?? [])]);
  const columns = sql.join([...wanted].map((column) => sql.ref(`r.${column}`)));
  // A clinic that replaces another one logs its own arrival only.
  const removed = resource === 'treatment' || resource === 'dentist' ? sql`, r.removed_at` : sql``;
  const changes = tableIn(db, 'changes');
  // Row and change in one statement: they were written in one transaction, and the daemon goes on writing.
  const pageAfter = (after: string | number | undefined) =>
    sql<Pair>`
      select r.${sql.ref(id)} as id, ${columns}${removed}, c.sequence, c.type, c.data, h.salt
      from ${tableIn(db, table)} r
      left join ${changes} c on c.clinic = r.clinic and c.sequence = (select max(x.sequence) from ${changes} x
        where x.clinic = r.clinic and x.resource = ${resource} and x.id = cast(r.${sql.ref(id)} as text))
      left join ${tableIn(db, 'change_hashes')} h on h.clinic = c.clinic and h.sequence = c.sequence
      where r.clinic = ${clinic} ${after === undefined ? sql`` : sql`and r.${sql.ref(id)} > ${after}`}
      order by r.${sql.ref(id)} limit ${PAGE}`.execute(db);
  for (let after: string | number | undefined; ; ) {
    signal?.throwIfAborted();
    const { rows } = await pageAfter(after);
    for (const row of rows) {
      const found = differenceOf(compared, row, through);
      if (found !== null) return found;
    }
    after = rows.at(-1)?.id;
    if (rows.length < PAGE) return null;
  }
}

function differenceOf(compared: Compared, row: Pair, through: number): Difference | null {
  const { sequence, removed_at } = row;
  const differs: Differs = (field, stored, logged) => ({
    ...{ resource: compared.resource, id: String(row.id), field, sequence },
    ...{ stored: asText(stored), logged: asText(logged) },
  });
  if (row.data === null || row.type === null)
    return compared.isLogged && through === 0 ? differs(null, 'present', null) : null;
  const isGone = row.type.endsWith('.removed');
  if (removed_at !== undefined && isGone !== (removed_at !== null))
    return differs('removed_at', removed_at, isGone ? 'removed' : null);
  return alteredField(compared, row, parseJson(row.data), differs);
}

type Differs = (field: string | null, stored: unknown, logged: unknown) => Difference;

function alteredField(
  { resource, fields, more }: Compared,
  row: Pair,
  logged: JsonObject,
  differs: Differs,
): Difference | null {
  const compared = { ...fields, ...(more?.isLogged(row, logged) && named(...more.columns)) };
  for (const [column, field] of Object.entries(compared)) {
    const stored = row[column];
    // Erased fields are in neither, and fields of later versions in no log.
    if (isUnderWay(column, row, logged) || !(field in logged || leftOut.has(field))) continue;
    if (isSame(column, comparable(stored), comparable(logged[field]))) continue;
    return isPrivate(resource, field, logged[field] ?? stored)
      ? differs(column, '…', '…')
      : differs(column, stored, logged[field]);
  }
  return null;
}

/** Some addresses are others in each answer: the newest is stored, without a change. */
const isSame = (column: string, stored: Json, logged: Json): boolean =>
  isSameValue(column, stored, logged) ||
  withoutAddresses(canonical(stored)) === withoutAddresses(canonical(logged));

/** An attempt in progress is not logged. */
const isUnderWay = (column: string, row: Pair, logged: JsonObject): boolean =>
  column === 'state' && row.state === 'sending' && logged.state === 'queued';

/** What may be about a person is named, not printed. */
const isPrivate = (resource: Compared['resource'], field: string, value: unknown): boolean =>
  isPersonal(resource) && !staysErased(resource, field, value);

/** Numbers of 64 bits and ids come as text from some drivers. */
const comparable = (value: unknown): Json => (value === null || value === undefined ? null : String(value));
const asText = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

/**
 * A record of the log without a row. Retention takes the person out of the log with a booking, and a booking that lost
 * its number forgets the visit; neither looks like a row that was deleted by hand.
 */
async function firstMissing(
  db: Db,
  clinic: string,
  { table, id, resource, isLogged }: Compared,
): Promise<Difference | null> {
  if (!isLogged) return null;
  const isLinked = sql`and exists (select 1 from ${tableIn(db, 'bookings')} b where b.clinic = c.clinic
    and b.appointment_id = cast(c.id as bigint) and b.state = 'booked' and b.patient_name is not null)`;
  const isOfPerson = sql`and exists (select 1 from ${tableIn(db, 'change_hashes')} h where h.clinic = c.clinic
    and h.sequence = c.sequence and h.salt is not null) ${staying(db, clinic)}`;
  const { rows } = await sql<{ id: string; sequence: number }>`
    select c.id, max(c.sequence) as sequence from ${tableIn(db, 'changes')} c
    where c.clinic = ${clinic} and c.resource = ${resource}
      and not exists (select 1 from ${tableIn(db, table)} r where r.clinic = c.clinic
        and r.${sql.ref(id)} = ${id === 'appointment_id' ? sql`cast(c.id as bigint)` : sql`c.id`})
      ${resource === 'appointment' ? isLinked : resource === 'booking' ? isOfPerson : sql``}
    group by c.id order by 2 limit 1`.execute(db);
  const [row] = rows;
  return row === undefined
    ? null
    : { resource, id: row.id, field: null, sequence: Number(row.sequence), stored: null, logged: 'present' };
}

type Period = Stored<'fee_periods'>;

/** What happened before the log begins cannot be compared. */
async function firstFalsePeriod(db: Db, clinic: string, through: number): Promise<Difference | null> {
  const keyOf = ({ kind, id, sequence }: Period) => `${kind} ${id} ${sequence}`;
  // Periods of before the log have the number 0: with the whole log there are none.
  const first = through === 0 ? 0 : through + 1;
  const isSince = ({ sequence }: Period) => sequence > through;
  const derived = new Map((await feesOfLog(db, clinic)).map((one) => [keyOf(one), one]));
  const stored = await db
    .selectFrom('fee_periods')
    .selectAll()
    .where('clinic', '=', clinic)
    .where('sequence', '>=', first)
    .orderBy('sequence')
    .execute();
  const differs = ({ kind, id, sequence }: Period, field: string | null, values: JsonObject): Difference => ({
    ...{ resource: `${kind} fee period`, id, field, sequence },
    ...{ stored: asText(values.stored), logged: asText(values.logged) },
  });
  for (const period of stored) {
    const expected = derived.get(keyOf(period));
    if (expected === undefined) return differs(period, null, { stored: 'present', logged: null });
    derived.delete(keyOf(period));
    if (!isSince(period)) continue;
    for (const field of ['name', 'fee', 'currency', 'valid_from', 'valid_to', 'removed_by'] as const)
      if (!isSameValue(field, period[field], expected[field]))
        return differs(period, field, { stored: period[field], logged: expected[field] });
  }
  const absent = derived.values().find(isSince);
  return absent === undefined ? null : differs(absent, null, { stored: null, logged: 'present' });
}

/**
 * Reports read views, and triggers change what is written. The first one that is not as clinic-sync made it, on SQLite;
 * further views are the clinic's own affair.
 */
async function firstAlteredView(db: Db): Promise<Difference | null> {
  if (isPostgres(db)) return null;
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema where type in ('view', 'trigger')`.execute(db);
  const found = new Map(rows.map((row) => [row.name, normalised(row.sql)]));
  const made = new Map(
    createTheRest('sqlite').flatMap((statement) => {
      const name = /^CREATE (?:VIEW|TRIGGER) (\w+)/.exec(statement)?.[1];
      return name === undefined ? [] : [[name, normalised(statement)] as const];
    }),
  );
  const triggers = rows.filter(({ type }) => type === 'trigger').map(({ name }) => name);
  for (const id of new Set([...made.keys(), ...triggers])) {
    const [stored = null, logged = null] = [found.get(id), made.get(id)];
    if (stored !== logged) return { ...difference, id, stored, logged };
  }
  return null;
}

const difference = { resource: 'view or trigger', field: 'definition', sequence: null } as const;

/** Without what does not change its meaning. */
const normalised = (statement: string): string =>
  statement
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1');
