import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { type Language, languages, loadTexts } from '../../src/texts/texts.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { dentistRow, sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';
import { at } from '../../test/support/sheets/office.ts';
import { type TabKey, tabKeys } from './settings.ts';
import { AS_OF } from './sheet/tab-spec.ts';
import { layoutOf } from './tabs/columns.ts';

beforeAll(() => Promise.all(languages.map(loadTexts)));

const layout = (key: TabKey, language: Language) =>
  layoutOf(key, { several: true, includePatient: true, language });

describe('the headers of a tab', () => {
  it.each(tabKeys)('name one column each, whichever language each is in: %s', (key) => {
    const owners = new Map<string, Set<string>>();
    // The age stands in the header of its column.
    const named = layout(key, 'en').columns.filter((one) => one.key !== AS_OF);
    for (const { key: column, headers } of named)
      for (const header of headers) {
        const name = header.replace(/ \*$/, '').toLowerCase();
        owners.set(name, (owners.get(name) ?? new Set()).add(column));
      }
    const shared = [...owners].filter(([, columns]) => columns.size > 1).map(([name]) => name);

    expect(shared).toEqual([]);
  });

  it.each(languages)('stand in tabs of different titles, in %s', (language) => {
    expect(new Set(tabKeys.map((key) => layout(key, language).title)).size).toBe(tabKeys.length);
  });
});

/** A spreadsheet that is kept through restarts, each with its language. */
async function spreadsheet(tabs: TabKey[] = ['treatments', 'bookings', 'sync']) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const open = async (
    language: Language | undefined,
    kept: Partial<Awaited<ReturnType<typeof sheetsRig>>> = {},
  ) => {
    const settings = { tabs, ...(language && { language }) };
    const { mirror, desk } = kept;
    const rig = await sheetsRig({
      sandbox,
      clock,
      settings,
      ...(mirror && { mirror }),
      ...(desk && { desk }),
    });
    rig.mirror.rows.treatments ??= [treatmentRow(1), treatmentRow(2)];
    rig.mirror.rows.dentists ??= [dentistRow(1)];
    return {
      ...rig,
      async run(times = 1) {
        let last = await rig.converge();
        for (let left = times; left > 1; left -= 1) {
          await clock.advance(5 * 60_000);
          last = await rig.converge();
        }
        return last;
      },
    };
  };
  const headers = (title: string) =>
    sandbox.control.tab(title).rows[0]?.flatMap((cell) => cell?.value?.stringValue ?? []);
  return { clock, sandbox, open, headers, userActions: sandbox.control.userActions };
}

describe('a new spreadsheet', () => {
  it('has titles and headers in the language of the settings, and books what is ticked', async () => {
    const { clock, open, headers, userActions } = await spreadsheet();
    const rig = await open('de');
    await rig.run();
    const lead = { patient: 'Rahim Uddin', phone: '01712345678', date: 46_100, time: 0.4375, send: true };
    for (const [name, value] of Object.entries(lead)) userActions.type('Buchungen', 1, at(name), value);
    for (let looks = 0; looks < 4; looks += 1) {
      await clock.advance(5_000);
      await rig.converge();
    }

    expect(headers('Behandlungen')).toEqual([
      ...['ID', 'Praxis', 'Behandlung', 'Preis', 'Minuten', 'Beschreibung', 'Bild', 'Zustand', 'Seit'],
    ]);
    expect(headers('Buchungen')?.slice(0, 4)).toEqual(['Patient *', 'Telefon *', 'Datum *', 'Uhrzeit *']);
    expect(rig.desk.bookings).toMatchObject([
      { patient_name: 'Rahim Uddin', appointment_date: '2026-03-19' },
    ]);
  });
});

