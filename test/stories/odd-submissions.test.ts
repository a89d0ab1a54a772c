import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type FormSite, startFormSite } from '../support/forms/form-site.ts';
import { formToken } from '../support/forms/web-form.ts';

const bearer = { authorization: `Bearer ${formToken}` };
const contactForm = { preset: 'contact-form-7', token: formToken };
let phones = 0;
/** Nobody else's number, so that no two rows of a table are one patient. */
const newPhone = () => {
  phones += 1;
  return `01712-${String(phones).padStart(6, '0')}`;
};
/** Another patient at another time: the same name for the same time would be asked about. */
const lead = () => {
  const phone = newPhone();
  return {
    'your-name': `Ann Lee ${phones}`,
    'your-tel': phone,
    'your-date': '2026-04-03',
    'your-time': `1${Math.floor(phones / 60) % 6}:${String(phones % 60).padStart(2, '0')}`,
  };
};

async function send(
  site: FormSite,
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  const answer = await fetch(`${site.http.url}/in/website`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { ...bearer, ...headers },
  });
  const { ref } = (await answer.json()) as { ref?: string };
  const booking = ref === undefined ? undefined : await site.booking(ref);
  return { status: answer.status, booking };
}

/** What each row becomes: the text that would be sent to the clinic, or why a person is asked. */
async function become<Row>(
  rows: readonly Row[],
  bodyOf: (row: Row) => Record<string, unknown>,
  field: 'appointment_date' | 'appointment_time' | 'patient_name' | 'patient_phone',
): Promise<[Row, string][]> {
  await using site = await startFormSite(contactForm);
  const results: [Row, string][] = [];
  for (const row of rows) {
    const { status, booking } = await send(site, JSON.stringify({ ...lead(), ...bodyOf(row) }));
    if (booking === undefined) results.push([row, `lost: ${status}`]);
    else if (booking.state === 'held') results.push([row, `held: ${booking.reason}`]);
    else results.push([row, String(booking[field])]);
  }
  return results;
}

/** A writing without an expectation is held. */
type Table = readonly (readonly [sent: unknown, becomes?: string])[];
const expected = (table: Table) => table.map(([sent, becomes = 'held: invalid_field']) => [sent, becomes]);

const dates: Table = [
  ...[
    '2026-4-3',
    '2026/04/03',
    '２０２６-０４-０３',
    '2026-04-03T00:00:00Z',
    '3 April 2026',
    'April 3, 2026',
    'Fri 3 Apr 2026',
    '٢٠٢٦-٠٤-٠٣',
    '২০২৬/০৪/০৩',
    '\u200f٢٠٢٦-٠٤-٠٣',
  ].map((text): [string, string] => [text, '2026-04-03']),
  ['3/4/2026'],
  ['03/04/2026'],
  ['13/04/2026'],
  ['04-13-2026'],
  ['3.4.2026'],
  ['٠٣/٠٤/٢٠٢٦'],
  ['Mon 3 Apr 2026'],
  ['3 avril 2026', '2026-04-03'],
  ['3. April 2026', '2026-04-03'],
  ['3 de abril de 2026', '2026-04-03'],
  ['2026. 4. 3.', '2026-04-03'],
  ['2026年4月3日', '2026-04-03'],
  ['2026-Apr-03 (Fri)', '2026-04-03'],
  ['2026-04-02T18:00:00Z', '2026-04-03'],
  ['{{date}}'],
  ['undefined'],
  ['tomorrow'],
  ['next Monday'],
  ['2026-02-30'],
  ['03/04/26'],
  ['26-04-03'],
  ['20260403'],
  ['1775174400'],
  [46_115],
  ['2026-W14-5'],
  ['2026-04-03 - 2026-04-05'],
  [['2026-04-03', '2026-04-04']],
  [{ year: 2026, month: 4, day: 3 }, '2026-04-03'],
  [{ day: '3', month: '4', year: '26' }],
  ['2026-04-03T20:00:00Z'],
  ['1447-10-15'],
  ['2569-04-03'],
  ['', 'held: missing_field'],
];

