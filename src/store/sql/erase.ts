import type { Booking } from '../../model/booking.ts';
import type { Instant } from '../../model/clock.ts';
import { Failure } from '../../model/failure.ts';
import type { JsonObject } from '../../model/json.ts';
import { withoutPatient } from '../../model/patient.ts';
import type { Erased, Person } from '../store.ts';
import { toBooking } from './bookings/booking-rows.ts';
import type { Step } from './bookings/move-booking.ts';
import { parseJson, slices, type Trx } from './database.ts';

const IDS_PER_STATEMENT = 500;

export type ErasedRows = Omit<Erased, 'log_cleared' | 'copies'>;

interface Erasure {
  person: Person;
  at: Instant;
  by: string;
}

type StepBooking = (trx: Trx, before: Booking, step: Step) => Promise<Booking>;

/** Takes a person out of every row. Last the change log, because dropping a booking writes to it. */
export async function erasePerson(
  trx: Trx,
  step: StepBooking,
  { person, at, by }: Erasure,
): Promise<ErasedRows> {
  const bookings = await bookingsOf(trx, person);
  const onTheWire = bookings.find(({ state }) => state === 'sending');
  if (onTheWire !== undefined)
    throw new Failure({
      kind: 'transient',
      message: `Booking ${onTheWire.ref} is being sent right now.`,
      hint: 'Try again in a minute.',
    });
  for (const booking of bookings)
    if (['received', 'held', 'queued'].includes(booking.state))
      await step(trx, booking, { to: 'dropped', actor: 'person', by, at, reason: 'erased' });

  const refs = bookings.map(({ ref }) => ref);
  const erased: ErasedRows = { refs, appointment_ids: [], changes: 0, deliveries: 0 };
  for (const some of slices(refs, IDS_PER_STATEMENT)) {
    await eraseBookings(trx, some);
    const appointments = await eraseAppointments(trx, some);
    erased.appointment_ids.push(...appointments.map(({ appointment_id }) => appointment_id));
    const things = [
      ...some.map((id) => ({ resource: 'booking', id })),
      ...appointments.map(({ clinic, appointment_id }) => ({
        resource: 'appointment',
        id: String(appointment_id),
        clinic,
      })),
    ];
    for (const thing of things) {
      erased.changes += await eraseChanges(trx, thing);
      erased.deliveries += await eraseDeliveries(trx, thing);
    }
  }
  return erased;
}

async function bookingsOf(trx: Trx, person: Person): Promise<Booking[]> {
  const query = trx.selectFrom('bookings').selectAll();
  if ('ref' in person) return (await query.where('ref', '=', person.ref).execute()).map(toBooking);
  if (person.phones.length === 0) return [];
  const rows = await query
    .where((row) =>
      row.or([row('phone_e164', 'in', person.phones), row('patient_phone', 'in', person.phones)]),
    )
    .execute();
  return rows.map(toBooking);
}

/** Messages too: the clinic's answer may name the patient, and the content hash could be found by trying phones. */
async function eraseBookings(trx: Trx, refs: readonly string[]): Promise<void> {
  const nobody = { patient_name: null, patient_phone: null, phone_e164: null, address: null, note: null };
  await trx
    .updateTable('bookings')
    .set({ ...nobody, message: null, content_hash: null })
    .where('ref', 'in', refs)
    .execute();
  await trx.updateTable('booking_events').set({ message: null }).where('ref', 'in', refs).execute();
}

async function eraseAppointments(trx: Trx, refs: readonly string[]) {
  const linked = await trx
    .selectFrom('bookings')
    .select(['clinic', 'appointment_id'])
    .where('ref', 'in', refs)
    .execute();
  const erased: { clinic: string; appointment_id: number }[] = [];
  for (const { clinic, appointment_id } of linked) {
    if (appointment_id === null) continue;
    // Not followed any more: the next look would bring the name back.
    await trx
      .updateTable('appointments')
      .set({ name: null, raw: null, done: 1, next_due_at: null })
      .where('clinic', '=', clinic)
      .where('appointment_id', '=', appointment_id)
      .execute();
    erased.push({ clinic, appointment_id });
  }
  return erased;
}

interface ErasedThing {
  resource: string;
  id: string;
  /** A booking's ref is unique over all clinics. */
  clinic?: string;
}

async function eraseChanges(trx: Trx, { resource, id, clinic }: ErasedThing): Promise<number> {
  let query = trx
    .selectFrom('changes')
    .select(['clinic', 'sequence', 'data', 'previous'])
    .where('resource', '=', resource)
    .where('id', '=', id);
  if (clinic !== undefined) query = query.where('clinic', '=', clinic);
  const rows = await query.execute();
  for (const { data, previous, ...key } of rows)
    await trx
      .updateTable('changes')
      .set({ data: nameless(data), previous: previous === null ? null : nameless(previous) })
      .where('clinic', '=', key.clinic)
      .where('sequence', '=', key.sequence)
      .execute();
  return rows.length;
}

/** A body that cannot be read is emptied: it may be anything. */
async function eraseDeliveries(trx: Trx, { resource, id, clinic }: ErasedThing): Promise<number> {
  let query = trx.selectFrom('deliveries').select(['n', 'body']).where('thing', '=', `${resource}:${id}`);
  if (clinic !== undefined) query = query.where('clinic', '=', clinic);
  const rows = await query.execute();
  for (const { n, body } of rows)
    await trx
      .updateTable('deliveries')
      .set({ body: namelessBody(body) })
      .where('n', '=', n)
      .execute();
  return rows.length;
}

function nameless(stored: string): string {
  const { message: _message, ...fields } = parseJson(stored);
  return JSON.stringify(withoutPatient(fields));
}

function namelessBody(body: string): string {
  try {
    const event = parseJson<JsonObject>(body);
    for (const part of ['data', 'previous']) {
      const fields = event[part];
      if (fields !== null && typeof fields === 'object' && !Array.isArray(fields))
        event[part] = JSON.parse(nameless(JSON.stringify(fields)));
    }
    return JSON.stringify(event);
  } catch {
    return '{}';
  }
}
