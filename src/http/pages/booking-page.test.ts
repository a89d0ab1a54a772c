import { describe, expect, it } from 'vitest';
import { noChoices, sampleBooking, sampleEvents } from '../../../test/support/http/http-kit.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import { type ActionName, actionNames, type ChosenNames } from '../../domain/bookings/booking-actions.ts';
import { instant } from '../../platform/clock.ts';
import { localeOf } from '../../platform/text/locale.ts';
import { loadTexts } from '../../texts/texts.ts';
import type { BookingDetail } from '../api/booking-schemas.ts';
import { bookingPage } from './booking-page.ts';
import type { Viewer } from './parts/layout.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const person: Viewer = {
  canSignIn: true,
  by: 'Ruma',
  role: 'desk',
  canSignOut: true,
  formToken: 'f0rm',
  notice: undefined,
  locale: localeOf('en'),
  here: '/',
};
const unnamed: ChosenNames = { doctor: null, treatment: null };

const page = (more: Partial<Booking> = {}, detail: Partial<BookingDetail> = {}) =>
  bookingPage(
    {
      booking: sampleBooking(now, more),
      sentence: 'It was sent.',
      events: sampleEvents(now),
      actions: [],
      chosen: unnamed,
      ...noChoices,
      resembles: null,
      versions: [],
      ...detail,
    },
    person,
    now,
  );
const inGerman = async (more: Partial<Booking>, given: Partial<BookingDetail> = {}) => {
  await loadTexts('de');
  const none = {
    sentence: '',
    events: [],
    actions: [],
    chosen: unnamed,
    ...noChoices,
    resembles: null,
    versions: [],
  };
  const detail = { ...none, ...given };
  return bookingPage(
    { booking: sampleBooking(now, more), ...detail },
    { ...person, locale: localeOf('de') },
    now,
  );
};
const offering = (names: readonly ActionName[], needs: string[] = []) => ({
  actions: names.map((action) => ({ action, needs })),
});

describe('a booked visit', () => {
  it('shows what the clinic has now, with the time of that reading', async () => {
    const visit = {
      date: '2026-12-09',
      time: '09:30',
      status: 'Scheduled',
      read_at: instant(now - 16 * 60_000),
    };

    expect(page({ state: 'booked' }, { visit })).toMatch(
      /At the clinic now: <bdi>Wed, 9 Dec 2026.· 09:30<\/bdi>, <bdi>Scheduled<\/bdi>.*16 min ago/,
    );
    expect(await inGerman({ state: 'booked' }, { visit })).toContain('Jetzt in der Praxis');
    expect(page({ state: 'booked' })).not.toContain('At the clinic now');
  });
});

describe('a booking whose outcome is unknown', () => {
  it('shows the sentence, the evidence, the person and the history', () => {
    const text = page();

    expect(text).toContain('It was sent.');
    expect(text).toContain('18,941 · ');
    expect(text).toContain('90389, 90390');
    expect(text).toContain('Zerlina Plantagenet');
    expect(text.match(/<ol class="history">.*?<\/ol>/s)?.[0].match(/<li>/g)).toHaveLength(4);
  });

  it('asks to confirm that it is not there only while the clinic may still be working on it', () => {
    const settling = page({}, offering(['send_again'], ['confirm']));
    const settled = page({}, offering(['send_again']));

    expect(settling).toContain('name="confirm_not-booked"');
    expect(settled).not.toContain('name="confirm_not-booked"');
  });
});

