import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFormat } from '../domain/date-time-format.ts';
import { choiceKey, isNoChoice } from './choice.ts';
import { readDay } from './day.ts';
import { readMoment } from './moment.ts';
import { doubtOfName, nameInParts } from './person-name.ts';
import { phoneInParts, readPhone } from './read-phone.ts';
import { readSlot } from './read-slot.ts';
import { saysOff } from './read-status.ts';
import type { Reading } from './reading.ts';
import { decodeOnce, isUnfilled, readText, withoutHidden } from './text.ts';
import { readTimeOfDay } from './time-of-day.ts';
import { unreadWhen } from './unread.ts';
import { whenInParts } from './when-parts.ts';

const runs = { numRuns: 500 * Number(process.env.VERIFY_RUNS ?? 1) };
const kindOf = ({ kind }: Reading) => kind;

describe('a day', () => {
  const day = '2027-03-04';
  it.each([
    ...[
      '2027. 3. 4.',
      '2027年3月4日',
      '2027년 3월 4일 목요일',
      '2027-03-04 (Thu)',
      '2027/03/04(木)',
      '2027-Mar-04',
    ],
    ...[
      '4. März 2027',
      'Donnerstag, 4. März 2027',
      'jeudi 4 mars 2027',
      '4 de marzo de 2027',
      '4 de março de 2027',
    ],
    ...[
      '4 marzo 2027',
      '4 maart 2027',
      'czwartek, 4 marca 2027',
      '4 Mart 2027',
      'الخميس 4 مارس 2027',
      '4 آذار 2027',
    ],
    ...[
      'quinta-feira, 4 de março de 2027',
      'quinta, 4 de março de 2027',
      '4 Mrz 2027',
      '2027年3月4日 星期四',
    ],
    ...['৪ মার্চ ২০২৭', '4 मार्च 2027', 'Thu Mar 04 2027', '\u200f2027-03-04'],
  ])('is read from %s', (text) => expect(readDay(text)).toBe(day));

  it.each([
    '04/03/2027',
    'Mon 4 Mar 2027',
    '4 marras 2027',
    '3-4 March 2027',
    '20270304',
    'mar. 4 mars 2027',
    '4 March',
  ])('is not guessed from %s', (text) => expect(readDay(text)).toBeUndefined());

  it('has only a year and a day that were written', () => {
    const written = fc.string({ unit: fc.constantFrom(...'0123456789 .-/年月日marsMärzof'), maxLength: 24 });
    fc.assert(
      fc.property(written, (text) => {
        const [year = '', , dayOf = ''] = readDay(text)?.split('-') ?? [];
        expect(text).toContain(year);
        expect(text).toContain(String(Number(dayOf) || ''));
      }),
      runs,
    );
  });
});

describe('a time of day', () => {
  it.each([
    ...[
      ['10h30', '10:30'],
      ['10:30 Uhr', '10:30'],
      ['15 Uhr', '15:00'],
      ['10.30 Uhr', '10:30'],
      ['3:30 p. m.', '15:30'],
    ],
    ...[
      ['오전 10:30', '10:30'],
      ['午後3:30', '15:30'],
      ['10:30 hrs', '10:30'],
      ['10시 30분', '10:30'],
      ['10:30 ÖS', '22:30'],
    ],
    ...[
      ['10:00 AM - 10:30 AM', '10:00'],
      ['10:00–10:30', '10:00'],
      ['T10:30', '10:30'],
      ['kl. 10.30', '10:30'],
      ['3:30 de la tarde', '15:30'],
      ['सुबह 10:30', '10:30'],
      ['3:30 مساءً', '15:30'],
      ['3:30 PM – 4 PM', '15:30'],
      ['de 10:00 à 10:30', '10:00'],
      ['10u30', '10:30'],
      ['10:30 → 11:00', '10:30'],
    ],
  ])('is read from %s', (text, time) => expect(readTimeOfDay(text)).toBe(time));

  it.each([
    '3:30 - 4 PM',
    '10:30-06:00',
    '9.30',
    '1530',
    '14:30:15',
    '10',
    '25:00',
    '3 PM or 4 PM',
    'morning',
  ])('is not guessed from %s', (text) => expect(readTimeOfDay(text)).toBeUndefined());
});

