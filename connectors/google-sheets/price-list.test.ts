import { expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { sheetsRig } from '../../test/support/sheets/kit.ts';

const period = (id: number, fee: string, currency: string, from: string, to: string | null) => ({
  ...{ clinic: 'main', treatment_id: id, treatment_name: `=Treatment ${id}`, fee, currency },
  ...{ valid_from: from, valid_to: to },
});

/** It is 2 March 2026; the clinic is in Dhaka, six hours ahead. */
async function opened() {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['price_list', 'sync'] } });
  rig.mirror.rows.fees = [
    period(1, '100.00', 'JPY', '2026-01-01T00:00:00.000Z', '2026-01-10T00:00:00.000Z'),
    // Midnight of 1 February in Dhaka is 18:00 UTC.
    period(1, '700.00', 'BDT', '2026-01-10T00:00:00.000Z', '2026-01-31T17:59:00.000Z'),
    period(1, '750.50', 'BDT', '2026-01-31T17:59:00.000Z', '2026-01-31T18:01:00.000Z'),
    period(1, '800.00', 'BDT', '2026-01-31T18:01:00.000Z', null),
    period(2, '90.00', 'BDT', '2026-02-10T00:00:00.000Z', null),
  ];
  rig.mirror.rows.consultation_fees = [
    {
      ...{ clinic: 'main', doctor_id: 7, doctor_name: 'Dr. O’Neil', fee: '500.00', currency: 'BDT' },
      ...{ valid_from: '2026-01-05T00:00:00.000Z', valid_to: null },
    },
  ];
  const run = async () => {
    await clock.advance(60_000);
    return rig.converge();
  };
  const row = (id: string) =>
    rig.shown('Price list').find((cells) => cells[rig.column('Price list', 'ID')] === id) ?? [];
  const value = (id: string, header: string) => row(id)[rig.column('Price list', header)];
  const writeDay = async (content: unknown) => {
    const at = rig.shown('Price list').findIndex(([first]) => first === 'date');
    sandbox.control.userActions.type(
      'Price list',
      at,
      rig.column('Price list', 'Day (empty: today)'),
      content as never,
    );
    return run();
  };
  return { run, value, writeDay, rig, control: sandbox.control };
}

it('shows today’s prices until someone writes a day', async () => {
  const { run, value } = await opened();

  await run();

  expect(value('date', 'Name')).toBe('Prices at the end of 2026-03-02, Asia/Dhaka');
  expect([value('treatment 1', 'Fee'), value('treatment 2', 'Fee'), value('dentist 7', 'Fee')]).toEqual([
    800, 90, 500,
  ]);
  expect(value('treatment 1', 'Name')).toBe('=Treatment 1');
});

it('shows the prices of the day that people write, at its end by the clinic’s clock', async () => {
  const { run, value, writeDay } = await opened();
  await run();

  await writeDay('2026-01-31');

  expect(value('date', 'Name')).toBe('Prices at the end of 2026-01-31, Asia/Dhaka');
  expect([value('treatment 1', 'Fee'), value('treatment 1', 'Currency')]).toEqual([750.5, 'BDT']);
  expect([value('treatment 2', 'Fee'), value('treatment 2', 'Currency')]).toEqual([null, 'not on the list']);
});

it('never shows an amount of another currency in the format of the present one', async () => {
  const { run, value, writeDay } = await opened();
  await run();

  await writeDay('2026-01-06');

  expect([value('treatment 1', 'Fee'), value('treatment 1', 'Currency')]).toEqual([null, '100.00 JPY']);
});

it.each([
  ['soon', 'is not a day'],
  ['2027-01-01', 'has not come yet'],
])('says what is wrong with %s, and shows today', async (written, words) => {
  const { run, value, writeDay } = await opened();
  await run();

  await writeDay(written);

  expect(value('date', 'Name')).toContain(words);
  expect(value('treatment 1', 'Fee')).toBe(800);
});

it('finds its row and column again after people sorted and moved them, and leaves the day to them', async () => {
  const { run, rig, value, writeDay, control } = await opened();
  await run();
  await writeDay('2026-01-31');
  control.userActions.sort('Price list', rig.column('Price list', 'Fee'));
  control.userActions.moveColumn('Price list', rig.column('Price list', 'Day (empty: today)'), 0);

  await run();
  const writes = control.calls.filter(({ call }) => call === 'write').length;
  await run();

  expect(value('date', 'Name')).toBe('Prices at the end of 2026-01-31, Asia/Dhaka');
  expect(value('treatment 1', 'Fee')).toBe(750.5);
  expect(value('date', 'Day (empty: today)')).not.toBeNull();
  expect(control.calls.filter(({ call }) => call === 'write').length - writes).toBeLessThanOrEqual(1);
});
