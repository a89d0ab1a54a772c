import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import type { NewBooking } from '../../../src/store/ports/bookings.ts';
import type { Store } from '../../../src/store/store.ts';
import { claimNext } from '../../conformance/store/samples.ts';

/** Occurs wherever a planted patient's data is shown; nowhere else. */
export const patientTraces = /Zelda|Quillfeather|5550199|Marrowfat|penicillin/i;

/** A booking that was made, and one that was rejected, with a patient whose every field can be recognised. */
export async function plantPatients({
  store,
  clock,
  clinic,
  source,
}: {
  store: Store;
  clock: Clock;
  clinic: string;
  source: string;
}): Promise<void> {
  const at = instant(clock.now());
  const planted = (submission_id: string, day: string): NewBooking => ({
    clinic,
    source,
    submission_id,
    kind: 'booking',
    state: 'queued',
    reason: null,
    message: null,
    // The same patient for another time within minutes would be asked about.
    patient_name: submission_id === 'first' ? 'Zelda M. Quillfeather' : 'Zelda Quillfeather',
    patient_phone: '+15005550199',
    phone_e164: '+15005550199',
    address: 'Marrowfat Lane 3',
    appointment_date: `2026-03-${day}`,
    appointment_time: '10:30',
    doctor_id: null,
    doctor: null,
    treatment_id: null,
    treatment: null,
    note: 'Penicillin makes her ill',
    unreadable_fields: [],
    not_before: null,
    received_at: at,
    content_hash: null,
    submission_hash: null,
  });

  const daemon = { attempt: 1, actor: 'daemon', by: 'daemon', at } as const;
  await store.bookings.accept(planted('first', '09'), judgeWithin(0));
  const first = await claimNext(store, clinic, at);
  if (first === undefined) throw new Error('nothing to send');
  await store.bookings.move({
    ...daemon,
    ref: first.ref,
    from: ['sending'],
    to: 'booked',
    appointment_id: 901,
  });
  await store.appointments.observe({
    clinic,
    appointment_id: 901,
    at,
    seen: {
      status: 'Scheduled',
      name: 'Zelda Quillfeather',
      date: '2026-03-09',
      time: '10:30',
      raw: { name: 'Zelda Quillfeather' },
    },
    next_due_at: at,
    done: false,
    changes: [
      {
        type: 'appointment.updated',
        resource: 'appointment',
        id: '901',
        data: { appointment_id: 901, status: 'Scheduled', name: 'Zelda Quillfeather' },
        previous: { name: 'Zelda Q.' },
      },
    ],
  });

  await store.bookings.accept(planted('second', '10'), judgeWithin(0));
  const second = await claimNext(store, clinic, at);
  if (second === undefined) throw new Error('nothing to send');
  const message = 'The clinic answered: Zelda Quillfeather (+15005550199) is a patient already.';
  await store.bookings.move({ ...daemon, ref: second.ref, from: ['sending'], to: 'rejected', message });
}
