/** Without the model: it is slow, and finds by chance what these tests name. */
export const tests = [
  'src/bookings/bookings.test.ts',
  'src/bookings/recovery.test.ts',
  'src/bookings/comparison.test.ts',
  'src/bookings/clinic-counter.test.ts',
  'src/bookings/slot.test.ts',
  'src/bookings/intake',
  'src/bookings/reconciliation',
  'src/bookings/review',
  'src/bookings/dispatch',
];
