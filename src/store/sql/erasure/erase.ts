import { type Booking, noClinic } from '../../../domain/bookings/booking.ts';
import type { Instant } from '../../../platform/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { isObject, type JsonObject } from '../../../platform/json.ts';
import type { AppointmentKey } from '../../ports/appointments.ts';
import type { Erased, PersonFilter } from '../../ports/removal.ts';
import { selectBooking } from '../bookings/booking-rows.ts';
import { forgetTerms } from '../bookings/booking-terms.ts';
import { forgetSubmissions } from '../bookings/forgotten-submissions.ts';
import type { StepBooking } from '../bookings/move-booking.ts';
import { forgetUndo } from '../bookings/undo.ts';
import { erasedEvidence, erasedFields, type Personal, staysErased } from '../changes/erased-fields.ts';
import { type Db, parseJson, slices, type Trx, type Write } from '../database.ts';
import { findPerson } from '../people/person.ts';
import { type Stored, tables } from '../schema.ts';
import { logErasure } from './erasures.ts';

const ROWS_PER_STATEMENT = 1_000;

type ErasedRows = Omit<Erased, 'log_cleared' | 'copies' | 'backups'>;

interface EraseParts {
  db: Db;
  write: Write;
  step: StepBooking;
}

/** Removes a person from every row, one booking per transaction, so that leads wait for one booking at most. */
export async function erasePerson(
  { db, write, step }: EraseParts,
  { person, at, by }: { person: PersonFilter; at: Instant; by: string },
): Promise<ErasedRows> {
  const refs = await refsOf(db, person);
  for (const ref of refs) assertNotSending(await selectBooking(db, ref));
  const erased: ErasedRows = { last: 0, refs: [], appointment_ids: [], changes: 0, deliveries: 0 };
  const steps = [
    ...refs.map((ref) => (trx: Trx) => eraseBooking(trx, step, { ref, at, by })),
    ...(person.appointments ?? []).map((one) => (trx: Trx) => eraseFollowed(trx, one, at)),
  ];
  for (const eraseOne of steps) {
    const one = await write('erase', eraseOne);
    if (one === undefined) continue;
    erased.last = one.n;
    if (one.ref !== null) erased.refs.push(one.ref);
    if (one.appointment_id !== null) erased.appointment_ids.push(one.appointment_id);
    erased.changes += one.changes;
    erased.deliveries += one.deliveries;
  }
  return erased;
}

async function refsOf(db: Db, { phones = [], refs = [] }: PersonFilter): Promise<string[]> {
  const found = phones.length === 0 ? [] : (await findPerson(db, { phones })).refs;
  return [...new Set([...found, ...refs])];
}

/** Erases an appointment tracked without a booking; undefined if there is none (a booking's goes with the booking). */
async function eraseFollowed(
  trx: Trx,
  appointment: AppointmentKey,
  at: Instant,
): Promise<ErasedOne | undefined> {
  const { clinic, appointment_id } = appointment;
  const row = await trx
    .selectFrom('appointments')
    .select('ref')
    .where((row) => row.and({ clinic, appointment_id }))
    .executeTakeFirst();
  if (row?.ref !== null) return undefined;
  const n = await logErasure(trx, at, { refs: [], appointments: [appointment] });
  await eraseAppointment(trx, clinic, appointment_id);
  const counts = await takeOutRecord(trx, { resource: 'appointment', id: String(appointment_id), clinic });
  return { n, ref: null, appointment_id, ...counts };
}

function assertNotSending(booking: Booking | undefined): void {
  if (booking?.state !== 'sending') return;
  throw new Failure({
    kind: 'transient',
    message: `Booking ${booking.ref} is being sent right now.`,
    hint: 'Try again in a minute.',
  });
}

interface ErasedOne {
  /** Number of the erasure. */
  n: number;
  ref: string | null;
  appointment_id: number | null;
  changes: number;
  deliveries: number;
}

/** Drops a waiting booking first. Erases the change log last, because dropping writes to it. */
async function eraseBooking(
  trx: Trx,
  step: StepBooking,
  { ref, at, by }: { ref: string; at: Instant; by: string },
): Promise<ErasedOne | undefined> {
  const found = await selectBooking(trx, ref);
  if (found === undefined) return undefined;
  assertNotSending(found);
  const waits = ['received', 'held', 'queued'].includes(found.state);
  const booking = waits
    ? await step(trx, found, { to: 'dropped', actor: 'person', by, at, reason: 'erased' })
    : found;
  const { clinic, appointment_id } = booking;
  const appointments = appointment_id === null ? [] : [{ clinic, appointment_id }];
  const n = await logErasure(trx, at, { refs: [ref], appointments });
  return { n, ref, appointment_id, ...(await takeOutPerson(trx, booking)) };
}

