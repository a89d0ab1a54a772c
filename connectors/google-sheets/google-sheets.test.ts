import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SheetsSandboxOptions, startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { desk } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { dentistRow, feeChange, sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

const signal = new AbortController().signal;
const everything = ['treatments', 'dentists', 'clinic', 'fee_history', 'statistics', 'bookings', 'sync'];

async function spreadsheet(options: SheetsSandboxOptions = {}) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock, ...options });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const writes = () => control.calls.filter(({ call }) => call === 'write').length;
  return { clock, sandbox, control, userActions: control.userActions, writes };
}

describe('the tabs', () => {
  it('fills every tab, and writes nothing the next time', async () => {
    const { clock, sandbox, control, writes } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock, settings: { tabs: everything } });
    rig.mirror.rows = { treatments: [treatmentRow(1)], dentists: [dentistRow(7)] };
    rig.mirror.changes = [feeChange(5)];

    const first = await rig.converge();
    const count = writes();
    const second = await rig.converge();

    expect(Object.keys(first.written)).toHaveLength(everything.length);
    expect(control.book.grids.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Fee history', 'Sync']),
    );
    expect(rig.shown('Fee history')[1]).toEqual([
      5,
      'main',
      expect.any(Number),
      'Treatment',
      1,
      'Scaling',
      'Fee',
      100.1,
      110,
      9.9,
      null,
    ]);
    expect(second).toMatchObject({ written: {}, problems: [] });
    expect(writes()).toBe(count);
  });

  it('writes fees as numbers where that loses nothing, everything a clinic typed as text, and says where it cannot', async () => {
    const { clock, sandbox, control } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = [
      treatmentRow(1, { base_fee: '0.10', treatment_name: '=HYPERLINK("https://evil.example")' }),
      treatmentRow(2, { base_fee: '9007199254740993.01' }),
    ];

    const { problems } = await rig.converge();

    const fee = rig.column('Treatments', 'Fee');
    expect(
      rig
        .shown('Treatments')
        .slice(1, 3)
        .map((row) => row[fee]),
    ).toEqual([0.1, '9007199254740993.01']);
    expect(problems).toEqual([expect.stringContaining('1 fee is written as text')]);
    expect(JSON.stringify(control.tab('Treatments').rows.slice(1))).not.toContain('formulaValue');
  });

  it('writes only the cells that differ, wherever people have moved them', async () => {
    const { clock, sandbox, control, userActions } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = [1, 2, 3].map((id) => treatmentRow(id));
    await rig.converge();
    userActions.renameTab('Treatments', 'Leistungen');
    userActions.type('Leistungen', 0, 3, 'Preis');
    userActions.moveColumn('Leistungen', 3, 0);
    userActions.insertColumn('Leistungen', 2);
    userActions.sort('Leistungen', 1, true);
    userActions.insertRow('Leistungen', 1);
    userActions.type('Leistungen', 1, 2, 'our heading');
    rig.mirror.rows.treatments = [1, 2, 3].map((id) =>
      treatmentRow(id, { base_fee: id === 2 ? '99.50' : '1500.00' }),
    );

    await rig.converge();

    const requests = control.calls.flatMap(({ requests = [] }) => requests).slice(-1);
    expect(requests).toMatchObject([
      { updateCells: { rows: [{ values: [{ userEnteredValue: { numberValue: 99.5 } }] }] } },
    ]);
    const rows = rig.shown('Leistungen');
    expect(rows[0]?.slice(0, 2)).toEqual(['Preis', 'ID']);
    expect(rows.find((row) => row[1] === 2)?.[0]).toBe(99.5);
    expect(rows[1]?.[2]).toBe('our heading');
  });

  it('deletes rows of removed things, except where people have written beside them', async () => {
    const { clock, sandbox, userActions } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock, settings: { on_remove: 'delete' } });
    rig.mirror.rows.treatments = [1, 2, 3].map((id) => treatmentRow(id));
    await rig.converge();
    userActions.insertColumn('Treatments', 9);
    userActions.type('Treatments', 2, 9, 'my note');
    const gone = { removed_at: '2026-03-02T09:00:00.000Z' };
    rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2, gone), treatmentRow(3, gone)];

    await rig.converge();

    const rows = rig.shown('Treatments').filter((row) => typeof row[0] === 'number');
    expect(rows.map((row) => [row[0], row[7], row[9] ?? null])).toEqual([
      [1, 'Active', null],
      [2, 'Removed', 'my note'],
    ]);
  });

  it('marks removed things with their date, and greys them by one rule', async () => {
    const { clock, sandbox, control } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = [treatmentRow(1)];
    await rig.converge();
    rig.mirror.rows.treatments = [treatmentRow(1, { removed_at: '2026-03-02T20:00:00.000Z' })];

    await rig.converge();

    const [, row] = rig.shown('Treatments');
    // The next day in Dhaka.
    expect([row?.[7], row?.[8]]).toEqual(['Removed', 46_084]);
    const rules = control.tab('Treatments').conditionalFormats.map((rule) => JSON.stringify(rule));
    expect(rules.filter((rule) => rule.includes('Removed'))).toHaveLength(1);
  });

  it('sets formats once: later runs send only values, and none for empty cells', async () => {
    const { clock, sandbox, control } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2)];
    await rig.converge();
    const formats = control.tab('Treatments').rows[1]?.map((cell) => cell?.format?.numberFormat ?? null);
    const created = control.calls.length;
    rig.mirror.rows.treatments = [treatmentRow(1, { description: null }), treatmentRow(2), treatmentRow(3)];

    await rig.converge();

    const requests = control.calls.slice(created).flatMap((call) => call.requests ?? []);
    expect(formats).toMatchObject([
      null,
      { type: 'TEXT' },
      { type: 'TEXT' },
      { type: 'NUMBER', pattern: '#,##0.00" BDT"' },
      { type: 'NUMBER', pattern: '0' },
      { type: 'TEXT' },
      { type: 'TEXT' },
      { type: 'TEXT' },
      { type: 'DATE', pattern: 'yyyy-mm-dd' },
      null,
    ]);
    expect(requests).toMatchObject([
      { updateCells: { fields: 'userEnteredValue', rows: [{ values: [{}] }] } },
      { insertDimension: {} },
      { updateCells: { fields: 'userEnteredValue' } },
    ]);
    expect(control.tab('Treatments').rows[1]?.[5]).not.toHaveProperty('value');
  });

  it('never writes an ID that is there, and puts new rows right before its last one', async () => {
    const { clock, sandbox, userActions } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = [1, 2, 3].map((id) => treatmentRow(id));
    await rig.converge();
    userActions.type('Treatments', 2, 0, 99);
    userActions.moveRow('Treatments', 1, 0);
    userActions.type('Treatments', 4, 2, 'our sum');
    rig.mirror.rows.treatments = [1, 2, 3].map((id) => treatmentRow(id, { base_fee: '7.00' }));

    await rig.converge();

    expect(rig.shown('Treatments').map((row) => [row[0] ?? row[2], row[3]])).toEqual([
      [1, 7],
      ['ID', 'Fee'],
      [99, 1500],
      [2, 7],
      [3, 7],
      ['our sum', null],
    ]);
  });

  it('reads only Bookings and Sync between comparisons, and all tabs before one', async () => {
    const { clock, sandbox, control } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['treatments', 'bookings', 'sync'] } });
    await rig.converge();
    await rig.converge();
    const bytes = async () => {
      const before = control.calls.length;
      await rig.converge();
      return control.calls.slice(before).map(({ call, bytesOut }) => [call, bytesOut > 10_000]);
    };
    rig.mirror.rows.treatments = Array.from({ length: 200 }, (_, id) => treatmentRow(id));
    await rig.converge();

    const verified = await bytes();
    const idle = await bytes();
    await clock.advance(300_000);
    const compared = await bytes();

    expect(verified).toEqual([['read', true]]);
    expect(idle).toEqual([['read', false]]);
    expect(compared).toEqual([
      ['drive', false],
      ['read', false],
      ['read', true],
    ]);
    expect(rig.connector.state.everyMs).toBe(30_000);
  });

  it('reports a changed cell instead of healing it, until the clinic changes it', async () => {
    const { clock, sandbox, userActions } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock, settings: { on_drift: 'report' } });
    rig.mirror.rows.treatments = [treatmentRow(1)];
    await rig.converge();
    userActions.type('Treatments', 1, 3, 1);
    await clock.advance(300_000);

    const reported = await rig.converge();
    const left = rig.shown('Treatments')[1]?.[3];
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '7.00' })];
    await rig.converge();

    expect(reported.problems).toEqual([expect.stringContaining('1 cell was changed by hand')]);
    expect(left).toBe(1);
    expect(rig.shown('Treatments')[1]?.[3]).toBe(7);
  });

  it('leaves protected cells alone, names the protection and keeps the rest current', async () => {
    const { clock, sandbox, userActions } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2)];
    await rig.converge();
    userActions.protect('Treatments', { startRowIndex: 1, endRowIndex: 2 }, { description: 'agreed prices' });
    rig.mirror.rows.treatments = [1, 2].map((id) => treatmentRow(id, { base_fee: '5.00' }));

    const { problems } = await rig.converge();

    expect(problems).toEqual([expect.stringContaining('the range 2:2 is protected')]);
    expect(
      rig
        .shown('Treatments')
        .slice(1, 3)
        .map((row) => row[3]),
    ).toEqual([1500, 5]);
  });

  it('recreates a lost tab, respects a deleted column, and restores it when asked', async () => {
    const { clock, sandbox, control, userActions } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['treatments', 'dentists'] } });
    rig.mirror.rows = { treatments: [treatmentRow(1)], dentists: [dentistRow(1)] };
    await rig.converge();
    userActions.deleteTab('Dentists');
    userActions.deleteColumn('Treatments', 3);
    await clock.advance(300_000);
    await rig.converge();
    await clock.advance(60_000);

    await rig.converge();
    const respected = rig.shown('Treatments')[0];
    const { written } = await rig.connector.repair(signal);
    await rig.converge();

    expect(control.tab('Dentists').rows.length).toBeGreaterThan(1);
    expect(respected).not.toContain('Fee');
    expect(written).toEqual({ Treatments: 1 });
    expect(rig.shown('Treatments')[1]?.[rig.column('Treatments', 'Fee')]).toBe(1500);
  });

  it('keeps several clinics apart in one spreadsheet', async () => {
    const { clock, sandbox } = await spreadsheet();
    const clinics = ['north', 'south'].map((clinic) => ({ clinic, timezone: 'Asia/Dhaka' }));
    const rig = await sheetsRig({ sandbox, clock, clinics });
    rig.mirror.rows.treatments = [
      treatmentRow(1, { clinic: 'north' }),
      treatmentRow(1, { clinic: 'south', base_fee: '8.00' }),
    ];
    await rig.converge();
    rig.mirror.rows.treatments = [
      treatmentRow(1, { clinic: 'north' }),
      treatmentRow(1, { clinic: 'south', base_fee: '9.00' }),
    ];

    await rig.converge();

    expect(
      rig
        .shown('Treatments')
        .slice(1, 3)
        .map((row) => [row[1], row[3]]),
    ).toEqual([
      ['north', 1500],
      ['south', 9],
    ]);
  });

  it('refuses another installation’s spreadsheet until it is set to adopt it', async () => {
    const { clock, sandbox, control, userActions, writes } = await spreadsheet();
    const tabs = ['treatments', 'bookings'];
    const first = await sheetsRig({ sandbox, clock, instance: 'old', settings: { tabs } });
    await first.converge();
    for (const [column, typed] of ['Ann', '01712345678', 46_100, 0.5].entries())
      userActions.type('Bookings', 1, column, typed);
    userActions.type('Bookings', 1, 8, true);
    const count = writes();
    const stranger = await sheetsRig({
      sandbox,
      clock,
      instance: 'new',
      desk: desk(clock),
      settings: { tabs },
    });
    const heir = await sheetsRig({
      sandbox,
      clock,
      instance: 'new',
      desk: desk(clock),
      settings: { tabs, adopt: 'old/accounts' },
    });
    heir.mirror.rows.treatments = [treatmentRow(4)];

    await expect(stranger.converge()).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('adopt: old/accounts'),
    });
    const refused = writes();
    await clock.advance(5_000);
    await stranger.converge().catch(() => {});
    await heir.converge();

    expect(refused).toBe(count);
    expect(stranger.desk.submissions).toEqual([]);
    expect(heir.shown('Treatments').map(([id]) => id)).toContain(4);
    expect(control.book.grids.map(({ title }) => title)).toEqual(['Sheet1', 'Bookings', 'Treatments']);
  });

  it('writes the rest of a large clinic in the next runs, within Google’s recommended size', async () => {
    const { clock, sandbox, control } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = Array.from({ length: 4_000 }, (_, index) => treatmentRow(index + 1));

    const first = await rig.converge();
    const second = await rig.converge();

    expect(first.nextInMs).toBeGreaterThan(0);
    expect(second.nextInMs).toBeUndefined();
    const ids = rig
      .shown('Treatments')
      .map((row) => row[0])
      .filter((id) => typeof id === 'number');
    expect(ids).toEqual(Array.from({ length: 4_000 }, (_, index) => index + 1));
    expect(Math.max(...control.calls.map(({ bytesIn }) => bytesIn))).toBeLessThan(3 * 2 ** 20);
  });

  it('adds nothing to a full spreadsheet but keeps its rows current', async () => {
    const { clock, sandbox, control } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock });
    rig.mirror.rows.treatments = [treatmentRow(1)];
    await rig.converge();
    control.setMostCells(1);
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '2.00' }), treatmentRow(2)];

    const { problems, nextInMs } = await rig.converge();
    await rig.converge();

    expect(nextInMs).toBeLessThan(10_000);
    expect(problems).toEqual([expect.stringContaining('The spreadsheet is full')]);
    expect(rig.shown('Treatments')[1]?.[3]).toBe(2);
  });

  it.each(['America/Los_Angeles', 'GMT-07:00', 'GMT+05:30'])(
    'shows the clinic’s times in a spreadsheet of the zone %s, and turns stale on time',
    async (timeZone) => {
      const { clock, sandbox, control } = await spreadsheet({ timeZone });
      const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['sync'] } });
      await rig.converge();
      const [, row] = rig.shown('Sync');
      const state = () => {
        const sync = control.tab('Sync');
        return control.result(sync, sync.rows[1]?.[rig.column('Sync', 'State')])?.stringValue;
      };

      const before = state();
      await clock.advance(60 * 60_000);

      // 14:59 in Dhaka, on 2 March.
      expect(row?.[4]).toBeCloseTo(46_083 + (14 * 60 + 59) / 1_440, 6);
      expect([before, state()]).toEqual(['fresh', 'STALE: not updated']);
    },
  );

  it('writes nothing while no appointment is due, and shows no next reading and no age that grows', async () => {
    const { clock, sandbox, writes } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['appointments', 'sync'] } });
    rig.mirror.followed = { as_of: '2026-03-01T09:00:00.000Z', next_due_at: null };
    await rig.converge();
    await rig.converge();
    const count = writes();

    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(60_000);
      await rig.converge();
    }
    const idle = writes();
    rig.mirror.followed = { as_of: '2026-03-01T09:00:00.000Z', next_due_at: '2026-03-02T09:20:00.000Z' };
    await rig.converge();

    const shown = rig.shown('Sync').find(([id]) => id === 'appointments');
    expect(idle).toBe(count);
    expect(shown?.[rig.column('Sync', 'Next expected')]).toEqual(expect.any(Number));
    expect(shown?.[rig.column('Sync', 'State')]).toMatch(/^=IF/);
  });

  it('shows how old everything is with a formula that turns stale without the daemon', async () => {
    const { clock, sandbox, writes } = await spreadsheet();
    const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['sync'] } });
    await rig.converge();
    const count = writes();
    rig.mirror.asOf = '2026-03-02T09:02:00.000Z';

    await rig.converge();
    const unchanged = writes();
    rig.mirror.asOf = '2026-03-02T09:14:00.000Z';
    await rig.converge();

    expect(rig.shown('Sync')[1]?.[rig.column('Sync', 'State')]).toMatch(
      /^=IF\(NOW\(\)\*1440>\d+;"STALE: not updated";"fresh"\)$/,
    );
    expect(unchanged).toBe(count);
    // The row and the header.
    expect(writes()).toBe(count + 2);
  });
});