describe('what a person may do', () => {
  const routes = (text: string, of = '(?:form)?action') =>
    [...text.matchAll(new RegExp(` ${of}="/admin/bookings/CS-7K3Q9F/(\\w+)"`, 'g'))].map(
      ([, route]) => route,
    );

  it('is a form each, in the order given, and nothing else', () => {
    expect(routes(page({}, offering(['edit', 'acknowledge', 'drop'])))).toEqual([
      'edit',
      'acknowledge',
      'drop',
    ]);
    expect(page()).not.toContain('What to do');
  });

  it.each([
    ['held', ['take', 'approve', 'edit', 'drop'], ['take', 'approve']],
    ['rejected', ['approve', 'edit', 'drop'], ['approve']],
    ['held', ['edit', 'drop'], ['approve']],
    ['queued', ['edit', 'drop'], []],
  ] as const)('takes along what was typed, whichever button is pressed: %s, %j', (state, names, buttons) => {
    const text = page({ state }, offering(names));

    expect(routes(text, 'action')).toEqual(['edit', 'drop']);
    expect(routes(text, 'formaction')).toEqual(buttons);
  });

  it('is not a suggested name when Enter is pressed in a field', () => {
    const near = [{ id: 7, name: 'Dr. Anna' }];
    const choices = { ...noChoices.choices, doctor: { all: near, near } };
    const text = page({ state: 'held' }, { ...offering(['edit', 'drop']), choices });

    const [form = ''] = text.match(/<form [^>]*edit".*?<\/form>/s) ?? [];
    expect([...form.matchAll(/<button[^>]*>([^<]*)/g)].map(([, label]) => label?.trim())).toEqual([
      'Save and send',
      'Dr. Anna',
      'Save and send',
      'Save',
    ]);
  });

  it.each(actionNames)('has one primary button, that of the usual way: %s', (first) => {
    const ways = page({}, offering([first, ...actionNames.filter((name) => name !== first)])).match(
      /<ul class="ways">.*<\/ul>/s,
    );

    const items = (ways?.[0] ?? '').split('<li data-action="').slice(1);
    const primary = items.filter((item) => /<button(?![^>]* class=)/.test(item));
    expect(primary.map((item) => item.split('"')[0]?.split(' '))).toEqual([expect.arrayContaining([first])]);
  });

  it('is never done without the form’s token', () => {
    const text = page({}, offering(actionNames));

    expect(text.match(/name="form_token" value="f0rm"/g)?.length).toBe(text.match(/<form /g)?.length);
  });
});

it('shows a held booking’s fields for correction, also what no date field could show', () => {
  const text = page({ appointment_date: 'next Friday', appointment_time: '10:30' }, offering(['edit']));

  expect(text).toContain('name="appointment_date" type="text" value="next Friday"');
  expect(text).toContain('name="appointment_time" type="time" value="10:30"');
});

it('lets an unreadable field stay empty, unless the clinic needs it', () => {
  const text = page({ unreadable_fields: ['treatment', 'appointment_date'] }, offering(['edit']));

  expect([...text.matchAll(/name="(empty_\w+)"/g)].map(([, name]) => name)).toEqual(['empty_treatment']);
});

it('has no empty card of evidence', () => {
  const evidence = { changed_back: instant(now) };

  expect(page({ state: 'held', reason: 'changed_submission', evidence })).not.toContain('id="evidence"');
  expect(page({ state: 'unknown', evidence: { sent_at: instant(now) } })).toContain('id="evidence"');
});

it('shows the booking it resembles beside it, and where what was submitted differs', () => {
  const other = { ref: 'CS-AAAAAA', patient_name: 'Somebody Else', merged: 1, appointment_id: 5199 };
  const resembles = { ...sampleBooking(now, other), chosen: unnamed };
  const text = page({ state: 'held', reason: 'duplicate_suspect' }, { resembles });

  expect(text).toContain('href="/bookings/CS-AAAAAA"');
  expect(text).toContain('<mark>Somebody Else</mark>');
  expect(text.match(/\(differs\)/g)).toHaveLength(1);
  expect(text).not.toMatch(/<(dt|th)[^>]*><\/(dt|th)>/);
});

it('drops what evidently repeats another booking with one click, and asks why otherwise', () => {
  const held = { state: 'held', reason: 'duplicate_suspect' } as const;
  const repeating = page(held, { ...offering(['approve', 'edit', 'drop']), repeats: 'CS-AAAAAA' });

  expect(repeating).toMatch(
    /name="why" value="The same as CS-AAAAAA\."><button[^>]*>The same as CS-AAAAAA: drop it/,
  );
  expect(page(held, offering(['approve', 'edit', 'drop']))).not.toContain('The same as');
});

it.each([
  ['the clinic’s name for a number', { doctor: null, doctor_id: 4 }, 'Dr. O’Neil', '<dd>Dr. O’Neil</dd>'],
  [
    'it once when both are the same',
    { doctor: "dr. o'neil", doctor_id: 4 },
    'Dr. O’Neil',
    '<dd>Dr. O’Neil</dd>',
  ],
  [
    'both when they differ',
    { doctor: 'the tall one', doctor_id: 4 },
    'Dr. O’Neil',
    '<dd>the tall one → Dr. O’Neil</dd>',
  ],
  [
    'the number of one that the clinic does not name',
    { doctor: null, doctor_id: 4 },
    null,
    '<dd>number 4</dd>',
  ],
])('shows who was chosen: %s', (_, fields, doctor, shown) => {
  expect(page(fields, { chosen: { doctor, treatment: null } })).toContain(shown);
});

it('asks to confirm having seen that a booked appointment is not as asked for', () => {
  const text = page(
    { state: 'booked', evidence: { mismatch: ['The clinic shows another time.'] } },
    offering(['acknowledge']),
  );

  expect(text).toContain('action="/admin/bookings/CS-7K3Q9F/acknowledge"');
  expect(text).toContain('The clinic shows another time.');
});

it('shows what cannot be seen, in every place, and leaves line ends alone', () => {
  const name = 'YAKONE \u202e\u001b[31m';
  const text = page({ patient_name: name, note: `one\r\n${name}`, treatment: name }, offering(['edit']));

  expect(['\u202e', '\u001b', '\r'].filter((hidden) => text.includes(hidden))).toEqual([]);
  expect(text.match(/YAKONE \\u202e\\u001b\[31m/g)?.length).toBeGreaterThanOrEqual(6);
  expect(text).toContain('one\nYAKONE');
});

it('hints at calling the patient if a lead came again, and at the front desk if the visit differs', async () => {
  const [again, differs] = await Promise.all(
    (['asked_again', 'differs'] as const).map((verification) =>
      inGerman({ state: 'booked', evidence: { verification, mismatch: ['.'] } }, offering(['acknowledge'])),
    ),
  );

  expect(again).toContain('Fragen Sie den Patienten.');
  expect(again).not.toContain('Klären Sie es am Empfang');
  expect(differs).toContain('Klären Sie es am Empfang');
});

it.each([
  [
    { verification: 'differs', shows: { date: '2026-03-06', time: '17:45', name_matches: false } },
    'Der Patient heißt in der Praxis anders. Gewünscht war 16:30; die Praxis hat 17:45.',
  ],
  [{ verification: 'not_found' }, 'Die Praxis kennt die Terminnummer nicht, die sie selbst genannt hat.'],
  [{ verification: 'unread' }, 'Die Praxis konnte nicht gefragt werden'],
  [{ verification: 'asked_again' }, 'Der Termin wurde abgesagt oder verlegt'],
  // As older versions stored it.
  [{ verification: 'differs' }, '<span lang="en" dir="ltr">As stored.</span>'],
] as const)('says in the person’s language how the clinic’s record differs: %j', async (evidence, said) => {
  const visit = { appointment_date: '2026-03-06', appointment_time: '16:30' };
  const text = await inGerman({
    state: 'booked',
    evidence: { ...evidence, mismatch: ['As stored.'] },
    ...visit,
  });

  expect(text).toContain(said);
  expect(text.includes('As stored.')).toBe(said.includes('As stored.'));
});

describe('what a person has to correct', () => {
  const sentence =
    'Something is missing. The clinic has no dentist with the given name. It has: Dr. Ann (B.D.S.) Lee (1), Dr. Bo (2) and 4 more. The time is missing.';

  it('is told once, without the names of the clinic, which are in the lists', () => {
    const [first] = sampleEvents(now);
    expect.assert(first);
    const text = page({ reason: 'mapping' }, { sentence, events: [{ ...first, message: sentence }] });

    const told = 'Something is missing. The clinic has no dentist with the given name. The time is missing.';
    expect(text.split(told)).toHaveLength(2);
    expect(text).not.toContain('It has:');
  });

  it('is marked in every language, where it is missing', async () => {
    const empty = { state: 'held', reason: 'missing_field', patient_phone: null, address: null } as const;
    const text = await inGerman(empty, offering(['edit']));

    expect(text).toContain('Telefon <mark>fehlt</mark><input name="patient_phone"');
    expect(text.match(/<mark>/g)).toHaveLength(1);
  });
});