describe('a moment', () => {
  const zone = 'Europe/Berlin';
  it.each([
    ['2027-03-04T09:30:00Z', '10:30'],
    ['2027-03-04 10:30 Europe/Berlin (GMT+02:00)', '10:30'],
    ['2027-03-04T10:30:00+01:00[Europe/Berlin]', '10:30'],
    ['Thu Mar 04 2027 10:30:00 GMT+0100 (Central European Standard Time)', '10:30'],
    ['2027-03-04 10:30 Africa/Lagos (GMT+01:00)', '10:30'],
    ['4. März 2027 um 10:30 Uhr', '10:30'],
    ['2027년 3월 4일 오전 10:30', '10:30'],
    ['2027-03-04 10:30 - 11:00', '10:30'],
    ['4. März 2027, 10:30 bis 11:00 Uhr', '10:30'],
    ['2027-03-04 13:30-14:00', '13:30'],
    ['2027-03-04T04:30-05:00', '10:30'],
  ])('is read from %s', (text, time) =>
    expect(readMoment(text, {}, zone)).toMatchObject({ date: '2027-03-04', time }),
  );

  it.each([
    '2027-03-04T10:30:00+02:00[Europe/Berlin]',
    '2027-03-04 10:30 Europe/London (GMT+01:00)',
    '2027-03-04 10:30 Nowhere/City',
    '2027-03-04 09:00-10:00',
    'March 4, 2027 09:00-09:30',
  ])('is not guessed from %s', (text) => expect(readMoment(text, {}, zone)).toBeUndefined());

  it.each([
    ['2027-03-04', '2027-03-05 10:30', ['appointment_time']],
    ['2027-03-04', '1970-01-01T10:30:00Z', ['appointment_time']],
    ['2027-03-04', '1899-12-30T10:30:00', []],
    ...[
      '0000-00-00 10:30:00',
      '12/30/1899 10:30:00 AM',
      '1900-01-00 10:30',
      '01.01.1970 10:30',
      '1/0/1900 10:30',
    ].map((time): [string, string, string[]] => ['2027-03-04', time, []]),
    ['2027-03-03T23:00:00Z', '10:30', []],
    ['2027-03-04 11:00', '10:30', ['appointment_time']],
    ['', '2027-03-04 10:30', []],
  ])('belongs together: %s and %s', (date, time, faults) => {
    const slot = readSlot({ date: { text: date }, time: { text: time } }, zone);

    expect(slot.faults.map(({ field }) => field)).toEqual(faults);
    if (faults.length === 0) expect(slot).toMatchObject({ date: '2027-03-04', time: '10:30' });
  });
});

describe('a text', () => {
  it.each([
    ['O&#039;Brien', "O'Brien"],
    ["O\\'Brien", "O'Brien"],
    ['M\\u00fcller', 'Müller'],
    ['M&uuml;ller &amp; Co', 'Müller & Co'],
    ['a&amp;amp;b', 'a&amp;b'],
  ])('is decoded once: %s', (sent, meant) => expect(decodeOnce(sent)).toBe(meant));

  it.each([
    '{{a}} {{b}}',
    '{{ contact.first_name }} {{ contact.last_name }}',
    '[your-name]',
    '{Name:1}',
    '%name%',
    '\u0024{name}',
    '*|FNAME|*',
    '<%= name %>',
    'undefined undefined',
    'NaN-NaN-NaN',
    '#NAME?',
    '#¿NOMBRE?',
    '#SAYI/0!',
    '#N/D',
    'Err:508',
    '{% name %}',
    '{{name | default: ""}}',
    '########',
    '\\N',
    '[object Object]',
    'null',
    'undefinedundefined',
  ])('is none: %s', (text) => expect(isUnfilled(text)).toBe(true));

  it.each([
    ...[
      'JÃ¶rg MÃ¼ller',
      'à¦°à¦¹à¦¿à¦®',
      'Ann \ufffd',
      '\u00ef\u00bb\u00bfAnn',
      'Ă–zgĂĽr',
      'РђРЅРЅР°',
      'ط£ط\u00adظ…ط¯',
      'ОњО±ПЃО№О±',
    ],
  ])('is damaged: %s', (text) => expect(kindOf(readText(text))).toBe('unclear'));

  it.each(['PÓŁTORAK', 'Юлія', 'ТІЛІ', 'أحمد', 'Γιώργος', 'Żółć', 'Nguyễn', 'DĂSCĂLESCU'])(
    'is no other code page: %s',
    (text) => expect(kindOf(readText(text))).toBe('value'),
  );

  it.each(['SÃO JOÃO', 'Ann [VIP]', '50% off', 'Null Smith', 'See [1]', 'Zoë Æ Ø', '“x” – y’s', 'Œuvre'])(
    'stands as it is: %s',
    (text) => expect(readText(text)).toEqual({ kind: 'value', value: text }),
  );

  it.each(['🇧🇩', '👨‍👩‍👧', '❤️', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'ক্‌ষ'])(
    'keeps %s',
    (text) => expect(withoutHidden(text)).toBe(text),
  );

  it('loses only what cannot be seen', () => {
    expect(withoutHidden('pain\u200b since\vMonday \u2066+880\u2069')).toBe('pain since\nMonday +880');
  });
});

