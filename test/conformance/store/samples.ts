import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import type { Session } from '../../../src/domain/audit.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import type { NewChange } from '../../../src/domain/clinics/change.ts';
import type { ClinicRecord } from '../../../src/domain/clinics/resource.ts';
import type { NewDelivery } from '../../../src/domain/delivery.ts';
import type { NewBooking } from '../../../src/store/ports/bookings.ts';
import type { Store } from '../../../src/store/store.ts';

/** Opens an empty store; what it opened is closed again by whoever opened it. */
export type OpenStore = () => Promise<Store>;

const start = Date.parse('2026-03-02T09:00:00Z');
/** An instant so many minutes into the test's day. */
export const minute = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
export const QUARTER_HOUR_MS = 15 * 60_000;
/** As the daemon judges. */
export const judge = judgeWithin(QUARTER_HOUR_MS);

export function treatment(id: number, fields: Partial<Record<string, string | number>> = {}): ClinicRecord {
  const raw = {
    treatment_id: id,
    treatment_name: `Treatment ${id}`,
    description: 'Scale and polish',
    base_fee: '120.50',
    duration_minutes: 30,
    image_url: 'https://clinic.example/1.png',
    ...fields,
  };
  return { id: String(id), fields: raw, raw: { ...raw, extra: ['kept'] }, hash: JSON.stringify(raw) };
}

export const created = (thing: ClinicRecord): NewChange => ({
  type: 'treatment.created',
  resource: 'treatment',
  id: thing.id,
  data: thing.fields,
  previous: null,
});

let submissions = 0;

/** Each a different submission about a different person, by default. */
export function booking(fields: Partial<NewBooking> = {}): NewBooking {
  submissions += 1;
  return {
    clinic: 'main',
    source: 'website',
    submission_id: `submission-${submissions}`,
    kind: 'booking',
    state: 'queued',
    reason: null,
    message: null,
    patient_name: `Ada Planted ${submissions}`,
    patient_phone: `0170000${submissions}`,
    phone_e164: `+88017${String(submissions).padStart(8, '0')}`,
    address: null,
    appointment_date: '2026-04-01',
    appointment_time: '10:30',
    doctor_id: 7,
    doctor: null,
    treatment_id: null,
    treatment: null,
    note: null,
    unreadable_fields: [],
    not_before: null,
    received_at: minute(0),
    content_hash: `content-${submissions}`,
    submission_hash: fields.content_hash === undefined ? `content-${submissions}` : fields.content_hash,
    ...fields,
  };
}

/** As the dispatcher does: the next that may be sent is claimed. */
export async function claimNext(
  store: Pick<Store, 'bookings'>,
  clinic: string,
  at: string,
): Promise<Booking | undefined> {
  const [next] = await store.bookings.nextSendable(clinic, at, 1);
  return store.bookings.claim(clinic, at, { ref: next?.ref ?? 'none', evidence: {} });
}

/** An answer that a guard holds. */
export const heldAnswer = {
  clinic: 'main',
  poll: 'treatments',
  kind: 'removed',
  fingerprint: 'f',
  count: 8,
  of: 10,
  sentence: 'The clinic’s answer would remove 8 of 10 treatments.',
  things: [],
  approval_only: false,
} satisfies Parameters<Store['guards']['raise']>[0];

export const delivery = (sequence: number, thing = 'treatment:1', id = `d${sequence}`): NewDelivery => ({
  id,
  sequence,
  type: 'treatment.updated',
  thing,
  body: `{"sequence":${sequence}}`,
});

export const session = (id: string, more: Partial<Session> = {}): Session => ({
  id,
  person: 'Rima',
  by: 'Rima',
  proof: 'p',
  address: '192.0.2.7',
  started_at: minute(0),
  seen_at: minute(0),
  ends_at: minute(60),
  ...more,
});
