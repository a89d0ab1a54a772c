import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google nie przyjmuje już logowania: cofnięto je lub wygasło.\nZaloguj się ponownie: clinic-sync connectors login. Dopóki aplikacja OAuth ma stan „Testing”, Google kończy każde logowanie po siedmiu dniach: opublikuj ją albo ustaw na „Internal”.',
  google_client_unknown:
    'Google nie zna klienta OAuth tego logowania.\nPobierz ponownie plik JSON klienta, potem: clinic-sync connectors login.',
  google_key_refused:
    'Google nie przyjmuje klucza {address}: klucz lub konto cofnięto albo usunięto.\nUtwórz nowy klucz konta usługi (Keys, Add key, JSON) i podmień stary.',
  google_clock:
    'Google nie przyjmuje naszego logowania, bo zegar tego komputera jest źle ustawiony.\nUstaw zegar (NTP) i spróbuj ponownie.',
  google_account_disabled:
    'Google wyłączył {address}.\nW Google Cloud Console włącz konto (IAM & Admin, Service accounts) albo utwórz nowe.',
  google_client_disabled:
    'Google wyłączył {address}.\nW Google Cloud Console sprawdź dane uwierzytelniające projektu albo utwórz nowe.',
  google_slow_down:
    'Google prosi, by zwolnić ({status}).\nNic nie trzeba robić: za minutę praca ruszy dalej.',
  google_token_refused: 'Google nie przyjął naszego tokenu.\nPrzy następnej próbie pobierzemy nowy.',
  google_reauth:
    'Google prosi {address} o ponowne zalogowanie: organizacja wymaga tego co kilka godzin.\nZaloguj się: clinic-sync connectors login. Pozwoli tego uniknąć konto usługi albo wyjątek dla aplikacji od administratora Google.',
  google_client_unauthorized:
    'Google nie pozwala temu klientowi zalogować się jako {address}: jest usunięty albo przeznaczony do innego logowania.\nUtwórz klienta OAuth typu Aplikacja komputerowa (lub nowy klucz), potem: clinic-sync connectors login.',
  google_project_suspended:
    'Google zawiesił projekt Cloud konta {address}.\nPrzeczytaj e-mail Google do właściciela i odwołaj się w konsoli Google Cloud albo użyj konta z innego projektu.',
  google_project_gone:
    'Projekt Cloud konta {address} został usunięty.\nPrzywróć go w ciągu 30 dni w konsoli Google Cloud (Uprawnienia i administracja, Zarządzanie zasobami) albo utwórz konto w innym projekcie.',
  google_billing:
    'Płatności w projekcie Cloud konta {address} są wyłączone, a Google ich wymaga.\nWłącz płatności w konsoli Google Cloud albo użyj konta z innego projektu.',
  google_address_blocked:
    'Google odrzuca wywołania z adresu sieciowego tego komputera.\nSprawdź ograniczenia adresów u klienta i w poziomach dostępu organizacji i zezwól tam na ten adres.',
  google_other_reason:
    'Google odmówił tego {address}: {reason}.\nPoszukaj tej przyczyny w dokumentacji Google albo zapytaj administratora Google.',
  google_no_project:
    'Google nie wie, do którego z Twoich projektów należą nasze wywołania.\nUruchom: gcloud auth application-default set-quota-project PROJECT, z projektem, w którym włączono Google Sheets API.',
  google_scope:
    'Logowanie {address} nie obejmuje arkuszy.\nZaloguj się z tym zakresem: clinic-sync connectors login albo {login}. Maszyna wirtualna Google potrzebuje zakresu {scope}.',
  google_api_off:
    'W projekcie konta usługi wyłączono Google Sheets API.\nW Google Cloud Console otwórz „APIs & Services”, wyszukaj „Google Sheets API” i naciśnij „Enable”.',
  google_drive_full:
    'Dysk Google właściciela arkusza jest pełny.\nZwolnij tam miejsce (także w Gmailu i Zdjęciach) albo przekaż arkusz komuś, kto ma miejsce.',
  google_policy:
    'Zasady Twojej organizacji w Google zabraniają tego adresowi {address}.\nPoproś administratora Google o zgodę albo zaloguj się jako osoba z organizacji: clinic-sync connectors login.',
  google_read_only:
    '{address} może arkusz oglądać, ale nie zmieniać.\nUdostępnij arkusz temu adresowi z rolą edytującego.',
  google_not_shared:
    'Arkusza nie udostępniono adresowi {address}.\nUdostępnij go temu adresowi z rolą edytującego.',
  google_no_spreadsheet:
    'Nie ma arkusza o tym identyfikatorze: jest w nim błąd albo arkusz usunięto.\nSkopiuj adres z przeglądarki do `spreadsheet`; zajrzyj do kosza Dysku Google.',
  google_typed_columns:
    'Google nie przyjmuje od nas list rozwijanych i pól wyboru tam, gdzie ktoś utworzył tabelę z typami kolumn.\nNic nie ginie: nazwiska można wpisać. Aby je odzyskać, zmień tę tabelę na dane niesformatowane.',
  google_protected:
    'Część arkusza jest chroniona przed {address}.\nW menu „Dane”, „Chroń arkusze i zakresy” pozwól temu adresowi na edycję; wszystko inne jest w tym czasie aktualne.',
  google_full:
    'Arkusz jest pełny: Google pozwala na dziesięć milionów komórek.\nUsuń puste wiersze, kolumny lub stare karty albo daj clinic-sync osobny arkusz.',
  google_tab_gone: 'Usunięto kartę.\nZostanie utworzona ponownie.',
  google_excel:
    'Ten plik to skoroszyt Excela na Dysku Google, a nie arkusz Google.\nOtwórz go i wybierz „Plik”, „Zapisz jako Arkusze Google”; potem użyj adresu nowego pliku.',
  google_changed: 'Ktoś zmienił arkusz w tej samej chwili.\nZostanie odczytany ponownie.',
  google_refused:
    'Google odrzucił nasze żądanie ({words}).\nTo błąd tego połączenia; zgłoś go, podając godzinę.',
  google_cell_refused:
    'Google odrzuca to, co clinic-sync tam zapisuje{cell}: {words}.\nCofnij ostatnią ręczną zmianę w tym miejscu (reguła, tabela, scalenie, ochrona); kolejna próba nastąpi w ciągu pięciu minut.',
  google_unreachable:
    'Nie udało się połączyć z Google{code}.\nJeśli to trwa, sprawdź sieć i czy zapora przepuszcza sheets.googleapis.com i oauth2.googleapis.com.',
  google_certificate:
    'Brak bezpiecznego połączenia z Google{code}.\nPo drodze coś odpowiada w jego imieniu: wyłącz dla Google inspekcję w zaporze lub proxy albo wskaż w NODE_EXTRA_CA_CERTS certyfikat ich urzędu certyfikacji.',
  google_redirect:
    'Google odpowiedział przekierowaniem ({status}), a za nim nie idziemy.\nJeśli to trwa, być może zamiast Google odpowiada serwer proxy lub zapora.',
  google_web_page:
    'Zamiast Google odpowiedziała strona internetowa ({status}).\nJeśli to trwa, przepuść sheets.googleapis.com i oauth2.googleapis.com przez serwer proxy, zaporę lub portal logowania tej sieci.',
  google_odd_answer:
    'To, co odpowiedziało zamiast Google ({status}), nie jest tym, o co pytaliśmy; niczego z tego nie użyto.\nJeśli to trwa, poszukaj serwera proxy lub zapory, które odpowiadają zamiast Google.',
  google_status: 'Google odpowiedział {status}.\nPróba zostanie powtórzona.',
  sheet_of_another:
    'Arkusz należy do innej instalacji clinic-sync ({name}); nic do niego nie zapisujemy i nie bierzemy z niego rezerwacji.\nJeśli tamta już nie działa (lub straciła bazę danych), ustaw `adopt: {name}` i uruchom ponownie.',
  folder_denied:
    'Brak uprawnień do zapisu w {place}.\nPozwól użytkownikowi o identyfikatorze {user} tam czytać i pisać (właściciel lub opcje wolumenu) albo wybierz inny katalog.',
  folder_read_only:
    '{place} leży w systemie plików tylko do odczytu.\nZamontuj wolumen z prawem zapisu albo wybierz inny katalog.',
  folder_is_file:
    '{place} nie może być katalogiem: w tym miejscu jest plik.\nPrzenieś ten plik albo wybierz inny katalog.',
  share_away:
    'Udział sieciowy {place} nie jest zamontowany, więc nic się tam nie zapisuje.\nZamontuj go ponownie. Jeśli pliki mają tam zostać bez niego, uruchom clinic-sync connectors repair.',
  inbox_away:
    'Katalog {place} jest pusty, choć przyjęto już z niego pliki: udział sieciowy prawdopodobnie nie jest zamontowany.\nZamontuj go ponownie. Jeśli katalog ma być pusty, utwórz w nim katalog done.',
  disk_full: 'Brak miejsca na {place}.\nZwolnij miejsce na tym dysku; zapis ruszy dalej.',
  write_failed: 'Zapis w {place} nie powiódł się{code}.\nSprawdź dysk lub udział sieciowy.',
  file_in_use:
    'Nie udało się zastąpić pliku {place}{code}.\nZamknij go tam, gdzie jest otwarty, albo pozwól clinic-sync go zastąpić; pozostałe pliki są aktualne.',
  receiver_rejects:
    'Odbiorca odpowiedział {status}.\nZajrzyj do jego dziennika: nie przyjmuje tego zdarzenia.',
  receiver_denies: 'Odbiorca odpowiedział {status}.\nSprawdź sekret i nagłówki po obu stronach.',
  receiver_clock:
    'Odbiorca odpowiedział {status}, a zegar tej maszyny różni się od jego zegara o {minutes} min.\nUstaw zegar (NTP): podpis jest ważny tylko kilka minut.',
  receiver_not_there: 'Odbiorca odpowiedział {status}.\nSprawdź url: pod tym adresem nic u niego nie ma.',
  receiver_no_post: 'Odbiorca odpowiedział {status}.\nSprawdź url: pod tym adresem nie przyjmuje POST.',
  receiver_gone:
    'Odbiorca odpowiedział {status}.\nNie chce już zdarzeń. Usuń połączenie albo je wznów, jeśli to pomyłka.',
  receiver_too_large:
    'Odbiorca odpowiedział {status}.\nPozwól mu przyjmować większe treści albo ustaw thin: true.',
  receiver_slow_down: 'Odbiorca odpowiedział {status}.\nUstaw rate na tyle, na ile pozwala.',
  receiver_redirect:
    'Odbiorca odpowiedział {status}.\nZa przekierowaniami nie idziemy: wpisz nowy adres do url.',
  receiver_broken: 'Odbiorca odpowiedział {status}.\nMa awarię u siebie; zajrzyj do jego dziennika.',
  receiver_web_page:
    'Odbiorca odpowiedział {status} stroną internetową, czego dotąd nie robił.\nSprawdź, czy url nadal prowadzi do odbiorcy: domenę mógł przejąć ktoś inny albo zamiast niego odpowiada portal.',
  receiver_status: 'Odbiorca odpowiedział {status}.',
  paused_by: 'Wstrzymane przez: {who}.',
  paused_by_person: 'Wstrzymane przez kogoś.',
  paused_outage:
    'Przez cały dzień nie udało się nic dostarczyć ({detail}). Nic nie zginęło; próba jest co godzinę.',
};