describe('a phone number', () => {
  it.each([
    ...[
      ['tel:+8801714350008', '+8801714350008'],
      ['p:+8801714350006', '+8801714350006'],
      ["'01714350008", '01714350008'],
    ],
    ...[
      ['https://wa.me/8801714350008', '8801714350008'],
      ['%2B8801714350008', '+8801714350008'],
      ['="0171"', '0171'],
    ],
    ...[
      ['8801714350008.0', '8801714350008'],
      ['8.801714350008E+12', '8801714350008'],
      ['+1\ufe0d-555-0123', '+1-555-0123'],
    ],
    ...[
      ['Mobile: +880 1714', '+880 1714'],
      ['callto:+8801714', '+8801714'],
      ['=+8801714350008', '+8801714350008'],
      ['1,714,350,008', '1714350008'],
      ['https://wa.me/+8801714350008?text=hi', '+8801714350008'],
      ['https://t.me/+8801714350008', '+8801714350008'],
      ['viber://chat?number=%2B8801714350008', '+8801714350008'],
      ['tel://+8801714350008', '+8801714350008'],
      ['+8801714350008 x12', '+8801714350008 x12'],
      ['030/1234567', '030/1234567'],
    ],
  ])('is read from %s', (text, number) => expect(readPhone(text)).toEqual({ kind: 'value', value: number }));

  it.each(['+88O1711000000', '01711-OOO000', 'l711000000'])(
    'with a letter for a digit is unclear: %s',
    (text) => expect(kindOf(readPhone(text))).toBe('unclear'),
  );

  it.each([
    ...[
      '01714-44XXXX',
      '01714 44 50 0*',
      '+880171444500?',
      '01714••••00',
      '+8801714445000#REF!',
      '0000000000',
    ],
    ...[
      '+8801714445000+8801714445001',
      '880171444500012345678',
      '2027-03-04',
      '2027-03-04T10:30',
      '12/30/1899',
      '10:30:00',
    ],
  ])('that is none, or not all of one, is unclear: %s', (text) =>
    expect(kindOf(readPhone(text))).toBe('unclear'),
  );

  it('that was rounded is unclear', () => expect(kindOf(readPhone('8.80171E+12'))).toBe('unclear'));

  it.each([
    [{ country: '44', area: '20', phone: '7946 0018' }, '+44 20 7946 0018'],
    [{ countryCode: '+44', number: '7911 123456' }, '+44 7911 123456'],
    [{ country: 'GB', number: '7911 123456' }, '+44 7911 123456'],
    [{ code: '+44', number: '7911 123456' }, '+44 7911 123456'],
    [{ dialCode: 44, nationalNumber: '7911 123456' }, '+44 7911 123456'],
    [{ phone: '020 7946 0018', ext: '5' }, '020 7946 0018 ext. 5'],
    [{ national: '07911 123456', international: '+44 7911 123456' }, '+44 7911 123456'],
  ])('in parts has its country in front: %o', (parts, number) =>
    expect(phoneInParts(parts)).toEqual({ kind: 'value', value: number }),
  );

  it('in parts is unclear if there are several', () => {
    expect(kindOf(phoneInParts({ phone: '01711 111111', number: '01722 222222' }))).toBe('unclear');
    expect(kindOf(phoneInParts({ phone: '01711 111111', mobile: '01722 222222' }))).toBe('unclear');
  });

  it('never has a digit that was not written, and is read again as itself', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'+0123456789.eE tel:"=@'), maxLength: 20 }),
        (text) => {
          const read = readPhone(text);
          const digits = read.kind === 'value' ? read.value.replace(/\D/g, '') : '';
          expect(text.replace(/\D/g, '')).toContain(digits);
          if (digits.length > 4 && read.kind === 'value') expect(readPhone(read.value)).toEqual(read);
        },
      ),
      runs,
    );
  });
});