describe('a spreadsheet whose language is changed', () => {
  it('gets other headers, and keeps its rows, and what people renamed, added and calculate', async () => {
    const { sandbox, open, headers, userActions, clock } = await spreadsheet();
    const english = await open(undefined);
    await english.run(2);
    const [fee, minutes] = ['Fee', 'Minutes'].map((one) => english.column('Treatments', one));
    userActions.type('Treatments', 0, minutes ?? 0, 'How long');
    userActions.insertColumn('Treatments', fee ?? 0);
    userActions.type('Treatments', 0, fee ?? 0, 'Picture');
    userActions.type('Treatments', 1, fee ?? 0, 'ours');
    userActions.type('Treatments', 3, fee ?? 0, { formula: '=SUM(E2:E3)' });
    const before = english.shown('Treatments').slice(1);

    const german = await open('de', english);
    await german.run();
    const after = headers('Treatments');
    const kept = german.shown('Treatments').slice(1);
    german.mirror.rows.treatments = [treatmentRow(1, { base_fee: '1700.00' }), treatmentRow(2)];
    await clock.advance(5 * 60_000);
    const { problems } = await german.run(3);

    expect(after).toEqual([
      ...[
        'ID',
        'Praxis',
        'Behandlung',
        'Picture',
        'Preis',
        'How long',
        'Beschreibung',
        'Bild',
        'Zustand',
        'Seit',
      ],
    ]);
    expect(kept.map((row) => row.slice(0, 10))).toEqual(before.map((row) => row.slice(0, 10)));
    const fees = german.shown('Treatments').map((row) => row[german.column('Treatments', 'Preis')]);
    expect(fees.slice(0, 3)).toEqual(['Preis', 1700, 1500]);
    expect(problems).toEqual([]);
    expect(sandbox.control.book.grids.map(({ title }) => title)).toContain('Treatments');
  });

  it('is written once: then a header is people’s, until the language is changed again', async () => {
    const { open, headers, userActions } = await spreadsheet(['treatments']);
    const german = await open('de', await open(undefined));
    await german.run(3);
    userActions.type('Behandlungen', 0, german.column('Behandlungen', 'Preis'), 'Fee');
    await german.run(3);
    const renamed = headers('Behandlungen');
    const french = await open('fr', german);
    await french.run(2);

    expect(renamed).toContain('Fee');
    expect(headers('Behandlungen')).toEqual([
      ...['ID', 'Cabinet', 'Soin', 'Tarif', 'Minutes', 'Description', 'Image', 'État', 'Depuis'],
    ]);
  });

  it('keeps the word of another language that people chose, where no language was ever set', async () => {
    const { open, headers, userActions } = await spreadsheet(['treatments']);
    const rig = await open(undefined);
    await rig.run();
    userActions.type('Treatments', 0, rig.column('Treatments', 'Fee'), 'Preis');
    await rig.run(3);

    expect(headers('Treatments')).toContain('Preis');
  });

  it('books each tick once, also those from before', async () => {
    const { clock, open, userActions } = await spreadsheet(['bookings', 'sync']);
    const english = await open(undefined);
    await english.run();
    const fill = (row: number, patient: string) => {
      const lead = { patient, phone: `0171234567${row}`, date: 46_100 + row, time: 0.4375, send: true };
      for (const [name, value] of Object.entries(lead)) userActions.type('Bookings', row, at(name), value);
    };
    fill(1, 'Rahim Uddin');
    await clock.advance(5_000);
    await english.converge();
    const german = await open('de', english);
    fill(2, 'Karim Uddin');
    for (let looks = 0; looks < 6; looks += 1) {
      await clock.advance(30_000);
      await german.converge();
    }

    expect(german.desk.bookings.map(({ patient_name }) => patient_name).sort()).toEqual([
      'Karim Uddin',
      'Rahim Uddin',
    ]);
    expect(german.shown('Bookings')[0]?.slice(0, 2)).toEqual(['Patient *', 'Telefon *']);
  });

  it('is known by its headers when its marks are lost, in whatever language they are', async () => {
    const { sandbox, open } = await spreadsheet(['treatments']);
    const german = await open('de');
    await german.run();
    const fee = german.column('Behandlungen', 'Preis');
    sandbox.control.tab('Behandlungen').columns[fee] = { metadata: [] };

    const { asks } = await (await open('en', german)).converge();

    expect(asks).toMatchObject([{ sentence: expect.stringMatching(/the column Fee has lost our mark/) }]);
  });

  it('leaves people’s cells as they are when they insert a column during the write', async () => {
    const { sandbox, open, userActions, headers } = await spreadsheet(['treatments']);
    const english = await open(undefined);
    await english.run();
    userActions.type('Treatments', 0, 9, 'Notes');
    userActions.type('Treatments', 1, 9, 'call back');
    const german = await open('de', english);
    sandbox.control.beforeWrite(() => {
      sandbox.control.beforeWrite(undefined);
      userActions.insertColumn('Treatments', 2);
    });
    await german.run(4);

    expect(headers('Treatments')).toEqual([
      ...[
        'ID',
        'Praxis',
        'Behandlung',
        'Preis',
        'Minuten',
        'Beschreibung',
        'Bild',
        'Zustand',
        'Seit',
        'Notes',
      ],
    ]);
    expect(german.shown('Treatments')[1]).toContain('call back');
    expect(german.shown('Treatments')).toHaveLength(english.shown('Treatments').length);
  });
});

it('books a ticked row whose treatment and dentist are words of a header', async () => {
  const { clock, open, userActions } = await spreadsheet(['bookings']);
  const rig = await open(undefined);
  await rig.run();
  const lead = { patient: 'Rahim Uddin', phone: '01712345678', date: 46_100, time: 0.4375 };
  const typed = { ...lead, dentist: 'Zahnarzt', treatment: 'Consulta', send: true };
  for (const [name, value] of Object.entries(typed)) userActions.type('Bookings', 1, at(name), value);
  for (let looks = 0; looks < 4; looks += 1) {
    await clock.advance(5_000);
    await rig.converge();
  }

  expect(rig.desk.bookings).toMatchObject([{ patient_name: 'Rahim Uddin' }]);
});

it('names the columns in what it says of a tab as the tab does', async () => {
  const { open, userActions } = await spreadsheet(['treatments', 'bookings']);
  const german = await open('de');
  await german.run();
  userActions.deleteColumn('Buchungen', at('message'));
  userActions.deleteColumn('Behandlungen', german.column('Behandlungen', 'ID'));

  const { problems, asks } = await german.run(2);
  const told = JSON.stringify([problems, asks]);

  expect(told).toContain('Meldung');
  expect(told).toContain('the column ID (or Praxis) was deleted');
});
