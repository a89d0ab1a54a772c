import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host}: odpowiedź {answer}.\n{remedy}',
  target_unproven:
    '{host}: odpowiedź {answer}, ale nie taka, jakiej udziela {service}; nikt nie został powiadomiony.\nOdpowiada tam coś innego, na przykład strona logowania serwera proxy. Sprawdź adres i sieć.',
  heartbeat_unproven:
    '{host}: odpowiedź {answer} nie jest potwierdzeniem żadnego monitora.\nSprawdź adres: skopiuj go z monitora jeszcze raz.',
  target_unsure:
    '{host}: wiadomość przyjęta, ale bez odpowiedzi.\nSprawdź, czy tam dotarła; zostanie wysłana ponownie, jako powtórzenie.',
  target_plain:
    '{host}: wiadomość odrzucona ({answer}), a w prostej postaci przyjęta.\nPodano w niej tylko numer; reszta jest na stronie.',
  target_content:
    '{host}: wiadomość odrzucona ({answer}), także w prostej postaci.\nJej treść zostanie wysłana później. Sprawdź, do jakiego rodzaju odbiorcy prowadzi adres.',
  target_busy: 'Odbiorca dostaje za dużo wiadomości. Przejściowe: ta zostanie sama wysłana ponownie.',
  target_broken: 'Odbiorca sam ma usterkę. Przejściowe: wiadomość zostanie sama wysłana ponownie.',
  target_redirect: 'Przekierowania nie są wykonywane: wpisz adres, na który prowadzą.',
  target_denied: 'Sprawdź token lub sekret oraz prawo do pisania.',
  target_not_there: 'Adres nie istnieje lub został unieważniony. Skopiuj go ponownie albo utwórz nowy.',
  target_refuses: 'Sprawdź, do jakiego rodzaju odbiorcy prowadzi adres.',
  slack_archived: 'Kanał jest zarchiwizowany: przywróć go albo utwórz webhook dla innego.',
  slack_gone: 'Webhook usunięto: utwórz w Slacku nowy i skopiuj jego adres.',
  slack_forbidden: 'Obszar roboczy na to nie pozwala: zapytaj administratora.',
  slack_channel: 'Kanał usunięto: utwórz webhook dla innego.',
  telegram_chat: 'Sprawdź `chat`: dodaj bota do grupy albo niech ta osoba raz do niego napisze.',
  telegram_out: 'Bota zablokowano lub usunięto: odblokuj go albo dodaj ponownie.',
  telegram_rights: 'Pozwól botowi pisać na tym czacie: na kanale musi być administratorem.',
  telegram_token: 'Token jest błędny lub unieważniony: pobierz go ponownie od @BotFather.',
  telegram_topic: 'Temat zamknięto lub usunięto: popraw `thread` albo otwórz temat ponownie.',
  telegram_moved:
    'Grupa stała się supergrupą; używany jest jej nowy numer {answer}.\nWpisz nowy numer w `chat`.',
  teams_off: 'Przepływ jest wyłączony lub usunięty: włącz go w Power Automate.',
  ntfy_quota:
    'Dzienny limit tego tematu lub adresu jest wyczerpany: poczekaj albo użyj większego konta lub własnego serwera.',
  mail_refused:
    '{host}: poczta odrzucona na etapie {step} ({answer}).\nSprawdź from i to oraz czy ten serwer może wysyłać w twoim imieniu.',
  mail_later:
    '{host}: poczta odłożona na etapie {step} ({answer}).\nPrzejściowe: zostanie sama wysłana ponownie.',
  mail_closed:
    '{host}: połączenie zamknięte na etapie {step}.\nPrzejściowe: poczta zostanie sama wysłana ponownie.',
  mail_silent:
    '{host}: brak odpowiedzi na etapie {step}.\nPoczta zostanie sama wysłana ponownie. Jeśli to trwa, sprawdź port i szyfrowanie: 465 to smtps://, 587 to smtp://.',
  mail_no_smtp: '{host}: pod tym portem nie ma SMTP.\nSprawdź host i port: 465 to smtps://, 587 to smtp://.',
  mail_sign_in: '{host}: logowanie odrzucone ({answer}).\nSprawdź użytkownika i hasło.',
  mail_token:
    '{host}: brak tokenu do logowania ({answer}).\nZaloguj się ponownie i zapisz nowy refresh token; sprawdź client_id i client_secret.',
  mail_basic_off:
    '{host}: programy nie mogą już logować się hasłem ({answer}).\nUżyj `oauth` (docs/notifications.md) albo poproś administratora o włączenie SMTP AUTH dla tej skrzynki.',
  mail_app_password:
    '{host}: potrzebne jest hasło aplikacji ({answer}).\nUtwórz je na koncie Google (Bezpieczeństwo, Weryfikacja dwuetapowa, Hasła do aplikacji) i użyj jako hasła.',
  mail_sign_in_needed: '{host}: potrzebne jest logowanie ({answer}).\nUstaw user i password.',
  mail_relay:
    '{host}: nasza poczta nie jest przekazywana innym ({answer}).\nUstaw user i password albo zezwól tam na przekazywanie z tego komputera.',
  mail_sender: '{host}: nadawca odrzucony ({answer}).\nWpisz w from adres, którego to konto może używać.',
  mail_hello:
    '{host}: nazwa, którą się przedstawiamy, została odrzucona ({answer}).\nWpisz w `hello` nazwę hosta, którą serwer przyjmuje.',
  mail_blocked:
    '{host}: poczta z naszego adresu internetowego nie jest przyjmowana ({answer}).\nWysyłaj przez serwer swojego dostawcy, z user i password.',
  mail_limit:
    '{host}: osiągnięto limit tego konta ({answer}).\nPoczta zostanie sama wysłana ponownie. Jeśli to trwa, poproś dostawcę o wyższy limit.',
  mail_no_tls:
    '{host}: brak szyfrowania, a bez niego hasło nigdy nie jest wysyłane.\nUżyj smtps:// albo innego portu.',
  mail_tls: '{host}: nie udało się przejść na szyfrowanie.\nSprawdź certyfikat albo podaj `ca_file`.',
  mail_recipient: 'Adresat {n} z {all} jest odrzucany ({answer}).\nPopraw adres w to.',
  mail_recipient_full:
    'Skrzynka adresata {n} z {all} jest pełna ({answer}).\nJej właściciel musi zwolnić miejsce; następna poczta będzie znów wysyłana.',
  mail_recipient_later:
    'Adresat {n} z {all} jest odłożony ({answer}).\nPrzejściowe: poczta do niego zostanie sama wysłana ponownie.',
  mail_open:
    '{host}: poczta wychodzi bez szyfrowania i inni mogą ją po drodze przeczytać.\nUstaw `tls: required` albo zaloguj się z user.',
  target_told: 'ostatnia wiadomość dotarła {day}',
  target_idle:
    'od {day} nie było nic do wysłania, więc nic nie pokazuje, że to nadal działa\nWypróbuj: clinic-sync notify test {name}.',
  target_never: 'żadna wiadomość jeszcze nie dotarła\nWypróbuj: clinic-sync notify test {name}.',
  target_owed: 'zaległe od {since}, jeszcze nieprzekazane: {number}',
};
