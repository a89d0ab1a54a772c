import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'pliki: w {place} można zapisywać',
  check_files_later: 'pliki: {place} jeszcze nie istnieje i zostanie utworzony',
  check_inbox: 'skrzynka wejściowa: w {place} można zapisywać',
  check_inbox_later: 'skrzynka wejściowa: {place} jeszcze nie istnieje i zostanie utworzony',
  check_free: 'wolne {size} dla {place}',
  check_free_little: 'wolne {size} dla {place}\nZwolnij miejsce na tym dysku.',
  check_xlsx: 'XLSX: liczby, daty i zera na początku zostają bez zmian',
  check_data: 'profil data: dokładne wartości, dla programów',
  check_excel:
    'profil excel: bezpieczny do otwarcia, ale arkusz kalkulacyjny gubi zera na początku (017…); `format: xlsx` je zachowuje',
  check_inbox_clinic:
    'skrzynka wejściowa: kilka przychodni, a inbox_clinic nie jest ustawione\nUstaw inbox_clinic albo dodaj do każdego pliku kolumnę clinic.',
  check_key: 'klucz: adresu {address} (jemu trzeba udostępnić arkusz)',
  check_key_open: 'klucz: {file} mogą czytać inni użytkownicy tego komputera\nUruchom: chmod 600 {file}',
  check_token: 'token: Google przyjmuje klucz',
  check_read: 'odczyt: „{title}” da się odczytać',
  check_write: 'zapis: {address} może go zmieniać',
  check_bin:
    'kosz: nie udało się sprawdzić, czy arkusz jest w koszu Dysku Google\nW Google Cloud Console otwórz „APIs & Services”, wyszukaj „Google Drive API” i naciśnij „Enable”.',
  check_keeper: 'prowadzi: ta instalacja',
  check_keeper_none: 'prowadzi: jeszcze nikt; wpisze to pierwszy przebieg',
  check_columns:
    'kolumny: w {place} brakuje {columns}\nTak zostaje. Aby je odzyskać: clinic-sync connectors repair.',
  check_looks:
    'formaty: w {place} brakuje formatu lub ostrzeżenia nowej karty dla: {columns}; mogą zginąć zera albo odpowiedzi zostać nadpisane\nAby je ustawić: clinic-sync connectors repair.',
  check_protection:
    'ochrona: zakres w {place} jest dla nas zamknięty\nW menu „Dane”, „Chroń arkusze i zakresy” pozwól powyższemu adresowi na edycję.',
  check_copies:
    'karty: {tabs} to kopia karty prowadzonej przez clinic-sync i nie jest aktualizowana\nZachowaj ją jako archiwum albo usuń.',
  check_tabs: 'karty: {tabs}',
  check_tabs_later: 'karty: {tabs}; przy pierwszym przebiegu powstaną: {missing}',
  check_month_first:
    'Arkusz ({locale}) czyta wpisane 05/01/2027 jako 1 maja, a w {zone} oznacza to 5 stycznia.\nZmień to w Plik, Ustawienia, Ustawienia regionalne albo wybieraj dni z kalendarza; Message podaje każdy dzień słownie.',
  check_locale: 'ustawienia regionalne {locale}, strefa czasowa {zone}',
  check_reachable: '{host} odpowiada',
  check_certificate: '{host} odpowiada i ma ważny certyfikat',
  check_unencrypted: 'Dane pacjentów wychodzą niezaszyfrowane\nUżyj https albo usuń patient z include.',
  check_short_secret:
    'Sekret ma mniej niż 24 bajty\nUtwórz nowy: `openssl rand -base64 24` i dopisz przed nim whsec_.',
  check_form: 'formularz rezerwacji jest pod {path}; można go stamtąd wysyłać',
  check_form_sites:
    'formularz rezerwacji jest pod {path}; można go wysyłać stamtąd i z formularzy na {sites}',
  check_no_submission: 'nie przyszło jeszcze żadne zgłoszenie',
};
