import type { MutationSet } from '../mutation.ts';

export const store: MutationSet = {
  module: 'bookings/store',
  tests: ['test/conformance/store/sqlite.test.ts'],
  titles: 'in memory (?!bookings, whatever)',
  mutations: [
    {
      file: 'src/store/sql/bookings/move-booking.ts',
      find: '!from.includes(before.state) || before.attempt !== wanted.attempt',
      replace: '!from.includes(before.state)',
      harm: 'a late look settles the second send: a hidden double booking',
    },
    {
      file: 'src/store/sql/bookings/move-booking.ts',
      find: 'if (beside !== undefined && (await othersAtSlot(trx, here, named)).length > 0) return undefined;',
      replace: '',
      harm: 'a duplicate that arrived meanwhile is released beside the first',
    },
    {
      file: 'src/store/sql/bookings/move-booking.ts',
      find: "if (wanted.to === 'sending' || !mayMove(before.state, wanted.to, wanted.actor))",
      replace: "if (wanted.to === 'sending')",
      harm: 'the daemon queues what may exist at the clinic',
    },
    {
      file: 'src/store/sql/bookings/move-booking.ts',
      find: "if (wanted.to === 'booked') await assertFree(trx, before, wanted.appointment_id);\n    else if",
      replace: "if (wanted.to !== 'booked') if",
      harm: 'two bookings share one appointment',
    },
    {
      file: 'src/store/sql/bookings/move-booking.ts',
      find: "evidence: move.to === 'sending' ? (move.evidence ?? null) : merged",
      replace: 'evidence: merged',
      harm: 'evidence of the first attempt counts for the second',
    },
    {
      file: 'src/store/sql/bookings/bookings.ts',
      find: 'if (booking?.attempt !== attempt) return false;',
      replace: 'if (booking === undefined) return false;',
      harm: 'evidence about an earlier attempt is written on the present one',
    },
    {
      file: 'src/store/sql/bookings/bookings.ts',
      find: 'if (sending !== undefined) return undefined;',
      replace: '',
      harm: 'two bookings of one clinic are on the wire at once',
    },
    {
      file: 'src/store/sql/bookings/bookings.ts',
      find: "booking.state !== 'queued' || !isDue(booking, at)",
      replace: "booking.state !== 'queued'",
      harm: 'a booking is sent again before its pause is over',
    },
    {
      file: 'src/store/sql/bookings/bookings.ts',
      find: "to: 'unknown' as BookingState, at,",
      replace: "to: 'queued' as BookingState, at,",
      harm: 'a restart sends what was on the wire again',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: "if (known.kind === 'same') return { booking: await countAgain(trx, known, submitted), result: 'same' };",
      replace: '',
      harm: 'a form that repeats itself becomes two bookings',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: 'if (hash === content_hash || content_hash === null) return same(row);',
      replace: 'return same(row);',
      harm: 'a second person under the same submission id is thrown away',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: "if (alike.length === 0) return { booking: await store(trx, submitted, undefined), result: 'new' };",
      replace:
        "if (alike.length < 2) return { booking: await store(trx, submitted, undefined), result: 'new' };",
      harm: 'the same phone, date and time is booked twice',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: 'other.received_at >= since && fold',
      replace: 'fold',
      harm: 'a lead is merged into one of last month',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: "fold(other.patient_name ?? '') === name,",
      replace: 'true,',
      harm: 'a family with one phone loses a child’s booking',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: "if (patient_name === null || reason === 'restored_state') return undefined;",
      replace: 'if (patient_name === null) return undefined;',
      harm: 'a row that may be booked already is merged without a word',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: "if (fields.reason !== 'restored_state') booking.reason = beside.reason;",
      replace: 'booking.reason = beside.reason;',
      harm: 'that a booking may exist already hides behind a duplicate',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: 'if (submission_id !== null || source !== first.source)',
      replace: 'if (submission_id !== null && source === first.source)',
      harm: 'a merged lead is booked again when its form repeats it later',
    },
    {
      file: 'src/store/sql/bookings/accept-booking.ts',
      find: ".where('received_at', '>=', since)\n    .where('clinic', '=', clinic)",
      replace: ".where('clinic', '=', clinic)",
      harm: 'the merge window never closes',
    },
    {
      file: 'src/store/sql/bookings/same-slot.ts',
      find: '(sent_at !== undefined || restored === true) && absent !== true;',
      replace: 'absent === null;',
      harm: 'a dropped booking that may exist does not hold its duplicate',
    },
    {
      file: 'src/store/sql/bookings/own-ids.ts',
      find: ".where('booked_at', '>', after)",
      replace: ".where('booked_at', '>=', after)",
      harm: 'a booking confirmed before the first reading explains the counter',
    },
    {
      file: 'src/store/sql/bookings/own-ids.ts',
      find: ".where('booked_at', '>', since)",
      replace: '',
      harm: 'a look for an unknown booking ends below it',
    },
    {
      file: 'src/store/sql/bookings/booking-reads.ts',
      find: '.orderBy(sql`(refusals > 0)`)',
      replace: '',
      harm: 'a stubborn booking stays in front of the others',
    },
  ],
};
