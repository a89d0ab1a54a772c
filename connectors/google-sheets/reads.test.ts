import { expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { dentistRow, sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';

const TREATMENTS = 2_000;
const everything = ['Bookings', 'Dentists', 'Sync', 'Treatments'];
const settings = { tabs: ['treatments', 'dentists', 'bookings', 'sync'] };

/** A filled spreadsheet, and which tabs a run reads. */
async function filled() {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const rig = await sheetsRig({ sandbox, clock, settings });
  rig.mirror.rows.treatments = Array.from({ length: TREATMENTS }, (_, index) => treatmentRow(index + 1));
  rig.mirror.rows.dentists = [dentistRow(1), dentistRow(2)];
  while ((await rig.converge()).nextInMs !== undefined) await clock.advance(1_000);
  const run = async () => {
    control.calls.length = 0;
    await rig.converge();
    const reads = control.calls.filter(({ call }) => call === 'read').map(({ cells = {} }) => cells);
    return {
      reads: reads.map((cells) => Object.keys(cells).sort()),
      cells: reads.flatMap((cells) => Object.values(cells)).reduce((sum, cells) => sum + cells, 0),
      writes: control.calls.filter(({ call }) => call === 'write').length,
    };
  };
  return { clock, control, rig, run, userActions: control.userActions };
}

it('reads nothing but Bookings and Sync while nothing has changed', async () => {
  const { run } = await filled();

  expect(await run()).toEqual({ reads: [['Bookings', 'Sync']], cells: expect.toSatisfy(isFew), writes: 0 });
});

it('reads of the mirror only the tab that a change shows in, and once more after it was written', async () => {
  const { rig, run } = await filled();
  rig.mirror.rows.dentists = [dentistRow(1), dentistRow(2, { consultation_fee: '90.00' })];
  const small = await run();
  const verified = await run();
  rig.mirror.rows.treatments =
    rig.mirror.rows.treatments?.with(0, treatmentRow(1, { base_fee: '7.25' })) ?? [];
  const large = await run();

  expect(small).toEqual({
    ...{ reads: [['Bookings', 'Dentists', 'Sync']], writes: 1 },
    cells: expect.toSatisfy(isFew),
  });
  expect(verified).toMatchObject({ reads: [['Bookings', 'Dentists', 'Sync']], writes: 0 });
  expect(large).toMatchObject({ reads: [['Bookings', 'Sync', 'Treatments']], writes: 1 });
  expect(large.cells).toBeGreaterThan(TREATMENTS);
  await run();
  expect((await run()).reads).toEqual([['Bookings', 'Sync']]);
});

it('reads a tab in which a person has typed within five minutes, with all others', async () => {
  const { clock, rig, run, userActions } = await filled();
  userActions.type('Treatments', 1, rig.column('Treatments', 'Fee'), 1);

  const soon = await run();
  await clock.advance(5 * 60_000);
  const later = await run();

  expect([soon.reads, soon.writes]).toEqual([[['Bookings', 'Sync']], 0]);
  expect(later).toMatchObject({ reads: [[], everything], writes: 1 });
  expect(rig.shown('Treatments')[1]?.[rig.column('Treatments', 'Fee')]).toBe(1500);
});

it('compares everything after a write of which no answer came', async () => {
  const { control, rig, run } = await filled();
  rig.mirror.rows.dentists = [dentistRow(1), dentistRow(2, { consultation_fee: '90.00' })];
  control.fault({ on: 'write', kind: 'reset-after' });
  await rig.converge().catch(() => {});

  const next = await run();

  expect(next).toMatchObject({ reads: [[], everything], writes: 0 });
});

/** Far fewer than one tab of the treatments has. */
const isFew = (cells: number) => cells < TREATMENTS;

it('reads very large tabs one after another, so that no answer holds them all', async () => {
  const { clock, control, rig, run, userActions } = await filled();
  for (const tab of ['Treatments', 'Bookings']) {
    const grid = control.tab(tab);
    grid.rowCount = 3_000;
    while (grid.columns.length < 300) grid.columns.push({ metadata: [] });
    userActions.type(tab, 2_999, 0, 'far below');
  }
  rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '7.25' })];
  await clock.advance(5 * 60_000);
  await rig.converge();

  await clock.advance(5 * 60_000);
  const { reads } = await run();

  const large = reads.map((tabs) => tabs.filter((tab) => tab !== 'Sync')).filter((tabs) => tabs.length > 0);
  expect(large).toEqual([['Treatments'], ['Dentists'], ['Bookings']]);
  expect(rig.shown('Treatments')[1]?.[rig.column('Treatments', 'Fee')]).toBe(7.25);
});
