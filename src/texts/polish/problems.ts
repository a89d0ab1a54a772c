import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 tekst nie mieści się w komórce i został skrócony.',
    few: '{place}: {count} teksty nie mieszczą się w komórce i zostały skrócone.',
    many: '{place}: {count} tekstów nie mieści się w komórce i zostało skróconych.',
    other: '{place}: {count} tekstu nie mieści się w komórce i został skrócony.',
  },
  file_unread: 'Pliku w {place} nie da się odczytać (EIO): sprawdź dysk.',
  files_failed: {
    one: '1 plik w {place}: nie zarezerwowano go lub nie w całości. Obok w pliku .error.txt jest powód; popraw, wrzuć ponownie, usuń stamtąd.',
    few: '{count} pliki w {place}: nie zarezerwowano ich lub nie w całości. Obok każdego w .error.txt jest powód; popraw, wrzuć ponownie, usuń stamtąd.',
    many: '{count} plików w {place}: nie zarezerwowano ich lub nie w całości. Obok każdego w .error.txt jest powód; popraw, wrzuć ponownie, usuń stamtąd.',
    other:
      '{count} pliku w {place}: nie zarezerwowano ich lub nie w całości. Obok każdego w .error.txt jest powód; popraw, wrzuć ponownie, usuń stamtąd.',
  },
  files_other:
    '{names} w {place}: to nie plik .csv ani skoroszyt .xlsx, więc nie jest rezerwowany. Zapisz go tam jako CSV albo przenieś gdzie indziej.',
  files_unnameable: {
    one: '1 pliku w {place} nie da się otworzyć, bo nazwa nie jest w UTF-8: zmień ją na zwykłe litery.',
    few: '{count} plików w {place} nie da się otworzyć, bo nazwy nie są w UTF-8: zmień je na zwykłe litery.',
    many: '{count} plików w {place} nie da się otworzyć, bo nazwy nie są w UTF-8: zmień je na zwykłe litery.',
    other: '{count} pliku w {place} nie da się otworzyć, bo nazwy nie są w UTF-8: zmień je na zwykłe litery.',
  },
  files_in_folders:
    '{names}: leży w folderze wewnątrz {place}, gdzie nic nie jest czytane. Przenieś plik bezpośrednio do {place}.',
  files_online_only:
    '{names} w {place}: tylko symbol zastępczy dysku w chmurze, bez treści. Udostępnij tam plik w trybie offline.',
  files_unsettled:
    '{names} w {place}: od {since} niekompletny, więc nie jest czytany. Skopiuj go ponownie albo usuń.',
  files_of_others:
    '{names} w {place}: użytkownik {user} nie może go przenieść, bo należy do {owner}. Przekaż go użytkownikowi {user} albo zdejmij sticky bit z folderu; reszta działa dalej.',
  files_not_ours:
    '{names} w {place}: pliku nie zapisał clinic-sync albo ktoś go potem zmienił, więc pozostaje bez zmian. Zmień jego nazwę albo go przenieś, bo clinic-sync potrzebuje tej nazwy.',
  files_stuck:
    '{names} w {place}: nie można go pobrać{code}. Zamknij go tam, gdzie jest otwarty, albo zmień nazwę; reszta działa dalej.',
  sheet_in_bin:
    'Arkusz jest w koszu Dysku Google: zaznaczone wiersze są rezerwowane, cała reszta stoi. Właściciel przywraca go tam albo daje clinic-sync inny; Google usuwa go po 30 dniach.',
  sheet_full:
    'Arkusz jest pełny (Google pozwala na dziesięć milionów komórek): nic nowego nie przybywa. Usuń puste wiersze, kolumny lub stare karty.',
  tab_unmarked: '{place}: nie ma już znaczników clinic-sync i nie jest aktualizowana.',
  bookings_unmarked:
    '{place}: nie ma już znaczników clinic-sync; zaznaczone wiersze NIE są rezerwowane. Przenieś je na obecną kartę.',
  tab_gone:
    '{place}: karta zniknęła, więc po minucie clinic-sync tworzy nową. To, co dodali ludzie, jest w historii wersji arkusza; jeśli karta nie jest potrzebna, usuń ją z `tabs`.',
  writes_undone:
    '{place}: to, co zapisuje clinic-sync, nie zostaje; każdy odczyt pokazuje poprzednie komórki. Poszukaj skryptu w arkuszu albo serwera proxy przed Google, który to cofa.',
  tab_copied: '{place}: kopia karty prowadzonej przez clinic-sync; nie jest aktualizowana.',
  bookings_copied:
    '{place}: kopia karty prowadzonej przez clinic-sync; zaznaczone wiersze NIE są rezerwowane.',
  copy_ticked: {
    one: '1 wiersz zaznaczony w kopii Bookings NIE jest zarezerwowany. Przenieś go na obecną kartę.',
    few: '{count} wiersze zaznaczone w kopii Bookings NIE są zarezerwowane. Przenieś je na obecną kartę.',
    many: '{count} wierszy zaznaczonych w kopii Bookings NIE jest zarezerwowanych. Przenieś je na obecną kartę.',
    other: '{count} wiersza zaznaczonego w kopii Bookings NIE zarezerwowano. Przenieś je na obecną kartę.',
  },
  part_drop_downs: 'Listy rozwijane w Bookings',
  part_stale_colour: 'Kolor STALE w Sync',
  part_age: 'Wiek danych w {tab}',
  part_ages: 'Wiek danych w kartach',
  part_charts: 'Wykresy w Overview',
  part_refused: '{place}: brak aktualizacji. {detail}',
  id_column_gone:
    '{place}: usunięto kolumnę ID (lub Clinic), więc wierszy nie da się rozróżnić i karta zostaje bez zmian. Cofnij usunięcie albo uruchom: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 komórkę zmieniono ręcznie i tak zostawiono (on_drift: report).',
    few: '{place}: {count} komórki zmieniono ręcznie i tak zostawiono (on_drift: report).',
    many: '{place}: {count} komórek zmieniono ręcznie i tak zostawiono (on_drift: report).',
    other: '{place}: {count} komórki zmieniono ręcznie i tak zostawiono (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} jest w więcej niż jednym wierszu; sumy liczą to podwójnie. Usuń kopię.',
    few: '{place}: {ids} są w więcej niż jednym wierszu; sumy liczą je podwójnie. Usuń kopie.',
    many: '{place}: {ids} są w więcej niż jednym wierszu; sumy liczą je podwójnie. Usuń kopie.',
    other: '{place}: {ids} są w więcej niż jednym wierszu; sumy liczą je podwójnie. Usuń kopie.',
  },
  rows_unknown: {
    one: '{place}: wiersz {rows} nie ma znanego ID lub Clinic; nie jest aktualizowany, a sumy mogą liczyć go podwójnie. Usuń go.',
    few: '{place}: wiersze {rows} nie mają znanego ID lub Clinic; nie są aktualizowane, a sumy mogą liczyć je podwójnie. Usuń je.',
    many: '{place}: wiersze {rows} nie mają znanego ID lub Clinic; nie są aktualizowane, a sumy mogą liczyć je podwójnie. Usuń je.',
    other:
      '{place}: wiersze {rows} nie mają znanego ID lub Clinic; nie są aktualizowane, a sumy mogą liczyć je podwójnie. Usuń je.',
  },
  cells_hidden: {
    one: '{place}: 1 nasza komórka jest ukryta w scalonych; nie jest czytana ani zapisywana. Rozdziel je.',
    few: '{place}: {count} nasze komórki są ukryte w scalonych; nie są czytane ani zapisywane. Rozdziel je.',
    many: '{place}: {count} naszych komórek jest ukrytych w scalonych; nie są czytane ani zapisywane. Rozdziel je.',
    other:
      '{place}: {count} naszej komórki jest ukryte w scalonych; nie są czytane ani zapisywane. Rozdziel je.',
  },
  cells_merged: {
    one: '{place}: 1 komórka lub wiersz nie jest aktualny, bo scalono tam komórki. Rozdziel je.',
    few: '{place}: {count} komórki lub wiersze nie są aktualne, bo scalono tam komórki. Rozdziel je.',
    many: '{place}: {count} komórek lub wierszy nie jest aktualnych, bo scalono tam komórki. Rozdziel je.',
    other: '{place}: {count} komórki lub wiersza nie jest aktualne, bo scalono tam komórki. Rozdziel je.',
  },
  tab_protected: {
    one: '{place}: 1 komórka lub wiersz nie jest aktualny, bo karta jest chroniona. Pozwól adresowi clinic-sync ją edytować.',
    few: '{place}: {count} komórki lub wiersze nie są aktualne, bo karta jest chroniona. Pozwól adresowi clinic-sync ją edytować.',
    many: '{place}: {count} komórek lub wierszy nie jest aktualnych, bo karta jest chroniona. Pozwól adresowi clinic-sync ją edytować.',
    other:
      '{place}: {count} komórki lub wiersza nie jest aktualne, bo karta jest chroniona. Pozwól adresowi clinic-sync ją edytować.',
  },
  range_protected: {
    one: '{place}: 1 komórka lub wiersz nie jest aktualny, bo zakres {range} jest chroniony. Pozwól adresowi clinic-sync go edytować.',
    few: '{place}: {count} komórki lub wiersze nie są aktualne, bo zakres {range} jest chroniony. Pozwól adresowi clinic-sync go edytować.',
    many: '{place}: {count} komórek lub wierszy nie jest aktualnych, bo zakres {range} jest chroniony. Pozwól adresowi clinic-sync go edytować.',
    other:
      '{place}: {count} komórki lub wiersza nie jest aktualne, bo zakres {range} jest chroniony. Pozwól adresowi clinic-sync go edytować.',
  },
  columns_gone: {
    one: '{place}: kolumna {columns} nie jest aktualizowana: usunięta lub bez naszego znacznika. Aby ją odzyskać: clinic-sync connectors repair.',
    few: '{place}: kolumny {columns} nie są aktualizowane: usunięte lub bez naszego znacznika. Aby je odzyskać: clinic-sync connectors repair.',
    many: '{place}: kolumny {columns} nie są aktualizowane: usunięte lub bez naszego znacznika. Aby je odzyskać: clinic-sync connectors repair.',
    other:
      '{place}: kolumny {columns} nie są aktualizowane: usunięte lub bez naszego znacznika. Aby je odzyskać: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 cena jest zapisana jako tekst: arkusz nie pomieści dokładnej liczby.',
    few: '{place}: {count} ceny są zapisane jako tekst: arkusz nie pomieści dokładnych liczb.',
    many: '{place}: {count} cen jest zapisanych jako tekst: arkusz nie pomieści dokładnych liczb.',
    other: '{place}: {count} ceny jest zapisane jako tekst: arkusz nie pomieści dokładnych liczb.',
  },
  booking_columns_gone: {
    one: '{place}: usunięto kolumnę {columns}, więc z karty nie przyjmuje się rezerwacji. Cofnij usunięcie albo uruchom: clinic-sync connectors repair.',
    few: '{place}: usunięto kolumny {columns}, więc z karty nie przyjmuje się rezerwacji. Cofnij usunięcie albo uruchom: clinic-sync connectors repair.',
    many: '{place}: usunięto kolumny {columns}, więc z karty nie przyjmuje się rezerwacji. Cofnij usunięcie albo uruchom: clinic-sync connectors repair.',
    other:
      '{place}: usunięto kolumny {columns}, więc z karty nie przyjmuje się rezerwacji. Cofnij usunięcie albo uruchom: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} nie przyjęto. {detail}',
  answers_closed: {
    one: '{place}: 1 komórki nie da się zapisać, bo jest chroniona lub scalona. Pozwól adresowi clinic-sync edytować Ref, State, Appointment, Message, Updated i Send.',
    few: '{place}: {count} komórek nie da się zapisać, bo są chronione lub scalone. Pozwól adresowi clinic-sync edytować Ref, State, Appointment, Message, Updated i Send.',
    many: '{place}: {count} komórek nie da się zapisać, bo są chronione lub scalone. Pozwól adresowi clinic-sync edytować Ref, State, Appointment, Message, Updated i Send.',
    other:
      '{place}: {count} komórki nie da się zapisać, bo są chronione lub scalone. Pozwól adresowi clinic-sync edytować Ref, State, Appointment, Message, Updated i Send.',
  },
  rows_changed:
    '{place}: zmieniono po wysłaniu, więc przychodnia o tym nie wie: {rows}.\nZadzwoń do przychodni. Widać to, dopóki wizyta nie minie albo w wierszu znów nie będzie tego, co wysłano.',
  rows_overtyped:
    '{place}: w miejsce {rows} wpisano innego pacjenta, który NIE jest zapisany.\nWpisz go w osobnym wierszu.',
  columns_unmarked:
    '{place}: kolumna {columns} straciła nasz znacznik i nie jest aktualizowana.\nUruchom: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: kolumna {columns} straciła nasz znacznik, więc z karty nie przyjmuje się rezerwacji.\nUruchom: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} wycięto i wklejono gdzie indziej, a nasz znacznik został; niczego się tam nie zapisuje ani nie czyta.\nUruchom: clinic-sync connectors repair. Przeniesie znacznik.',
  header_gone: '{place}: usunięto wiersz z nagłówkami.\nPrzywróci go: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: skrypt, dodatek lub ktoś wciąż zmienia z powrotem to, co zapisuje clinic-sync: {cells}.\nZnajdź go w Rozszerzeniach i wyłącz.',
  ref_closed:
    '{place}: z tej karty nic nie jest rezerwowane, dopóki Ref jest chroniona lub scalona.\nPozwól adresowi clinic-sync edytować Ref, State, Appointment, Message, Updated i Send.',
  erased_shown:
    '{place}: {refs}: wiersz zmieniono po wysłaniu, a osobę od tego czasu usunięto. Usuń to, co jeszcze o niej widać, albo wyczyść Ref, jeśli chodzi o kogoś innego.',
  deliveries_held_up: {
    one: '1 zdarzenie czeka od {since} i zostanie wysłane ponownie {until}. {detail}',
    few: '{count} zdarzenia czekają od {since}; następna próba {until}. {detail}',
    many: '{count} zdarzeń czeka od {since}; następna próba {until}. {detail}',
    other: '{count} zdarzenia czeka od {since}; następna próba {until}. {detail}',
  },
};
