import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { mentionsPhone } from '../../../domain/phone.ts';
import { textsFor } from './texts-with-numbers.ts';

const columns = ['patient_name', 'address', 'doctor', 'treatment', 'note', 'message', 'appointment_time'];
const database = new Database(':memory:');
database.exec(`create table bookings (${columns.join(', ')}, patient_phone, phone_e164, appointment_date)`);

/** Whether a booking with this text is one of those that are read to find who is mentioned. */
function isRead(column: string, text: string): boolean {
  database.exec('delete from bookings');
  database
    .prepare(
      `insert into bookings (${column}, patient_phone, phone_e164, appointment_date) values (?, ?, ?, ?)`,
    )
    .run(text, '01711 987654', '+8801711987654', '2026-03-10');
  return database.prepare(`select 1 from bookings where ${textsFor.sqlite.withNumbers}`).get() !== undefined;
}

describe('the index of texts with numbers', () => {
  it.each([
    ['message', 'Every booking from this source needs a person’s approval.'],
    ['address', 'House 12, Road 5, Dhanmondi, 1209 Dhaka'],
    ['patient_name', '“Zoë” Müller-Łukasiewicz'],
    ['note', 'Kommt um halb zehn, mit Begleitung: ‚Öffner‘ bitte'],
  ])('leaves out a %s without any, so that erasing a person does not read it', (column, text) => {
    expect(isRead(column, text)).toBe(false);
  });

  it.each([
    '01711987654',
    '017-11 98.76 (54)',
    '017–11–98–76–54',
    '০১৭১১৯৮৭৬৫৪',
    '０１７１１９８７６５４',
    '017\u00a011\u202f98\u200976\u00a054',
    '01711…98…76…54',
    '‘01711987654’',
  ])('has the note “%s”, in which the number is found', (text) => {
    expect(mentionsPhone(text, ['+8801711987654'])).toBe(true);
    expect(isRead('note', text)).toBe(true);
  });
});
