import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'Serve il Suo intervento', other: '{count} punti richiedono il Suo intervento' },
  told_reminder: { one: 'Serve ancora il Suo intervento', other: '{count} punti ancora in attesa' },
  told_settled: { one: 'Risolto', other: '{count} punti risolti' },
  told_trouble: { one: 'Guasto', other: 'Guasto in {count} punti' },
  told_recovered: { one: 'Ripristinato', other: '{count} punti funzionano di nuovo' },
  told_silence: { one: 'Nessuna richiesta', other: 'Nessuna richiesta da {count} fonti' },
  told_test: 'Prova',
  told_since: 'Da {time}.',
  told_over: 'È finito, dopo {time}',
  told_unreached: '{name} non è raggiungibile.',
  told_perhaps: 'Forse ha già ricevuto questo avviso.',
  open: 'Apri',
  kind_probe: 'richiesta di prova',
  kind_database: 'database',
  kind_reading: 'lettura',
  kind_schedule: 'pianificazione',
  kind_silence: 'silenzio',
  need_silence_day: 'Nessuna richiesta da {name} da {what}; di solito {count} al giorno.',
  need_silence_week: 'Nessuna richiesta da {name} da {what}; di solito {count} a settimana.',
  need_test: 'Questa è una prova di clinic-sync: i messaggi arrivano qui.',
  need_database_works: 'Il database funziona di nuovo.',
  todo_silence:
    'Ne invii una di prova e controlli se arriva: il modulo o il sito potrebbero non funzionare. Se siete chiusi, indichi fino a quando nella pagina dello studio.',
  todo_test: 'Non c’è nulla da fare.',
  todo_booking: '“clinic-sync bookings show {name}” la mostra.',
};