describe('a time beside a date', () => {
  const at = (time: string) =>
    readSlot({ date: { text: '2027-03-04' }, time: { text: time } }, 'Asia/Dhaka').time;

  it.each(['10:30+06:00', '10:30 (GMT+6)', '10:30 Asia/Dhaka'])(
    'is the clinic’s by its own clock: %s',
    (text) => expect(at(text)).toBe('10:30'),
  );
  it.each(['10:30Z', '10:30-05:00', '10:30 Asia/Kolkata', '10:30 CET'])(
    'is not guessed by another: %s',
    (text) => expect(at(text)).toBeUndefined(),
  );
});

it.each([
  [{ year: 2027, month: '3', day: 4 }, '2027-03-04'],
  [{ hour: 9, minute: 5, ampm: 'PM' }, '09:05 PM'],
  [
    { date: '2027-03-04 00:00:00.000000', timezone_type: 3, timezone: 'Asia/Dhaka' },
    '2027-03-04 00:00:00.000000 Asia/Dhaka',
  ],
  [{ $date: '2027-03-04T04:30:00Z' }, '2027-03-04T04:30:00Z'],
  [{ colour: 'red' }, undefined],
])('reads the parts of a date or time in %o', (parts, text) => expect(whenInParts(parts)).toBe(text));

it.each([
  [{ prefix: null, firstName: 'Ann', lastName: 'Lee', name: null, isMultiple: true }, 'Ann Lee'],
  [{ first: 'Ann', last: 'Lee', full: 'Ann Lee' }, 'Ann Lee'],
  [{ name: 'Ann Lee', title: 'Ms.' }, 'Ann Lee'],
  [{ first: 'Ann', last: 'Ann Lee' }, 'Ann Lee'],
  [{ first: 'Ann Lee', last: 'Lee' }, 'Ann Lee'],
  [{ fname: 'Ann', lname: 'Lee' }, 'Ann Lee'],
  [{ vorname: 'Ann', nachname: 'Annesley' }, 'Ann Annesley'],
  [{ colour: 'red' }, undefined],
])('reads the parts of a name in %o', (parts, name) => expect(nameInParts(parts)).toBe(name));

describe('a name', () => {
  it.each([
    ...[
      '@Name',
      ':name',
      '$Name$',
      '__NAME__',
      '%(name)s',
      '«Name»',
      '$(name)',
      '||name||',
      '##name##',
      '&name;',
    ],
    ...[
      'ann@example.com',
      'Ann_Lee',
      'Ann+Lee',
      'Ann%20Lee',
      'M=C3=BCller',
      'M√ºller',
      '<b>Ann</b>',
      'String[]',
    ],
    ...[
      'N/A',
      'N/A N/A',
      '(none)',
      'not provided',
      'true',
      'Array',
      'Your name',
      'Please select',
      'No data',
      'Loading…',
      'TypeError: x',
      'M├╝ller',
      '12345',
      '—',
    ],
    ...['//name', '// Ann Lee', '/Ann', '/* Ann */', 'Ann Lee // old', '-- Ann', 'Ann -- old', ';Ann'],
    ...['!Ann', "'//name", '(-Ann', '- Ann', '.name', ',Ann Lee', '?name', '*Ann*', 'Lee; Ann', '"/name"'],
  ])('is in doubt as %s', (text) => expect(doubtOfName(text)).toBeDefined());

  it.each([
    ...[
      'O’Neil-Smith',
      'D`Souza',
      'Ravi a/l Kumar',
      'Ann & Bob Lee',
      'Ann + child',
      'Ann "Annie" Lee',
      'Dr. Lee, DDS',
    ],
    ...[
      'Ann Lee (2)',
      'Ann Lee [child]',
      'Zoë 🦷♥',
      '李小龍',
      'محمد علي',
      'আনিকা',
      'John 3rd',
      'True Love',
      'Patient: Ann',
    ],
    ...[
      "'t Hooft",
      '"Annie" Lee',
      '(Ann) Lee',
      '🦷 Ann',
      '🇧🇩 Ann',
      '‘Abd al-Rahman',
      'c/o Ann Lee',
      '1. Ann Lee',
    ],
    ...['Ann Lee - son', 'Lee, Ann', 'Ann Lee!', 'Ann Lee-', '“Bob” Roy', 'ʻAkau'],
  ])('is fine as %s', (text) => expect(doubtOfName(text)).toBeUndefined());
});

