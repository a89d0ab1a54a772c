import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: {
    one: 'Wymaga decyzji',
    few: '{count} sprawy wymagają decyzji',
    many: '{count} spraw wymaga decyzji',
    other: '{count} sprawy wymaga decyzji',
  },
  told_reminder: {
    one: 'Nadal wymaga decyzji',
    few: '{count} sprawy nadal wymagają decyzji',
    many: '{count} spraw nadal wymaga decyzji',
    other: '{count} sprawy nadal wymaga decyzji',
  },
  told_settled: {
    one: 'Załatwione',
    few: '{count} sprawy załatwione',
    many: '{count} spraw załatwionych',
    other: '{count} sprawy załatwionej',
  },
  told_trouble: {
    one: 'Zakłócenie',
    few: 'Zakłócenie w {count} miejscach',
    many: 'Zakłócenie w {count} miejscach',
    other: 'Zakłócenie w {count} miejsca',
  },
  told_recovered: {
    one: 'Przywrócono',
    few: '{count} rzeczy znów działają',
    many: '{count} rzeczy znów działa',
    other: '{count} rzeczy znów działa',
  },
  told_silence: {
    one: 'Brak zgłoszeń',
    few: 'Brak zgłoszeń z {count} źródeł',
    many: 'Brak zgłoszeń z {count} źródeł',
    other: 'Brak zgłoszeń z {count} źródła',
  },
  told_test: 'Test',
  told_since: 'Od: {time}.',
  told_over: 'Już po wszystkim; trwało to {time}',
  told_unreached: 'Nie można skontaktować się z {name}.',
  told_perhaps: 'Być może ta wiadomość już do Państwa dotarła.',
  open: 'Otwórz',
  kind_probe: 'zgłoszenie testowe',
  kind_database: 'baza danych',
  kind_reading: 'odczyt',
  kind_schedule: 'harmonogram',
  kind_silence: 'cisza',
  need_silence_day: 'Od {what} brak zgłoszeń przez {name}, zwykle na dzień: {count}.',
  need_silence_week: 'Od {what} brak zgłoszeń przez {name}, zwykle na tydzień: {count}.',
  need_test: 'To test clinic-sync: wiadomości tu docierają.',
  need_database_works: 'Baza danych znów działa.',
  todo_silence:
    'Wyślij jedno samodzielnie i sprawdź, czy dotrze: formularz lub strona mogą nie działać. Jeśli macie zamknięte, podaj na stronie gabinetu, do kiedy.',
  todo_test: 'Nie trzeba nic robić.',
  todo_booking: 'Pokaże ją „clinic-sync bookings show {name}”.',
};
