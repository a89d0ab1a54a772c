import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 testo è più lungo di quanto una cella possa contenere ed è stato tagliato.',
    other:
      '{place}: {count} testi sono più lunghi di quanto una cella possa contenere e sono stati tagliati.',
  },
  file_unread: 'Un file in {place} non si può leggere (EIO): controlli il disco.',
  files_failed: {
    one: '1 file in {place}: non prenotato, o non per intero. Accanto, un .error.txt dice perché; lo corregga, lo depositi di nuovo e lo cancelli lì.',
    other:
      '{count} file in {place}: non prenotati, o non per intero. Accanto a ciascuno, un .error.txt dice perché; corregga, depositi di nuovo e cancelli lì.',
  },
  files_other:
    '{names} in {place}: non è né un file .csv né una cartella .xlsx, quindi non viene prenotato. Lo salvi lì come CSV o lo sposti altrove.',
  files_unnameable: {
    one: '1 file in {place} non si può aprire, perché il nome non è in UTF-8: lo rinomini con lettere semplici.',
    other:
      '{count} file in {place} non si possono aprire, perché i nomi non sono in UTF-8: li rinomini con lettere semplici.',
  },
  files_in_folders:
    '{names}: si trova in una cartella dentro {place}, dove non si legge nulla. Lo sposti direttamente in {place}.',
  files_online_only:
    '{names} in {place}: solo un segnaposto di un’unità cloud, senza contenuto. Lo renda disponibile offline.',
  files_unsettled:
    '{names} in {place}: incompleto dal {since}, quindi non letto. Lo copi di nuovo o lo elimini.',
  files_of_others:
    '{names} in {place}: l’utente {user} non può spostarlo perché appartiene a {owner}. Lo assegni all’utente {user} o tolga lo sticky bit della cartella; il resto continua.',
  files_not_ours:
    '{names} in {place}: non scritto da clinic-sync o modificato in seguito, quindi resta com’è. Lo rinomini o lo sposti, perché clinic-sync ha bisogno di quel nome.',
  files_stuck:
    '{names} in {place}: non può essere prelevato{code}. Lo chiuda dove è aperto o lo rinomini; il resto continua.',
  sheet_in_bin:
    'Il foglio di calcolo è nel cestino di Google Drive: le righe spuntate vengono prenotate, tutto il resto è fermo. Il proprietario lo ripristina lì o ne dà un altro a clinic-sync; Google lo elimina dopo 30 giorni.',
  sheet_full:
    'Il foglio di calcolo è pieno (Google consente dieci milioni di celle): non si aggiunge nulla di nuovo. Elimini righe vuote, colonne o vecchie schede.',
  tab_unmarked: '{place}: non ha più i contrassegni di clinic-sync e non viene aggiornata.',
  bookings_unmarked:
    '{place}: non ha più i contrassegni di clinic-sync; le righe spuntate NON vengono prenotate. Le sposti nella scheda attuale.',
  tab_gone:
    '{place}: la scheda era sparita, perciò clinic-sync ne crea una nuova dopo un minuto. Ciò che le persone avevano aggiunto è nella cronologia delle versioni; se la scheda non serve, la tolga da `tabs`.',
  writes_undone:
    '{place}: ciò che clinic-sync scrive non resta, ogni lettura mostra le celle di prima. Cerchi uno script nel foglio di calcolo, o un proxy davanti a Google, che lo annulla.',
  tab_copied: '{place}: copia di una scheda tenuta da clinic-sync; non viene aggiornata.',
  bookings_copied:
    '{place}: copia di una scheda tenuta da clinic-sync; le righe spuntate NON vengono prenotate.',
  copy_ticked: {
    one: '1 riga spuntata in una copia di Bookings NON è prenotata. La sposti nella scheda attuale.',
    other:
      '{count} righe spuntate in una copia di Bookings NON sono prenotate. Le sposti nella scheda attuale.',
  },
  part_drop_downs: 'Gli elenchi a discesa di Bookings',
  part_stale_colour: 'Il colore di STALE in Sync',
  part_age: 'L’età di {tab}',
  part_ages: 'L’età delle schede',
  part_charts: 'I grafici di Overview',
  part_refused: '{place}: aggiornamento non riuscito. {detail}',
  id_column_gone:
    '{place}: la colonna ID (o Clinic) è stata eliminata; le righe non si distinguono e la scheda resta com’è. Annulli l’eliminazione o esegua: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 cella è stata cambiata a mano e lasciata così (on_drift: report).',
    other: '{place}: {count} celle sono state cambiate a mano e lasciate così (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} è in più righe; le somme lo contano due volte. Elimini la copia.',
    other: '{place}: {ids} sono in più righe; le somme li contano due volte. Elimini le copie.',
  },
  rows_unknown: {
    one: '{place}: la riga {rows} non ha un ID o un Clinic noto; non viene aggiornata e le somme possono contarla due volte. La elimini.',
    other:
      '{place}: le righe {rows} non hanno un ID o un Clinic noto; non vengono aggiornate e le somme possono contarle due volte. Le elimini.',
  },
  cells_hidden: {
    one: '{place}: 1 nostra cella è nascosta da celle unite; non viene né letta né scritta. Le separi.',
    other:
      '{place}: {count} nostre celle sono nascoste da celle unite; non vengono né lette né scritte. Le separi.',
  },
  cells_merged: {
    one: '{place}: 1 cella o riga non è aggiornata, perché lì sono state unite delle celle. Le separi.',
    other:
      '{place}: {count} celle o righe non sono aggiornate, perché lì sono state unite delle celle. Le separi.',
  },
  tab_protected: {
    one: '{place}: 1 cella o riga non è aggiornata, perché la scheda è protetta. Permetta all’indirizzo di clinic-sync di modificarla.',
    other:
      '{place}: {count} celle o righe non sono aggiornate, perché la scheda è protetta. Permetta all’indirizzo di clinic-sync di modificarla.',
  },
  range_protected: {
    one: '{place}: 1 cella o riga non è aggiornata, perché l’intervallo {range} è protetto. Permetta all’indirizzo di clinic-sync di modificarlo.',
    other:
      '{place}: {count} celle o righe non sono aggiornate, perché l’intervallo {range} è protetto. Permetta all’indirizzo di clinic-sync di modificarlo.',
  },
  columns_gone: {
    one: '{place}: la colonna {columns} non viene aggiornata: eliminata o senza il nostro contrassegno. Per riaverla: clinic-sync connectors repair.',
    other:
      '{place}: le colonne {columns} non vengono aggiornate: eliminate o senza il nostro contrassegno. Per riaverle: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 tariffa è scritta come testo: un foglio di calcolo non può contenere il numero esatto.',
    other:
      '{place}: {count} tariffe sono scritte come testo: un foglio di calcolo non può contenere i numeri esatti.',
  },
  booking_columns_gone: {
    one: '{place}: la colonna {columns} è stata eliminata; dalla scheda non si prende alcuna prenotazione. Annulli l’eliminazione o esegua: clinic-sync connectors repair.',
    other:
      '{place}: le colonne {columns} sono state eliminate; dalla scheda non si prende alcuna prenotazione. Annulli l’eliminazione o esegua: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} non è stata accettata. {detail}',
  answers_closed: {
    one: '{place}: 1 cella non si può scrivere, perché è protetta o unita. Permetta all’indirizzo di clinic-sync di modificare Ref, State, Appointment, Message, Updated e Send.',
    other:
      '{place}: {count} celle non si possono scrivere, perché sono protette o unite. Permetta all’indirizzo di clinic-sync di modificare Ref, State, Appointment, Message, Updated e Send.',
  },
  rows_changed:
    '{place}: cambiato dopo l’invio, quindi lo studio non ne sa nulla: {rows}.\nChiami lo studio. Resta qui finché l’appuntamento non è passato o la riga non contiene di nuovo ciò che è stato inviato.',
  rows_overtyped:
    '{place}: un altro paziente è stato scritto sopra {rows} e NON ha una prenotazione.\nLo inserisca in una riga propria.',
  columns_unmarked:
    '{place}: la colonna {columns} ha perso il nostro contrassegno e non è aggiornata.\nEsegua: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: la colonna {columns} ha perso il nostro contrassegno, quindi dalla scheda non si prende nessuna prenotazione.\nEsegua: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} è stata tagliata e incollata altrove, e il nostro contrassegno è rimasto indietro; lì non si scrive e non si legge nulla.\nEsegua: clinic-sync connectors repair, che sposta il contrassegno.',
  header_gone:
    '{place}: la riga delle intestazioni è stata eliminata.\nPer riaverla: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: uno script, un componente aggiuntivo o qualcuno rimette sempre com’era ciò che clinic-sync scrive: {cells}.\nLo cerchi sotto Estensioni e lo fermi.',
  ref_closed:
    '{place}: da questa scheda non si prenota nulla finché Ref è protetta o unita.\nConsenta all’indirizzo di clinic-sync di modificare Ref, State, Appointment, Message, Updated e Send.',
  erased_shown:
    '{place}: {refs}: la riga è stata cambiata dopo l’invio e la persona è stata poi cancellata. Elimini ciò che ne mostra ancora, o svuoti Ref se riguarda un’altra persona.',
  deliveries_held_up: {
    one: '1 evento attende dal {since} e viene inviato di nuovo il {until}. {detail}',
    other: '{count} eventi attendono dal {since}; il prossimo tentativo è il {until}. {detail}',
  },
};
