import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scriptedClinic } from '../../../test/support/bookings/scripted-clinic.ts';
import { clinicSettings, lead } from '../../../test/support/bookings/world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import type { Submission } from '../../domain/bookings/booking.ts';
import { silentLog } from '../../platform/log.ts';
import { createBookings } from '../bookings.ts';

const runs = 60 * Number(process.env.VERIFY_RUNS ?? 1);
const optional = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

/** Few values, so that much of it repeats. */
const submission: fc.Arbitrary<Submission> = fc
  .record({
    clinic: fc.constantFrom('north', 'south'),
    submission_id: optional('a', 'b'),
    task: optional('Cancel it'),
    task_kind: fc.constantFrom('cancellation' as const, 'move' as const),
    source: fc.constantFrom('form', 'crm'),
    note: optional('I am allergic to penicillin', 'Ground floor, please'),
    patient_name: fc.constantFrom('Rahim Uddin', 'Karima Begum'),
    appointment_time: optional('10:00', '11:00'),
  })
  .map(({ submission_id, task, task_kind, note, patient_name, appointment_time, ...whose }) => ({
    ...whose,
    ...(submission_id !== undefined && { submission_id }),
    ...(task !== undefined && { task, task_kind }),
    fields: lead({ patient_name, ...(note && { note }), ...(appointment_time && { appointment_time }) }),
  }));
const kindOf = ({ task, task_kind }: Submission) =>
  task === undefined ? 'booking' : (task_kind ?? 'cancellation');

it('answers no submission with a booking of another clinic or kind, and keeps every word of it somewhere', async () => {
  const property = fc.asyncProperty(fc.array(submission, { minLength: 2, maxLength: 8 }), async (sent) => {
    const store = await openTestStore();
    const clinics = (['north', 'south'] as const).map(
      (key) => [key, { clinic: scriptedClinic(key), settings: clinicSettings(key) }] as const,
    );
    const sources = new Map();
    const bookings = createBookings({
      ...{ store, clinics: new Map(clinics), sources, clock: fakeClock(), log: silentLog },
    });

    for (const one of sent) {
      const { ref } = await bookings.accept(one);
      const booking = await store.bookings.get(ref);
      expect([booking?.clinic, booking?.kind]).toEqual([one.clinic, kindOf(one)]);
      const kept = (await store.bookings.list({})).map(({ note }) => note ?? '');
      expect(kept.some((note) => note.includes(String(one.fields.note ?? '')))).toBe(true);
    }
  });

  await fc.assert(property, { numRuns: runs });
});
