import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 Text ist länger, als eine Zelle fasst, und wurde gekürzt.',
    other: '{place}: {count} Texte sind länger, als eine Zelle fasst, und wurden gekürzt.',
  },
  file_unread: 'Eine Datei in {place} ist nicht lesbar (EIO): Prüfen Sie den Datenträger.',
  files_failed: {
    one: '1 Datei in {place}: nicht oder nicht vollständig gebucht. Daneben steht in einer .error.txt, warum; berichtigen, neu ablegen, dort löschen.',
    other:
      '{count} Dateien in {place}: nicht oder nicht vollständig gebucht. Neben jeder steht in einer .error.txt, warum; berichtigen, neu ablegen, dort löschen.',
  },
  files_other:
    '{names} in {place}: weder .csv-Datei noch .xlsx-Arbeitsmappe und daher nicht gebucht. Speichern Sie die Datei dort als CSV, oder legen Sie sie anderswo ab.',
  files_unnameable: {
    one: '1 Datei in {place} lässt sich nicht öffnen, weil ihr Name nicht UTF-8 ist: Benennen Sie sie mit einfachen Buchstaben um.',
    other:
      '{count} Dateien in {place} lassen sich nicht öffnen, weil ihre Namen nicht UTF-8 sind: Benennen Sie sie mit einfachen Buchstaben um.',
  },
  files_in_folders:
    '{names}: liegt in einem Ordner innerhalb von {place}, wo nichts gelesen wird. Verschieben Sie die Datei direkt nach {place}.',
  files_online_only:
    '{names} in {place}: nur ein Platzhalter eines Cloud-Laufwerks, ohne Inhalt. Machen Sie die Datei dort offline verfügbar.',
  files_unsettled:
    '{names} in {place}: seit {since} nicht vollständig und daher nicht gelesen. Kopieren Sie die Datei neu, oder löschen Sie sie dort.',
  files_of_others:
    '{names} in {place}: Benutzer-ID {user} darf die Datei nicht verschieben, denn sie gehört {owner}. Weisen Sie sie der Benutzer-ID {user} zu, oder entfernen Sie das Sticky-Bit des Ordners; alles andere läuft weiter.',
  files_not_ours:
    '{names} in {place}: nicht von clinic-sync oder seither geändert, deshalb bleibt es, wie es ist. Benennen Sie die Datei um oder verschieben Sie sie, denn clinic-sync braucht den Namen.',
  files_stuck:
    '{names} in {place}: lässt sich nicht abholen{code}. Schließen Sie die Datei dort, wo sie geöffnet ist, oder benennen Sie sie um; alles andere läuft weiter.',
  sheet_in_bin:
    'Die Tabelle liegt im Papierkorb von Google Drive: Angehakte Zeilen werden gebucht, alles andere darin ruht. Ihr Eigentümer stellt sie dort wieder her oder gibt clinic-sync eine andere; Google löscht sie nach 30 Tagen.',
  sheet_full:
    'Die Tabelle ist voll (Google erlaubt zehn Millionen Zellen): Neues kommt nicht hinzu. Löschen Sie leere Zeilen, Spalten oder alte Blätter.',
  tab_unmarked: '{place}: trägt die Markierungen von clinic-sync nicht mehr und wird nicht aktualisiert.',
  bookings_unmarked:
    '{place}: trägt die Markierungen von clinic-sync nicht mehr; angehakte Zeilen werden NICHT gebucht. Verschieben Sie sie in das jetzige Blatt.',
  tab_gone:
    '{place}: Das Blatt war weg, deshalb legt clinic-sync nach einer Minute ein neues an. Was Personen ergänzt hatten, steht im Versionsverlauf der Tabelle; wird das Blatt nicht gebraucht, nehmen Sie es aus `tabs`.',
  writes_undone:
    '{place}: Was clinic-sync schreibt, bleibt nicht stehen; jedes Lesen zeigt die früheren Zellen. Suchen Sie nach einem Skript in der Tabelle oder einem Proxy vor Google, das es rückgängig macht.',
  tab_copied: '{place}: Kopie eines Blatts, das clinic-sync führt; sie wird nicht aktualisiert.',
  bookings_copied:
    '{place}: Kopie eines Blatts, das clinic-sync führt; angehakte Zeilen werden NICHT gebucht.',
  copy_ticked: {
    one: '1 angehakte Zeile in einer Kopie von Bookings ist NICHT gebucht. Verschieben Sie sie in das jetzige Blatt.',
    other:
      '{count} angehakte Zeilen in einer Kopie von Bookings sind NICHT gebucht. Verschieben Sie sie in das jetzige Blatt.',
  },
  part_drop_downs: 'Die Auswahllisten von Bookings',
  part_stale_colour: 'Die Farbe von STALE in Sync',
  part_age: 'Das Alter von {tab}',
  part_ages: 'Das Alter der Blätter',
  part_charts: 'Die Diagramme von Overview',
  part_refused: '{place}: nicht aktuell. {detail}',
  id_column_gone:
    '{place}: Die Spalte ID (oder Clinic) wurde gelöscht; Zeilen lassen sich nicht unterscheiden, und das Blatt bleibt, wie es ist. Machen Sie das Löschen rückgängig oder führen Sie aus: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 Zelle wurde von Hand geändert und bleibt so (on_drift: report).',
    other: '{place}: {count} Zellen wurden von Hand geändert und bleiben so (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} steht in mehreren Zeilen; Summen zählen es doppelt. Löschen Sie die Kopie.',
    other: '{place}: {ids} stehen in mehreren Zeilen; Summen zählen sie doppelt. Löschen Sie die Kopien.',
  },
  rows_unknown: {
    one: '{place}: Zeile {rows} hat keine bekannte ID oder Clinic; sie wird nicht aktualisiert, und Summen zählen sie womöglich doppelt. Löschen Sie die Zeile.',
    other:
      '{place}: Die Zeilen {rows} haben keine bekannte ID oder Clinic; sie werden nicht aktualisiert, und Summen zählen sie womöglich doppelt. Löschen Sie die Zeilen.',
  },
  cells_hidden: {
    one: '{place}: 1 unserer Zellen liegt unter verbundenen Zellen und wird weder gelesen noch geschrieben. Heben Sie die Verbindung auf.',
    other:
      '{place}: {count} unserer Zellen liegen unter verbundenen Zellen und werden weder gelesen noch geschrieben. Heben Sie die Verbindung auf.',
  },
  cells_merged: {
    one: '{place}: 1 Zelle oder Zeile ist nicht aktuell, weil dort Zellen verbunden wurden. Heben Sie die Verbindung auf.',
    other:
      '{place}: {count} Zellen oder Zeilen sind nicht aktuell, weil dort Zellen verbunden wurden. Heben Sie die Verbindung auf.',
  },
  tab_protected: {
    one: '{place}: 1 Zelle oder Zeile ist nicht aktuell, weil das Blatt geschützt ist. Erlauben Sie der Adresse von clinic-sync, es zu bearbeiten.',
    other:
      '{place}: {count} Zellen oder Zeilen sind nicht aktuell, weil das Blatt geschützt ist. Erlauben Sie der Adresse von clinic-sync, es zu bearbeiten.',
  },
  range_protected: {
    one: '{place}: 1 Zelle oder Zeile ist nicht aktuell, weil der Bereich {range} geschützt ist. Erlauben Sie der Adresse von clinic-sync, ihn zu bearbeiten.',
    other:
      '{place}: {count} Zellen oder Zeilen sind nicht aktuell, weil der Bereich {range} geschützt ist. Erlauben Sie der Adresse von clinic-sync, ihn zu bearbeiten.',
  },
  columns_gone: {
    one: '{place}: Die Spalte {columns} wird nicht aktualisiert: gelöscht oder ohne unsere Markierung. Zurück kommt sie mit: clinic-sync connectors repair.',
    other:
      '{place}: Die Spalten {columns} werden nicht aktualisiert: gelöscht oder ohne unsere Markierung. Zurück kommen sie mit: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 Preis steht als Text da: Eine Tabelle kann die Zahl nicht genau fassen.',
    other: '{place}: {count} Preise stehen als Text da: Eine Tabelle kann die Zahlen nicht genau fassen.',
  },
  booking_columns_gone: {
    one: '{place}: Die Spalte {columns} wurde gelöscht; aus dem Blatt wird keine Buchung übernommen. Machen Sie das Löschen rückgängig oder führen Sie aus: clinic-sync connectors repair.',
    other:
      '{place}: Die Spalten {columns} wurden gelöscht; aus dem Blatt wird keine Buchung übernommen. Machen Sie das Löschen rückgängig oder führen Sie aus: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} wurde nicht übernommen. {detail}',
  answers_closed: {
    one: '{place}: 1 Zelle lässt sich nicht schreiben, weil sie geschützt oder verbunden ist. Erlauben Sie der Adresse von clinic-sync, Ref, State, Appointment, Message, Updated und Send zu bearbeiten.',
    other:
      '{place}: {count} Zellen lassen sich nicht schreiben, weil sie geschützt oder verbunden sind. Erlauben Sie der Adresse von clinic-sync, Ref, State, Appointment, Message, Updated und Send zu bearbeiten.',
  },
  rows_changed:
    '{place}: nach dem Senden geändert, die Praxis weiß nichts davon: {rows}.\nRufen Sie die Praxis an. Das steht hier, bis der Termin vorbei ist oder in der Zeile wieder steht, was gesendet wurde.',
  rows_overtyped:
    '{place}: Über {rows} wurde ein anderer Patient geschrieben, für den NICHTS gebucht ist.\nTragen Sie ihn in eine eigene Zeile ein.',
  columns_unmarked:
    '{place}: Die Spalte {columns} hat unsere Markierung verloren und wird nicht aktualisiert.\nFühren Sie aus: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: Die Spalte {columns} hat unsere Markierung verloren; aus dem Blatt wird keine Buchung übernommen.\nFühren Sie aus: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} wurde ausgeschnitten und anderswo eingefügt, unsere Markierung blieb zurück; dort wird nichts geschrieben und nichts gelesen.\nFühren Sie aus: clinic-sync connectors repair. Das versetzt die Markierung.',
  header_gone:
    '{place}: Die Zeile mit den Überschriften wurde gelöscht.\nZurück kommt sie mit: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: Ein Skript, ein Add-on oder jemand ändert immer wieder zurück, was clinic-sync schreibt: {cells}.\nSuchen Sie es unter Erweiterungen und schalten Sie es ab.',
  ref_closed:
    '{place}: Aus diesem Blatt wird nichts gebucht, solange Ref geschützt oder verbunden ist.\nErlauben Sie der Adresse von clinic-sync, Ref, State, Appointment, Message, Updated und Send zu bearbeiten.',
  erased_shown:
    '{place}: {refs}: Die Zeile wurde nach dem Senden geändert, und die Person wurde seither gelöscht. Löschen Sie, was noch von ihr dasteht, oder leeren Sie Ref, wenn es um jemand anderen geht.',
  deliveries_held_up: {
    one: '1 Ereignis wartet seit {since} und wird am {until} wieder gesendet. {detail}',
    other: '{count} Ereignisse warten seit {since}; der nächste Versuch ist am {until}. {detail}',
  },
};
