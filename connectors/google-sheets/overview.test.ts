import { expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import {
  dentistRow,
  feeChange,
  type SheetsMirror,
  sheetsRig,
  treatmentRow,
} from '../../test/support/sheets/kit.ts';

const clinics = [
  { clinic: 'main', timezone: 'Asia/Dhaka' },
  { clinic: 'west', timezone: 'Asia/Kuwait' },
];
/** It is 2 March 2026. */
const leads: NonNullable<SheetsMirror['leads']> = {
  received: [
    // 1 March in Dhaka, and still 28 February in London.
    { source: 'website', at: '2026-02-28T20:00:00.000Z', count: 2 },
    {
      source: 'website',
      at: '2026-02-10T10:00:00.000Z',
      count: 3,
      booked: 2,
      completed: 1,
      value: 80.5,
      currency: 'BDT',
    },
    { source: 'sheet', at: '2025-04-01T10:00:00.000Z', count: 1 },
    { source: 'sheet', at: '2025-03-01T10:00:00.000Z', count: 9 },
  ],
  states: { booked: 5, held: 2, unknown: 1 },
};

async function opened(options: Partial<Parameters<typeof sheetsRig>[0]> = {}) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['overview'] }, ...options });
  rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2, { removed_at: '2026-03-01T00:00:00.000Z' })];
  rig.mirror.rows.dentists = [dentistRow(7)];
  rig.mirror.rows.organization_statistics = [
    { clinic: 'main', at: '2026-01-05T00:00:00.000Z', total_patients: 100, total_appointments: 900 },
    { clinic: 'main', at: '2026-02-05T00:00:00.000Z', total_patients: 120, total_appointments: 950 },
  ];
  rig.mirror.changes = [feeChange(1, { at: '2026-02-20T10:00:00.000Z' })];
  rig.mirror.leads = leads;
  const run = async () => {
    await clock.advance(5 * 60_000);
    return rig.converge();
  };
  const value = (id: string, header: string, clinic = 'main') =>
    rig.shown('Overview').find((row) => row[0] === id && row[1] === clinic)?.[rig.column('Overview', header)];
  const writes = () => control.calls.filter(({ call }) => call === 'write').length;
  return { clock, control, rig, run, value, writes, userActions: control.userActions };
}

it('shows figures, open needs and leads per month by source, on the clinic’s own clock', async () => {
  const { run, value } = await opened();

  await run();

  expect(
    ['patients', 'treatments', 'dentists', 'fee_changes', 'held', 'unknown', 'zone'].map((id) =>
      value(id, 'Value'),
    ),
  ).toEqual([120, 1, 1, 1, 2, 1, 'Asia/Dhaka']);
  expect(value('months', 'This month')).toBe('2026-03');
  expect([value('leads 2', 'By month'), value('leads 2', 'This month'), value('leads 2', '1 ago')]).toEqual([
    'website',
    2,
    3,
  ]);
  expect([value('leads 1', 'By month'), value('leads 1', '11 ago'), value('leads 1', 'Value')]).toEqual([
    'sheet',
    1,
    1,
  ]);
  expect([value('patients by month', '2 ago'), value('patients by month', '1 ago')]).toEqual([100, 120]);
});

it('counts new leads of this month, and continues with the next', async () => {
  const { clock, rig, run, value } = await opened();
  await run();
  rig.mirror.leads = {
    ...leads,
    received: [...leads.received, { source: 'website', at: '2026-03-02T09:00:00.000Z', count: 4 }],
  };
  await run();
  const grown = value('leads 2', 'This month');

  await clock.advance(31 * 24 * 60 * 60_000);
  await run();

  expect(grown).toBe(6);
  expect([value('months', 'This month'), value('leads 1', '1 ago'), value('leads 1', 'This month')]).toEqual([
    '2026-04',
    6,
    0,
  ]);
});

it('says what became of the leads of each month, also months later, by the view that reports read', async () => {
  const { rig, run, value } = await opened();
  await run();
  const series = (month: string) =>
    ['booked by month', 'completed by month', 'value by month'].map((id) => value(id, month));
  const before = series('1 ago');
  const february = rig.mirror.leads?.received[1];
  Object.assign(february ?? {}, { completed: 2, value: 161 });
  // Each month has its turn.
  for (let turn = 0; turn < 12; turn += 1) await run();

  expect(before).toEqual([2, 1, 80.5]);
  expect(series('1 ago')).toEqual([2, 2, 161]);
  expect(series('Value')).toEqual([2, 2, 161]);
  expect(value('value by month', 'By month')).toBe('Value in BDT');
});

it('has two charts for each clinic, made once, whatever people do to them', async () => {
  const { control, run, writes } = await opened({ clinics });
  await run();
  await run();
  const { charts, rows } = control.tab('Overview');
  const [first] = charts;
  const [domain] = first?.spec.basicChart.domains ?? [];
  const labels = domain?.domain.sourceRange.sources[0];
  control.tab('Overview').charts = [];
  const before = writes();

  await run();

  expect(charts.map(({ spec }) => spec.title)).toEqual([
    'Leads per month by source · main',
    'Patients and appointments · main',
    'Leads per month by source · west',
    'Patients and appointments · west',
  ]);
  expect(rows[labels?.startRowIndex ?? 0]?.[labels?.startColumnIndex ?? 0]?.value?.stringValue).toBe('Month');
  expect(control.tab('Overview').charts).toEqual([]);
  expect(writes()).toBe(before);
});

it('keeps everything else up to date while Google refuses the charts', async () => {
  const { control, rig, run, value } = await opened();
  await rig.converge();
  const { sheetId } = control.tab('Overview');
  control.refuseTab(sheetId, 'Charts are not allowed here.');
  await run();
  control.refuseTab(sheetId, undefined);
  rig.mirror.rows.dentists = [dentistRow(7), dentistRow(8)];

  const { problems } = await run();

  expect(problems).toEqual([expect.stringContaining('The charts of Overview: not up to date')]);
  expect(value('dentists', 'Value')).toBe(2);
});

it('gives each clinic of a group the decimals and the name of its own currency', async () => {
  const { control, rig } = await opened({
    clinics,
    settings: { tabs: ['treatments'] },
    currencies: { main: 'JPY', west: 'KWD' },
  });
  rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(1, { clinic: 'west', base_fee: '12.345' })];
  await rig.converge();
  rig.mirror.rows.treatments = [
    ...rig.mirror.rows.treatments,
    treatmentRow(2, { base_fee: '900' }),
    treatmentRow(2, { clinic: 'west' }),
  ];

  await rig.converge();

  const fee = rig.column('Treatments', 'Fee');
  const shown = rig.shown('Treatments').slice(1, 5);
  const formats = control
    .tab('Treatments')
    .rows.slice(1, 5)
    .map((row) => row[fee]?.format?.numberFormat);
  expect(shown.map((row, at) => [row[1], row[fee], (formats[at] as { pattern: string }).pattern])).toEqual([
    ['main', 1500, '#,##0" JPY"'],
    ['main', 900, '#,##0" JPY"'],
    ['west', 1500, '#,##0.000" KWD"'],
    ['west', 12.345, '#,##0.000" KWD"'],
  ]);
});
