import { describe, expect, it } from 'vitest';
import { become, faultsOf } from '../../test/support/forms/web-form.ts';

describe('characters', () => {
  const name = (body: Buffer | string, contentType: string) =>
    become('native', body, { contentType, fields: {} });
  const german = Buffer.from('{"patient_name":"José Müller"}', 'latin1');

  it.each([
    ['JSON in ISO-8859-1', german, 'application/json; charset=iso-8859-1'],
    ['JSON in windows-1252', german, 'application/json; charset="Windows-1252"'],
    [
      'a form in ISO-8859-1',
      'patient_name=Jos%E9+M%FCller',
      'application/x-www-form-urlencoded; charset=ISO-8859-1',
    ],
    [
      'a form in UTF-8',
      'patient_name=Jos%C3%A9+M%C3%BCller',
      'application/x-www-form-urlencoded; charset=UTF-8',
    ],
    [
      'JSON in UTF-16',
      Buffer.from('{"patient_name":"José Müller"}', 'utf16le'),
      'application/json; charset=utf-16le',
    ],
    ['JSON with a byte order mark', '\uFEFF{"patient_name":"José Müller"}', 'application/json'],
  ])('are read as declared: %s', async (_what, body, contentType) => {
    const submission = await name(body, contentType);

    expect(submission.fields).toEqual({ patient_name: 'José Müller' });
    expect(submission.problems).toBeUndefined();
  });

  it.each([
    ['JSON in another charset than it says', german, 'application/json'],
    ['a charset that does not exist', german, 'application/json; charset=klingon'],
    ['a form in another charset than it says', 'patient_name=Jos%E9', 'application/x-www-form-urlencoded'],
    ['half of a character', '{"patient_name":"Ann \\ud83d"}', 'application/json'],
  ])('that were damaged are held: %s', async (_what, body, contentType) => {
    expect(faultsOf(await name(body, contentType))).toEqual(['patient_name']);
  });

  it('JSON that curl calls a form is read as JSON', async () => {
    const { fields } = await name('{"patient_name":"Ann & Bob = Lee"}', 'application/x-www-form-urlencoded');

    expect(fields).toEqual({ patient_name: 'Ann & Bob = Lee' });
  });

  it.each([
    ['beside each other', '{"appointment_date":"2026-12-08","appointment_date":"2026-12-09"}'],
    ['in other letters', '{"patient_name" : "Ann", "patient\\u005fname":"Bob"}'],
    ['deeper', '{"address":{"city":"Dhaka","city":"Rome"}}'],
  ])('a field that JSON has twice is held: %s', async (_where, body) => {
    expect(faultsOf(await name(body, 'application/json'))).toContain('fields');
  });

  it.each([
    '{"a":{"note":"x"},"b":{"note":"y"},"note":"z"}',
    '{"note":"\\"note\\":\\"note\\": {","address":"note"}',
    '{"note":["{","note","note"]}',
  ])('one that only looks repeated is not: %s', async (body) => {
    expect((await name(body, 'application/json')).problems).toBeUndefined();
  });

  it('broken JSON that curl calls a form is held with its text', async () => {
    const submission = await name('{"patient_name":"Ann', 'application/x-www-form-urlencoded');

    expect(submission.fields).toEqual({ note: '{"patient_name":"Ann' });
    expect(faultsOf(submission)).toEqual(['fields']);
  });
});

it('reads a form that a script sent as one list of its answers, and no list of several leads', async () => {
  const answers = Object.entries({
    name: 'Ann Lee',
    phone: '+8801714445000',
    date: '2027-03-04',
    time: '10:30',
  });
  const list = answers.map(([name, value]) => ({ name, value }));

  const one = await become('contact-form-7', JSON.stringify(list));
  const two = await become('contact-form-7', JSON.stringify([Object.fromEntries(answers), { name: 'Bob' }]));

  expect(one.fields).toMatchObject({ patient_name: 'Ann Lee', appointment_date: '2027-03-04' });
  expect(two.fields).not.toHaveProperty('patient_name');
});