/** Removes the person from everything stored about a booking and its appointment; the rows stay. */
export async function takeOutPerson(
  trx: Trx,
  booking: Booking,
): Promise<{ changes: number; deliveries: number }> {
  const { ref, clinic, appointment_id } = booking;
  await forgetSubmissions(trx, booking);
  await forgetUndo(trx, ref);
  await forgetTerms(trx, ref);
  await eraseRow(trx, ref);
  const things: ErasedRecord[] = [
    { resource: 'booking', id: ref, clinic },
    { resource: 'lead', id: ref, clinic },
    // Where it was logged until a person chose its clinic.
    ...(clinic === noClinic ? [] : [{ resource: 'booking' as const, id: ref, clinic: noClinic }]),
  ];
  if (appointment_id !== null) {
    await eraseAppointment(trx, clinic, appointment_id);
    things.push({ resource: 'appointment', id: String(appointment_id), clinic });
  }
  const counts = { changes: 0, deliveries: 0 };
  for (const thing of things) {
    const { changes, deliveries } = await takeOutRecord(trx, thing);
    counts.changes += changes;
    counts.deliveries += deliveries;
  }
  return counts;
}

/** Covers only the change log and deliveries. */
export async function takeOutRecord(
  trx: Trx,
  thing: ErasedRecord,
): Promise<{ changes: number; deliveries: number }> {
  return { changes: await eraseChanges(trx, thing), deliveries: await eraseDeliveries(trx, thing) };
}

const nullable = Object.entries(tables.bookings).flatMap(([name, column]) => (column.nullable ? [name] : []));

async function eraseRow(trx: Trx, ref: string): Promise<void> {
  const row = await trx.selectFrom('bookings').selectAll().where('ref', '=', ref).executeTakeFirstOrThrow();
  const values: Record<string, unknown> = row;
  const emptied = nullable.filter(
    (name) => name !== 'evidence' && !staysErased('booking', name, values[name]),
  );
  await trx
    .updateTable('bookings')
    .set({
      ...(Object.fromEntries(emptied.map((name) => [name, null])) as Partial<Stored<'bookings'>>),
      evidence: erasedEvidence(row.evidence),
    })
    .where('ref', '=', ref)
    .execute();
  const events = await trx
    .selectFrom('booking_events')
    .select(['n', 'evidence'])
    .where('ref', '=', ref)
    .execute();
  for (const { n, evidence } of events)
    await trx
      .updateTable('booking_events')
      .set({ message: null, evidence: erasedEvidence(evidence) })
      .where('n', '=', n)
      .execute();
}

async function eraseAppointment(trx: Trx, clinic: string, id: number): Promise<void> {
  // No longer tracked, because the next status read would bring the name back.
  await trx
    .updateTable('appointments')
    .set({ name: null, raw: null, done: 1, next_due_at: null })
    .where((row) => row.and({ clinic, appointment_id: id }))
    .execute();
  await trx
    .deleteFrom('observations')
    .where((row) => row.and({ clinic, appointment_id: id }))
    .execute();
}

interface ErasedRecord {
  resource: Personal;
  id: string;
  clinic: string;
}

async function eraseChanges(trx: Trx, { resource, id, clinic }: ErasedRecord): Promise<number> {
  const rows = await trx
    .selectFrom('changes')
    .select(['sequence', 'data', 'previous'])
    .where((row) => row.and({ clinic, resource, id }))
    .execute();
  const without = (stored: string) => JSON.stringify(erasedFields(resource, parseJson(stored)));
  for (const { sequence, data, previous } of rows)
    await trx
      .updateTable('changes')
      .set({ data: without(data), previous: previous === null ? null : without(previous) })
      .where((row) => row.and({ clinic, sequence }))
      .execute();
  // The salt must go: with it, the hash would allow recovering the erased data by guessing.
  for (const some of slices(rows, ROWS_PER_STATEMENT))
    await trx
      .updateTable('change_hashes')
      .set({ salt: null })
      .where('clinic', '=', clinic)
      .where(
        'sequence',
        'in',
        some.map(({ sequence }) => sequence),
      )
      .execute();
  return rows.length;
}

async function eraseDeliveries(trx: Trx, { resource, id, clinic }: ErasedRecord): Promise<number> {
  const rows = await trx
    .selectFrom('deliveries')
    .select(['n', 'body'])
    .where((row) => row.and({ thing: `${resource}:${id}`, clinic }))
    .execute();
  for (const { n, body } of rows)
    await trx
      .updateTable('deliveries')
      .set({ body: erasedBody(resource, body), last_error: null })
      .where('n', '=', n)
      .execute();
  return rows.length;
}

/** An unreadable body is emptied, because it may hold anything. */
function erasedBody(resource: Personal, body: string): string {
  try {
    const event = parseJson<JsonObject>(body);
    for (const part of ['data', 'previous']) {
      const fields = event[part];
      if (isObject(fields)) event[part] = erasedFields(resource, fields);
    }
    return JSON.stringify(event);
  } catch {
    return '{}';
  }
}
