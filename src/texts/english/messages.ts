/** Texts of notifications. */
export const messages = {
  told_opened: { one: 'Needs you', other: '{count} things need you' },
  told_reminder: { one: 'Still needs you', other: '{count} things still need you' },
  told_settled: { one: 'Settled', other: '{count} things are settled' },
  told_trouble: { one: 'Trouble', other: 'Trouble with {count} things' },
  told_recovered: { one: 'Recovered', other: '{count} things work again' },
  told_silence: { one: 'No leads', other: 'No leads from {count} sources' },
  told_test: 'Test',
  told_since: 'Since {time}.',
  // Units may end with a full stop, and the sentence gets one.
  told_over: 'That is over, after {time}',
  told_unreached: '{name} cannot be reached.',
  told_perhaps: 'You may have been told this already.',
  open: 'Open',
  kind_probe: 'test lead',
  kind_database: 'database',
  kind_reading: 'reading',
  kind_schedule: 'schedule',
  kind_silence: 'silence',
  need_silence_day: 'No lead from {name} for {what}, usually {count} a day.',
  need_silence_week: 'No lead from {name} for {what}, usually {count} a week.',
  need_test: 'This is a test of clinic-sync: messages arrive here.',
  need_database_works: 'The database works again.',
  todo_silence:
    'Send one yourself and check that it arrives: the form or the website may be broken. If you are closed, say until when on the clinic’s page.',
  todo_test: 'Nothing needs to be done.',
  todo_booking: '“clinic-sync bookings show {name}” shows it.',
} as const;