const times: Table = [
  ['3:30 pm', '15:30'],
  ['15:30:00', '15:30'],
  ['3 PM', '15:00'],
  ['3.30pm', '15:30'],
  ['১৫:৩০', '15:30'],
  ['12:00 PM', '12:00'],
  ['12:00 AM', '00:00'],
  ['15h30', '15:30'],
  ['15:30 Uhr', '15:30'],
  ['3:30 p. m.', '15:30'],
  ['오후 3:30', '15:30'],
  ['15:30–16:00', '15:30'],
  ['1899-12-30T15:30:00', '15:30'],
  ['1970-01-01T15:30:00Z'],
  ['2026-04-04 15:30'],
  ['3:30 - 4 PM'],
  ['1530'],
  ['15.30'],
  ['3'],
  [3],
  ['24:00'],
  ['25:00'],
  ['15:30:45'],
  ['15:30Z'],
  ['00:30 PM'],
  ['10:30-11:00', '10:30'],
  ['morning'],
  [['10:30', '15:30']],
  [{ hour: '3', minutes: '30', ampm: 'PM' }, '15:30'],
  [{ from: '10:30', to: '11:00' }],
];

const names: Table = [
  ['Ann 🦷 Lee', 'Ann 🦷 Lee'],
  ["Robert'); DROP TABLE bookings;--"],
  ['<b>Ann</b>'],
  ['=HYPERLINK("https://x.example")'],
  ['@Name'],
  ['N/A'],
  ['আয়েশা বেগম', 'আয়েশা বেগম'],
  [['Ann Lee'], 'Ann Lee'],
  [{ first: 'Ann', last: 'Lee' }, 'Ann Lee'],
  ['O&#039;Brien', "O'Brien"],
  ['{{name}}'],
  ['[your-name]'],
  ['Ann undefined'],
  ['null Lee'],
  ['Christopher Null', 'Christopher Null'],
  ['Ann\u00adLee'],
  ['JÃ¶rg MÃ¼ller'],
  [{ first: 'Bob', isMultiple: true, prefix: null }, 'Bob'],
  ['Ann\u0000Lee'],
  ['x'.repeat(300)],
  [['Ann Lee', 'I agree']],
  [true],
  ['...'],
  ['Ann\nLee'],
  ['Ann\u202egnp.exe'],
  ['Ann\u2066Lee'],
  ['Ann \u200dLee'],
  ['Ann \uFFFD Lee'],
  ['', 'held: missing_field'],
];

const phoneNumbers: Table = [
  ['+880 1812-345678', '+880 1812-345678'],
  ['০১৮১২-৩৪৫৬৭৯', '০১৮১২-৩৪৫৬৭৯'],
  ['tel:+8801812345670', '+8801812345670'],
  ['+880 1812 345671 ext 5', '+880 1812 345671 ext 5'],
  ['01812345672 / 01912345673', '01812345672 / 01912345673'],
  ['\u202a+880 1812-345674\u202c', '+880 1812-345674'],
  [8801812345675, '8801812345675'],
  ['tel:+8801812345681', '+8801812345681'],
  ['8801812345682.0', '8801812345682'],
  ['+880\u200b1812345683', '+8801812345683'],
  [{ country: '44', area: '20', phone: '7946 0018' }, '+44 20 7946 0018'],
  ['call me'],
  ['ann19901205@mail.example'],
  ['123'],
  ['<script>alert(1)</script>'],
  ['1-800-DENTIST'],
  ['8.80171E+12'],
  [1.712345678e21],
  [['01812-345676', '01912-345677']],
];

