import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'Wartet auf Sie', other: '{count} Punkte warten auf Sie' },
  told_reminder: { one: 'Wartet noch auf Sie', other: '{count} Punkte warten noch auf Sie' },
  told_settled: { one: 'Erledigt', other: '{count} Punkte sind erledigt' },
  told_trouble: { one: 'Störung', other: 'Störung an {count} Stellen' },
  told_recovered: { one: 'Behoben', other: '{count} Dinge funktionieren wieder' },
  told_silence: { one: 'Keine Anfragen', other: 'Keine Anfragen aus {count} Quellen' },
  told_test: 'Testnachricht',
  told_since: 'Seit {time}.',
  told_over: 'Das ist vorbei, nach {time}',
  told_unreached: '{name} ist nicht erreichbar.',
  told_perhaps: 'Möglicherweise haben Sie diese Nachricht schon erhalten.',
  open: 'Öffnen',
  kind_probe: 'Testanfrage',
  kind_database: 'Datenbank',
  kind_reading: 'Lesen',
  kind_schedule: 'Zeitplan',
  kind_silence: 'Stille',
  need_silence_day: 'Seit {what} keine Anfrage über {name}, sonst {count} am Tag.',
  need_silence_week: 'Seit {what} keine Anfrage über {name}, sonst {count} in der Woche.',
  need_test: 'Das ist ein Test von clinic-sync: Nachrichten kommen hier an.',
  need_database_works: 'Die Datenbank funktioniert wieder.',
  todo_silence:
    'Schicken Sie selbst eine und prüfen Sie, ob sie ankommt: Formular oder Website könnten gestört sein. Haben Sie geschlossen, geben Sie auf der Seite der Praxis an, bis wann.',
  todo_test: 'Es ist nichts zu tun.',
  todo_booking: '„clinic-sync bookings show {name}“ zeigt sie.',
};