describe('a redirect to another server', () => {
  it.each(['token', 'read', 'write'] as const)('is not followed (%s): no credential leaves', async (on) => {
    const { clock, sandbox, control } = await spreadsheet();
    const stranger = await startSheetsSandbox({ clock });
    onTestFinished(() => stranger.close());
    const rig = await sheetsRig({ sandbox, clock });
    control.fault({ on, kind: 'status', status: 307, headers: { location: `${stranger.url}/token` } });

    await expect(rig.converge()).rejects.toMatchObject({ kind: 'transient', status: 307 });

    expect(stranger.control.calls).toEqual([]);
    await rig.converge();
    expect(rig.shown('Treatments')).toHaveLength(2);
  });
});

describe('the check', () => {
  it('goes from the key to the last column and names the address to share with', async () => {
    const { clock, sandbox, userActions } = await spreadsheet();
    const folder = await temporaryFolder();
    const file = join(folder, 'key.json');
    await writeFile(file, JSON.stringify(sandbox.credentials));
    await chmod(file, 0o644);
    const rig = await sheetsRig({
      sandbox,
      clock,
      settings: { credentials: undefined, credentials_file: file },
    });
    await rig.converge();
    userActions.deleteColumn('Treatments', 4);
    userActions.protect('Treatments', { startColumnIndex: 2, endColumnIndex: 3 });

    const lines = await rig.connector.check(signal);

    expect(lines.filter(({ level }) => level === 'fail')).toEqual([]);
    expect(lines.map(({ what }) => what).join('\n')).toContain(sandbox.credentials.client_email);
    expect(lines.at(-1)?.what).toBe('locale en_GB, time zone Asia/Dhaka');
    expect(lines.filter(({ level }) => level === 'warn').map(({ what }) => what.split(':')[0])).toEqual([
      'key',
      'columns',
      'protection',
    ]);
  });

  it.each([
    ['reader', 'Editor'],
    ['none', 'Share the spreadsheet with'],
  ] as const)('says what to do when the spreadsheet is shared as %s', async (level, hint) => {
    const { clock, sandbox, control } = await spreadsheet();
    control.share(sandbox.credentials.client_email, level);
    const rig = await sheetsRig({ sandbox, clock });

    const lines = await rig.connector.check(signal);

    expect(lines.find((line) => line.level === 'fail')?.hint).toContain(hint);
  });
});