/** Each with the status of its answer, and the state of what it became. */
const bodies: readonly (readonly [what: string, body: string | Buffer, type: string, becomes: string])[] = [
  ['a byte order mark', `\uFEFF${JSON.stringify(lead())}`, 'application/json', '200 queued'],
  ['no content type', Buffer.from(JSON.stringify(lead())), '', '200 queued'],
  ['JSON that curl calls a form', JSON.stringify(lead()), 'application/x-www-form-urlencoded', '200 queued'],
  [
    'UTF-16, declared',
    Buffer.from(JSON.stringify(lead()), 'utf16le'),
    'application/json; charset=utf-16le',
    '200 queued',
  ],
  ['__proto__', `{"__proto__":{"x":1},${JSON.stringify(lead()).slice(1)}`, 'application/json', '200 queued'],
  [
    '2,000 levels',
    `{"your-message":${'['.repeat(2_000)}${']'.repeat(2_000)},${JSON.stringify(lead()).slice(1)}`,
    'application/json',
    '200 queued',
  ],
  ['an empty object', '{}', 'application/json', '200 held'],
  [
    'a note of 60 kB',
    JSON.stringify({ ...lead(), 'your-message': 'x'.repeat(60_000) }),
    'application/json',
    '200 held',
  ],
  [
    'a field twice in a form',
    `${new URLSearchParams(lead())}&your-date=2026-04-04`,
    'application/x-www-form-urlencoded',
    '200 held',
  ],
  ['broken JSON as text', '{"your-name":"Ann "Annie" Lee"}', 'text/plain', '200 held'],
  [
    'broken JSON that curl calls a form',
    '{"your-name":"Ann',
    'application/x-www-form-urlencoded',
    '200 held',
  ],
  ['an array', '[]', 'application/json', '200 held'],
  ['an array of one', `[${JSON.stringify(lead())}]`, 'application/json', '200 queued'],
  ['a string', '"Ann"', 'application/json', '200 held'],
  ['JSON in a string', JSON.stringify(JSON.stringify(lead())), 'application/json', '200 queued'],
  [
    'an unencoded &',
    `${new URLSearchParams(lead())}&your-message=pain & swelling`,
    'application/x-www-form-urlencoded',
    '200 held',
  ],
  ['null', 'null', 'application/json', '200 held'],
  ['nothing', '', 'application/json', '400'],
  ['cut JSON', '{"your-name":"An', 'application/json', '200 held'],
  ['UTF-16, not declared', Buffer.from(JSON.stringify(lead()), 'utf16le'), 'application/json', '200 held'],
  ['XML', '<lead/>', 'application/xml', '200 held'],
  ['70 kB', JSON.stringify({ ...lead(), 'your-message': 'x'.repeat(70_000) }), 'application/json', '413'],
];

describe('an odd submission', () => {
  it.each([
    ['dates', dates, 'your-date', 'appointment_date'],
    ['times', times, 'your-time', 'appointment_time'],
    ['names', names, 'your-name', 'patient_name'],
    ['phone numbers', phoneNumbers, 'your-tel', 'patient_phone'],
  ] as const)('is booked right or waits for a person: %s', async (_what, table, name, field) => {
    const rows = table.map(([sent]) => sent);

    const results = await become(rows, (sent) => ({ [name]: sent }), field);

    expect(results).toEqual(expected(table));
  });

  it('is stored, or refused with a reason before anything is promised: bodies', async () => {
    await using site = await startFormSite(contactForm);

    const results: string[][] = [];
    for (const [what, body, type] of bodies) {
      const { status, booking } = await send(site, body, type === '' ? {} : { 'content-type': type });
      results.push([what, [status, booking?.state].filter(Boolean).join(' ')]);
    }

    expect(results).toEqual(bodies.map(([what, , , becomes]) => [what, becomes]));
    expect(await site.bookings()).toHaveLength(
      bodies.filter(([, , , becomes]) => becomes.startsWith('200')).length,
    );
  });

  it('that is compressed is refused with a sentence', async () => {
    await using site = await startFormSite(contactForm);

    const { status } = await send(site, gzipSync(JSON.stringify(lead())), {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    });

    expect(status).toBe(415);
    expect(await site.bookings()).toEqual([]);
  });
});
