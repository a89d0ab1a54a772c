import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { zip } from '../../../src/reports/workbook/zip.ts';
import { openInbox } from '../../../test/support/csv/inbox.ts';
import { sha256 } from '../files.ts';

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** Formats of numbers, of the styles from 5 on. */
const phones = [
  '00000000000',
  '0000\\-0000000',
  '&quot;+&quot;0',
  '[&lt;=9999999]###\\-####;\\(###\\)\\ ###\\-####',
  '#,##0.00',
  '00000 000000;@',
  '[$-845]0#########',
];

/** A workbook as Excel writes it, with these rows of cells in its first sheet, and what other sheets it has. */
async function workbook(
  rows: readonly string[],
  others: readonly string[] = [],
  formats: readonly string[] = phones,
): Promise<Buffer> {
  const sheets = [rows.join(''), ...others];
  const parts: Record<string, string> = {
    'xl/workbook.xml':
      `<workbook ${main}><workbookPr/><sheets>` +
      `${sheets.map((_, n) => `<sheet name="S${n}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`).join('')}</sheets>` +
      '</workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships>' +
      `${sheets.map((_, n) => `<Relationship Id="rId${n + 1}" Target="worksheets/sheet${n + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/sharedStrings.xml':
      `<sst ${main}><si><t>Ann &amp; Bob</t></si><si><r><t xml:space="preserve">Jörg </t></r><r><rPr><b/></rPr>` +
      '<t>Müller</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si></sst>',
    'xl/styles.xml':
      `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="[$-407]d\\. mmm\\ yyyy;@"/>` +
      `${formats.map((code, n) => `<numFmt numFmtId="${170 + n}" formatCode="${code}"/>`).join('')}</numFmts>` +
      '<cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>' +
      '<xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="22"/>' +
      `${formats.map((_, n) => `<xf numFmtId="${170 + n}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map((data, n) => [
        `xl/worksheets/sheet${n + 1}.xml`,
        `<worksheet ${main}><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
  };
  const chunks: Buffer[] = [];
  for await (const chunk of zip(
    Object.entries(parts).map(([name, text]): [string, Buffer[]] => [name, [Buffer.from(xml + text)]]),
  ))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

const text = (...cells: string[]) =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;
const header = text('name', 'phone', 'date', 'time');

it('books the rows of a workbook, and keeps the file that they were read from', async () => {
  const { take, desk, names, read } = await openInbox();

  await take(
    'leads.xlsx',
    await workbook([
      header,
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>8801714350041</v></c><c r="C2" s="1"><v>46450</v>' +
        '</c><c r="D2" s="2"><v>0.4375</v></c></row>',
      '<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" t="str"><f>A1</f><v>01714350042</v></c>' +
        '<c r="C4" s="3"><v>46451</v></c><c r="D4" t="e"><v>#N/A</v></c></row>',
      '<row r="5"><c r="A5" t="inlineStr"><is><t>Cy Fox</t></is></c><c r="B5"><v>1.714350043E9</v></c>' +
        '<c r="C5" s="4"><v>46452.4375</v></c></row>',
    ]),
  );

  expect(desk.submissions.map(({ fields }) => fields)).toMatchObject([
    {
      patient_name: 'Ann & Bob',
      patient_phone: '8801714350041',
      appointment_date: '2027-03-04',
      appointment_time: '10:30',
    },
    {
      patient_name: 'Jörg Müller',
      patient_phone: '01714350042',
      appointment_date: '2027-03-05',
      appointment_time: '#N/A',
    },
    {
      patient_name: 'Cy Fox',
      patient_phone: '1714350043',
      appointment_date: '2027-03-06',
      appointment_time: '10:30',
    },
  ]);
  expect(await names('done')).toEqual(['leads.csv']);
  expect(await read('done/leads.csv')).toContain('"Jörg Müller"');
});

it.each([
  [5, '1714350041', '01714350041'],
  [5, '8801714350041', '8801714350041'],
  [6, '1714350041', '0171-4350041'],
  [7, '8801714350041', '+8801714350041'],
  [8, '4155550142', '(415) 555-0142'],
  [8, '5550142', '555-0142'],
  [9, '1714350041', '1714350041'],
  [10, '1714350041', '01714 350041'],
  [11, '171435004', '0171435004'],
])('reads a number of format %i as people see it: %s', async (style, value, shown) => {
  const { take, desk } = await openInbox();
  const row =
    `<row r="2"><c r="A2" t="inlineStr"><is><t>Ann Lee</t></is></c><c r="B2" s="${style}"><v>${value}</v></c>` +
    '</row>';

  await take('leads.xlsx', await workbook([header, row]));

  expect(desk.submissions[0]?.fields.patient_phone).toBe(shown);
});

it('refuses a workbook without a column for phones as what it is', async () => {
  const { take, names, read } = await openInbox();

  await take(
    'leads.xlsx',
    await workbook([text('name', 'date', 'time'), text('Ann', '2027-03-04', '10:30')]),
  );

  expect(await names('failed')).toEqual(['leads.error.txt', 'leads.xlsx']);
  expect(await read('failed/leads.error.txt')).toContain('No column for the phone number');
  expect(await read('results/leads.results.csv')).toContain('refused');
});

it('gives a refused file and a refused workbook of one name a reason each', async () => {
  const { take, names } = await openInbox();
  await take('leads.csv', 'Name\nAnn\n');

  await take('leads.xlsx', (await leads()).subarray(0, 300));

  expect(await names('failed')).toEqual([
    'leads-2.error.txt',
    'leads-2.xlsx',
    'leads.csv',
    'leads.error.txt',
  ]);
});

it.each([
  [['name', 'phone', 'date', 'time', '', 'name', 'phone', 'date', 'time']],
  [['First name', 'Phone', 'date', 'time', 'First Name', 'phone']],
])('refuses two tables side by side: %j', async (columns) => {
  const { take, desk, read } = await openInbox();

  await take(
    'leads.xlsx',
    await workbook([
      text(...columns),
      text('Ann', '01714350041', '2027-03-04', '10:30', '', 'Bob', '01714350042', '2027-03-05', '11:00'),
    ]),
  );

  expect(desk.submissions).toEqual([]);
  expect(await read('failed/leads.error.txt')).toContain('two tables stand side by side');
});

it('takes the only sheet with the columns of bookings', async () => {
  const { take, desk } = await openInbox();

  await take(
    'leads.xlsx',
    await workbook([text('About this file')], [header + text('Ann', '017', '2027-03-04', '10:30')]),
  );

  expect(desk.submissions).toHaveLength(1);
});

it.each([
  ['rows without a header', text('Bob', '01714350042', '2027-03-04', '11:00')],
  ['a header of its own', text('Patient', 'Contact', 'Day') + text('Bob', '+880 1714-350042', '4 March')],
])('refuses a workbook of which a second sheet has people in %s', async (_, other) => {
  const { take, desk, names } = await openInbox();

  await take('leads.xlsx', await workbook([header, text('Ann', '017', '2027-03-04', '10:30')], [other]));

  expect(desk.submissions).toEqual([]);
  expect(await names('failed')).toEqual(['leads.error.txt', 'leads.xlsx']);
});

it('books beside a sheet of prices', async () => {
  const { take, desk } = await openInbox();
  const prices = text('Treatment', 'Fee', 'Since') + text('Scaling', '800.00', '2027-03-04');

  await take('leads.xlsx', await workbook([header, text('Ann', '017', '2027-03-04', '10:30')], [prices]));

  expect(desk.submissions).toHaveLength(1);
});

const leads = () => workbook([header, text('Ann', '01714350041', '2027-03-04', '10:30')]);
const cuts: [string, (bytes: Buffer) => Buffer][] = [
  ['cut in the middle', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['cut before its last bytes', (bytes) => bytes.subarray(0, -3)],
  ['zeros at its end', (bytes) => Buffer.from(bytes).fill(0, 500)],
  ['zeros at its start', (bytes) => Buffer.from(bytes).fill(0, 0, 500)],
  ['nothing but zeros', (bytes) => Buffer.alloc(bytes.length)],
];

it.each(cuts)('takes back the refusal of an earlier state of a workbook: %s', async (_what, cut) => {
  const { take, desk, names, converge } = await openInbox();
  const whole = await leads();
  await take('leads.xlsx', cut(whole));
  const early = await names('failed');

  await take('leads (1).xlsx', whole);
  const { problems } = await converge();

  expect(early).toEqual(['leads.error.txt', 'leads.xlsx']);
  expect(desk.bookings).toHaveLength(1);
  expect([await names('failed'), problems]).toEqual([[], []]);
});

it.each(cuts.slice(0, 3))(
  'reads a workbook whose writer goes on after it was refused: %s',
  async (_, cut) => {
    const { take, desk, names, inbox, settle } = await openInbox();
    const whole = await leads();
    await take('leads.xlsx', cut(whole));

    await writeFile(join(inbox, 'failed/leads.xlsx'), whole);
    await settle();

    expect(desk.bookings).toHaveLength(1);
    expect([await names('failed'), await names('done')]).toEqual([[], ['leads.csv']]);
  },
);

it('keeps the refusal of a workbook that is not in the next one of its name', async () => {
  const { take, names } = await openInbox();
  const other = await workbook([header, text('Bob', '01714350042', '2027-03-05', '11:30')]);
  await take('leads.xlsx', other.subarray(0, -3));

  await take('leads.xlsx', await leads());

  expect(await names('failed')).toEqual(['leads.error.txt', 'leads.xlsx']);
});

it('takes back all refusals of a name, numbered ones too', async () => {
  const { take, names } = await openInbox();
  const whole = await leads();
  for (const length of [200, 400, 600]) await take('leads.xlsx', whole.subarray(0, length));
  const early = await names('failed');

  await take('leads.xlsx', whole);

  expect(early).toHaveLength(6);
  expect(await names('failed')).toEqual([]);
});

it('reads a workbook that has the name of a CSV file, and no archive of another kind', async () => {
  const { take, desk, names } = await openInbox();

  await take('leads.csv', await leads());
  const chunks: Buffer[] = [];
  for await (const chunk of zip([['leads.csv', [Buffer.from('Name,Phone\nAnn,017\n')]]])) chunks.push(chunk);
  await take('archive.csv', Buffer.concat(chunks));

  expect(desk.bookings).toHaveLength(1);
  expect(await names('failed')).toEqual(['archive.csv', 'archive.error.txt']);
});

it.each([
  ['has bookings in two sheets', () => workbook([header], [header])],
  ['is cut', async () => (await workbook([header])).subarray(0, 300)],
  ['is an old one', async () => Buffer.from('d0cf11e0a1b11ae1', 'hex')],
])('says how to save one that %s', async (_what, make) => {
  const { take, desk, names, read } = await openInbox();

  await take('leads.xlsx', await make());

  expect(desk.submissions).toEqual([]);
  expect(await names('failed')).toEqual(['leads.error.txt', 'leads.xlsx']);
  expect(await read('failed/leads.error.txt')).toContain('Save each sheet as “CSV UTF-8”');
});

it.each([
  ['in one sheet', 1, 17 * 2 ** 20],
  ['in many, each of which is small', 20, 2 ** 20],
])('refuses a workbook that unpacks to more than memory has room for, %s', async (_, sheets, size) => {
  const { take, inbox } = await openInbox();
  const large = text('x'.repeat(size));

  await take(
    'leads.xlsx',
    await workbook(
      [header, large],
      Array.from({ length: sheets - 1 }, () => large),
    ),
  );

  expect(await readdir(join(inbox, 'failed'))).toContainEqual(expect.stringMatching(/^leads/));
});

const short = '<row><c t="inlineStr"><is><t>x</t></is></c></row>';
const bombs: [string, () => Promise<Buffer>][] = [
  ['cells far to the right', () => workbook(['<row><c r="ALK1"><v>1</v></c></row>'.repeat(10_000)])],
  ['a row far below', () => workbook([header, '<row r="200001"><c r="A200001"><v>1</v></c></row>'])],
  ['rows in many sheets', () => workbook([header], Array(3).fill('<row r="99999"><c><v>1</v></c></row>'))],
  ['many sheets', () => workbook([header], Array(250).fill(short))],
  ['formats of numbers', () => workbook([header], [], Array(3_000).fill('0;'.repeat(120)))],
];

it.each(bombs)('refuses a small workbook that makes much of little: %s', async (_what, make) => {
  const { take, names } = await openInbox();

  await take('leads.xlsx', await make());

  expect(await names('failed')).toEqual(['leads.error.txt', 'leads.xlsx']);
});

it('books nothing of a workbook of which a bit changed on the way', async () => {
  const { take, desk, names } = await openInbox();
  const bytes = await leads();
  const checksum = bytes.indexOf('PK\u0001\u0002') + 16;
  bytes.writeUInt8(bytes.readUInt8(checksum) ^ 1, checksum);

  await take('leads.xlsx', bytes);

  expect(desk.submissions).toEqual([]);
  expect(await names('failed')).toEqual(['leads.error.txt', 'leads.xlsx']);
});

it('reads a workbook whose rows without text go on to the last one', async () => {
  const { take, desk } = await openInbox();

  await take(
    'leads.xlsx',
    await workbook([
      header,
      text('Ann', '01714350041', '2027-03-04', '10:30'),
      '<row r="1048576"><c r="A1048576" s="1"/></row>',
    ]),
  );

  expect(desk.submissions).toHaveLength(1);
});

it('refuses a workbook during which the process died twice', async () => {
  const { take, desk, names } = await openInbox();
  const bytes = await leads();
  await desk.memory.set({ [`attempt:${sha256(bytes)}`]: '2' });

  await take('leads.xlsx', bytes);

  expect(desk.submissions).toEqual([]);
  expect(await names('failed')).toEqual(['leads.error.txt', 'leads.xlsx']);
});
