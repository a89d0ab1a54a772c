import { describe, expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';

const page = '<!doctype html><html><body>Accept the terms of this network</body></html>';

/** A filled spreadsheet whose tabs people have renamed. */
async function renamed() {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const { userActions } = control;
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['treatments', 'bookings', 'sync'] } });
  rig.mirror.rows = { treatments: [treatmentRow(1)] };
  await rig.converge();
  await clock.advance(6_000);
  await rig.converge();
  userActions.renameTab('Treatments', 'Prices');
  userActions.renameTab('Bookings', 'Phone bookings');
  const book = (patient: string) => {
    for (const [header, typed] of Object.entries({
      'Patient *': patient,
      'Phone *': '01712345678',
      'Date *': 46_100,
      'Time *': 0.5,
      Send: true,
    }))
      userActions.type('Phone bookings', 1, rig.column('Phone bookings', header), typed);
  };
  const titles = () => control.book.grids.map(({ title }) => title);
  const booked = () => rig.desk.bookings.map(({ patient_name }) => patient_name);
  return { clock, control, userActions, rig, book, titles, booked };
}

describe('an answer that is not Google’s', () => {
  it.each([
    ['a web page', page],
    ['an empty object', {}],
    ['another spreadsheet', { spreadsheetId: 'other', sheets: [{ properties: { sheetId: 0 } }] }],
  ])('abandons no renamed tab, and what people ticked is booked afterwards: %s', async (_name, body) => {
    const { clock, control, rig, book, titles, booked } = await renamed();
    const before = titles();
    book('Ann');
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];
    control.fault({ on: 'read', kind: 'status', status: 200, body, times: 30 });
    for (let run = 0; run < 6; run += 1) {
      await clock.advance(30_000);
      await expect(rig.converge()).rejects.toMatchObject({ kind: 'transient' });
    }
    control.clearFaults();

    for (let run = 0; run < 4; run += 1) {
      await clock.advance(6_000);
      await rig.converge();
    }

    expect(titles()).toEqual(before);
    expect(booked()).toEqual(['Ann']);
    expect(rig.shown('Prices')[1]?.[rig.column('Prices', 'Fee')]).toBe(9);
  });

  it('is no proof of a write', async () => {
    const { clock, control, rig } = await renamed();
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];
    control.fault({ on: 'write', kind: 'status', status: 200, body: {} });

    await expect(rig.converge()).rejects.toMatchObject({ kind: 'transient' });
    await clock.advance(30_000);
    await rig.converge();

    expect(rig.shown('Prices')[1]?.[rig.column('Prices', 'Fee')]).toBe(9);
  });
});

describe('a tab that is missing', () => {
  it('is not made anew before a second reading, a minute later, and continues when it is back', async () => {
    const { clock, control, rig, userActions, titles } = await renamed();
    const tab = control.tab('Prices');
    userActions.deleteTab('Prices');
    await clock.advance(300_000);
    const { problems } = await rig.converge();
    const meanwhile = titles();
    control.book.grids.push(tab);
    await clock.advance(60_000);
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];

    await rig.converge();

    expect(meanwhile).not.toContain('Treatments');
    expect(problems).toEqual([expect.stringMatching(/^Treatments: the tab was gone/)]);
    expect(titles()).not.toContain('Treatments');
    expect(rig.shown('Prices')[1]?.[rig.column('Prices', 'Fee')]).toBe(9);
  });

  it('is made anew after that minute, and people are asked for a day', async () => {
    const { clock, rig, userActions, titles } = await renamed();
    userActions.deleteTab('Prices');
    await clock.advance(300_000);
    const first = await rig.converge();
    await clock.advance(first.nextInMs ?? 0);
    await rig.converge();
    const early = titles();
    await clock.advance(60_000);

    const { asks } = await rig.converge();
    await clock.advance(25 * 60 * 60_000);
    const later = await rig.converge();

    expect(first.nextInMs).toBeLessThanOrEqual(30_000);
    expect(early).not.toContain('Treatments');
    expect(titles()).toContain('Treatments');
    expect(asks).toMatchObject([
      { weight: 'need', sentence: expect.stringMatching(/^Treatments: the tab was gone/) },
    ]);
    expect(later.asks).toEqual([]);
  });
});

describe('a write that is accepted and not there', () => {
  it('is trouble from the second time on, and over with the first that is', async () => {
    const { clock, control, rig } = await renamed();
    control.swallowWrites(true);
    const reports: string[][] = [];
    for (const fee of ['9.00', '9.00', '9.00', '9.00']) {
      rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: fee })];
      await clock.advance(30_000);
      reports.push((await rig.converge()).problems);
    }
    control.swallowWrites(false);
    await clock.advance(30_000);
    await rig.converge();
    await clock.advance(30_000);
    const { problems } = await rig.converge();

    expect(reports[0]).toEqual([]);
    expect(reports.at(-1)).toContainEqual(
      expect.stringMatching(/^Prices: what clinic-sync writes does not stay/),
    );
    expect(problems).toEqual([]);
  });
});
