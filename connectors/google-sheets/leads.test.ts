import { expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import type { Row } from '../../src/connector.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { appointmentChange, dentistRow, sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';

const leadRow = (n: number, fields: Row = {}): Row => ({
  ...{ clinic: 'main', ref: `CS-00000${n}`, source: 'website', campaign: '=IMPORTXML("https://x")' },
  ...{ channel: 'google / cpc', click_id: 'Cj0', state: 'booked', outcome: 'booked', status: 'Pending' },
  ...{
    received_at: `2026-03-01T2${n}:00:00.000Z`,
    booked_at: `2026-03-01T2${n}:01:00.000Z`,
    completed_at: null,
  },
  ...{ treatment_id: 1, doctor_id: 7, fee_as_sent: null, currency: null, ...fields },
});

async function opened() {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['leads'] } });
  rig.mirror.rows.treatments = [treatmentRow(1)];
  rig.mirror.rows.dentists = [dentistRow(7)];
  rig.mirror.rows.leads = [leadRow(1), leadRow(2, { campaign: 'spring' })];
  const run = async () => {
    await clock.advance(5 * 60_000);
    return rig.converge();
  };
  const moved = (n: number, fields: Row) => {
    Object.assign(rig.mirror.rows.leads?.[n - 1] ?? {}, fields);
    const change = appointmentChange(rig.mirror.changes.length + 1, n);
    rig.mirror.changes.push({ ...change, resource: 'lead', id: `CS-00000${n}` });
  };
  const cells = (n: number, ...headers: string[]) => {
    const row = rig.shown('Leads').find((one) => one.includes(`CS-00000${n}`)) ?? [];
    return headers.map((header) => row[rig.column('Leads', header)]);
  };
  return { sandbox, rig, run, moved, cells };
}

it('has a row for each lead with its origin and outcome, and no formula', async () => {
  const { rig, run, moved, cells, sandbox } = await opened();
  await run();
  const before = cells(1, 'Campaign', 'Outcome', 'Treatment', 'Dentist', 'Fee');

  moved(1, {
    ...{ outcome: 'completed', status: 'Completed', completed_at: '2026-03-02T08:00:00.000Z' },
    ...{ fee_as_sent: '1500.00', currency: 'BDT' },
  });
  await run();

  expect(before).toEqual(['=IMPORTXML("https://x")', 'booked', 'Treatment 1', 'Dr. 7', null]);
  expect(cells(1, 'Outcome', 'At the clinic', 'Fee', 'Currency')).toEqual([
    'completed',
    'Completed',
    1500,
    'BDT',
  ]);
  const { rows } = sandbox.control.tab('Leads');
  expect(rows.slice(1, 3).flatMap((row) => row.filter((cell) => cell?.value?.formulaValue))).toEqual([]);
  expect(rows[1]?.[rig.column('Leads', 'Fee')]?.format?.numberFormat).toMatchObject({ type: 'NUMBER' });
});

it('spares what people write beside a lead, wherever they move it', async () => {
  const { rig, run, moved, cells, sandbox } = await opened();
  await run();
  const { rows } = sandbox.control.tab('Leads');
  const wide = Math.max(...rows.map((row) => row.length));
  sandbox.control.userActions.insertColumn('Leads', wide);
  for (const [at, note] of ['called twice', 'prefers mornings'].entries())
    sandbox.control.userActions.type('Leads', at + 1, wide, note);
  sandbox.control.userActions.sort('Leads', 0, true);

  moved(2, { outcome: 'no_show', status: 'No-Show' });
  rig.mirror.rows.leads?.push(leadRow(3));
  moved(3, {});
  await run();

  expect(cells(2, 'Outcome')).toEqual(['no_show']);
  expect(cells(3, 'Outcome')).toEqual(['booked']);
  const noteOf = (n: number) =>
    rig
      .shown('Leads')
      .find((row) => row.includes(`CS-00000${n}`))
      ?.at(wide);
  expect([noteOf(1), noteOf(2), noteOf(3) ?? null]).toEqual(['called twice', 'prefers mornings', null]);
});

it('takes the campaign of an erased person out', async () => {
  const { rig, run, cells } = await opened();
  await run();
  Object.assign(rig.mirror.rows.leads?.[1] ?? {}, { campaign: null, channel: null });

  await rig.forget(['CS-000002']);
  await run();

  expect(cells(2, 'Campaign', 'Channel')).toEqual([null, null]);
});
