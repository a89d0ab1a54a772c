import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'Wacht op u', other: '{count} zaken wachten op u' },
  told_reminder: { one: 'Wacht nog op u', other: '{count} zaken wachten nog op u' },
  told_settled: { one: 'Afgehandeld', other: '{count} zaken zijn afgehandeld' },
  told_trouble: { one: 'Storing', other: 'Storing op {count} punten' },
  told_recovered: { one: 'Hersteld', other: '{count} zaken werken weer' },
  told_silence: { one: 'Geen aanvragen', other: 'Geen aanvragen uit {count} bronnen' },
  told_test: 'Test',
  told_since: 'Sinds {time}.',
  told_over: 'Dat is voorbij, na {time}',
  told_unreached: '{name} is niet bereikbaar.',
  told_perhaps: 'Misschien hebt u dit bericht al ontvangen.',
  open: 'Openen',
  kind_probe: 'testaanvraag',
  kind_database: 'database',
  kind_reading: 'lezen',
  kind_schedule: 'schema',
  kind_silence: 'stilte',
  need_silence_day: 'Al {what} geen aanvraag via {name}, gewoonlijk {count} per dag.',
  need_silence_week: 'Al {what} geen aanvraag via {name}, gewoonlijk {count} per week.',
  need_test: 'Dit is een test van clinic-sync: berichten komen hier aan.',
  need_database_works: 'De database werkt weer.',
  todo_silence:
    'Stuur er zelf een en kijk of die aankomt: het formulier of de website kan kapot zijn. Bent u gesloten, geef dan op de pagina van de praktijk aan tot wanneer.',
  todo_test: 'Er hoeft niets te gebeuren.',
  todo_booking: '‘clinic-sync bookings show {name}’ toont haar.',
};