it.each([
  ['No preference', true],
  ['— Select —', true],
  ['Please choose…', true],
  ['Keine Präferenz', true],
  ['-', true],
  ['Anya', false],
  ['Dr. Any Lee', false],
  ...[
    'Any dentist (no preference)',
    'No specific dentist',
    "I don't mind",
    'any provider',
    'যে কোনো',
    'Not sure',
  ].map((text): [string, boolean] => [text, true]),
  ['Anyelina Ruiz', false],
  ['Dr. Any', false],
])('knows whether a menu was answered: %s', (text, isNone) => expect(isNoChoice(text)).toBe(isNone));

it('compares dentists without titles, stops and accents', () => {
  expect(choiceKey('Dr O’Neil')).toBe(choiceKey("Dr. O'Neil"));
  expect(choiceKey('Prof. Dr. Müller')).toBe(choiceKey('Muller'));
});

it.each([
  ['status', 'Cancelled by patient', true],
  ['status', 'storniert', true],
  ['status', 'Annulé', true],
  ['state', 'Texas', false],
  ['status', 'Confirmed', false],
  ['canceled_at', '2027-01-01', true],
  ['canceled', 'false', false],
  ...[
    ['Reservation status', 'no_show'],
    ['Termin-Status', 'Storniert'],
    ['Buchungsstatus', 'abgelehnt'],
    ['Estado de la cita', 'reprogramada'],
    ['Statut du rendez-vous', 'refusé'],
    ['appointmentStatus', 'REJECTED'],
    ['status', 'Rescheduled'],
    ['Durumu', 'Süresi doldu'],
    ['cancelledBy', 'patient'],
    ['cancellation_reason', 'ill'],
  ].map(([key = '', text = '']): [string, string, boolean] => [key, text, true]),
  ['cancellation_policy_accepted', 'yes', false],
  ['cancellation_reason', 'N/A', false],
  ['Marital status', 'Single', false],
  ['status', 'Completed', false],
])('knows from %s “%s” whether a visit is off', (key, text, isOff) => expect(saysOff(key, text)).toBe(isOff));

describe('a date or time with several readings', () => {
  const setting = (format: string) => `set ${format}`;
  it.each([
    ['03/04/2027', 'The date can be read as DD/MM/YYYY or as MM/DD/YYYY, and nothing is guessed'],
    ['03.04.27', 'The date can be read as DD.MM.YYYY or as MM.DD.YYYY'],
    ['25/03/2027 10:30', 'The date is written as DD/MM/YYYY HH:mm, which is not read'],
    ['9.30', 'The date is written as H.mm'],
    ['0930', 'set HHmm'],
  ])('says what can be set for %s', (text, sentence) =>
    expect(unreadWhen('date', text, setting)).toContain(sentence),
  );

  it.each(['tomorrow', '2027-03-04', '27-03-04', '1/2', ''])('promises nothing for %s', (text) =>
    expect(unreadWhen('date', text, setting)).toBeUndefined(),
  );
});

describe('a configured format', () => {
  it.each([
    ['04-Mai-2027', 'DD-MMM-YYYY', '2027-05-04'],
    ['4 de março de 2027', 'D [de] MMMM [de] YYYY', '2027-03-04'],
    ['4 Şubat 2027', 'D MMMM YYYY', '2027-02-04'],
    ['jeudi 4 mars 2027', 'dddd D MMMM YYYY', '2027-03-04'],
    ['4 كانون الثاني 2027', 'D MMMM YYYY', '2027-01-04'],
    ['03/04/27', 'DD/MM/YYYY', '2027-04-03'],
    ['04032027', 'DDMMYYYY', '2027-03-04'],
  ])('reads %s as %s', (text, format, date) => expect(readFormat(text, format)).toEqual({ date }));

  it.each([
    ['lundi 4 mars 2027', 'dddd D MMMM YYYY', {}],
    ['4 marras 2027', 'D MMMM YYYY', {}],
    ['27/03/04', 'YYYY/MM/DD', undefined],
    ['4032027', 'DDMMYYYY', undefined],
  ])('does not guess what %s is as %s', (text, format, read) =>
    expect(readFormat(text, format)).toEqual(read),
  );
});
