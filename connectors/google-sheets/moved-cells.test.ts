import { describe, expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { Failure } from '../../src/platform/failure.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';
import { misplacedCells } from '../../test/support/sheets/misplaced.ts';
import { at, office } from '../../test/support/sheets/office.ts';

const COMPARED_EVERY_MS = 5 * 60_000;

async function shared(tabs: string[]) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs } });
  const treatments = [treatmentRow(1), treatmentRow(2)];
  rig.mirror.rows.treatments = treatments;
  await rig.converge();
  const calls = (kind: string) => control.calls.filter(({ call }) => call === kind).length;
  /** What people do between the next reading and the write that follows it. */
  const meanwhile = (action: () => void) =>
    control.beforeWrite(() => {
      control.beforeWrite(undefined);
      action();
    });
  /** The daemon runs, is killed at its next write, which Google applies, and a new process takes over. */
  const dieWriting = async (action: () => void) => {
    const dying = new AbortController();
    const killed = new Failure({ kind: 'transient', message: 'killed' });
    meanwhile(() => {
      action();
      dying.abort(killed);
    });
    await expect(rig.converge(dying.signal)).rejects.toBe(killed);
    return sheetsRig({ sandbox, clock, settings: { tabs }, desk: rig.desk, mirror: rig.mirror });
  };
  const unverified = async () => Object.keys(await rig.desk.memory.list('unverified:'));
  const { userActions } = control;
  return { clock, sandbox, control, rig, treatments, userActions, calls, meanwhile, dieWriting, unverified };
}

describe('cells that people move while they are written', () => {
  it('are right after the next run, in a tab where people have nothing, and that costs one write', async () => {
    const { clock, sandbox, rig, treatments, userActions, calls, meanwhile } = await shared(['overview']);
    treatments.push(treatmentRow(3));
    await clock.advance(COMPARED_EVERY_MS);
    meanwhile(() => userActions.moveColumn('Overview', 1, 3));
    await rig.converge();
    const harmed = misplacedCells(sandbox);
    const before = [calls('read'), calls('write')];

    await rig.converge();

    const after = [calls('read'), calls('write')];
    const rows = rig.shown('Overview').filter(([id]) => id === 'treatments');
    expect(harmed).toBe(1);
    expect(misplacedCells(sandbox)).toBe(0);
    expect(rows).toEqual([expect.arrayContaining(['main', 'Treatments offered', 3])]);
    // Read before and after it is put back; then the figure is written to its own cell.
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 2]);
  });

  it('are put back by the next process when this one is killed before it reads again', async () => {
    const { sandbox, rig, treatments, userActions, dieWriting, unverified } = await shared(['treatments']);
    userActions.insertColumn('Treatments', 4);
    userActions.type('Treatments', 1, 4, 'ask the boss');
    Object.assign(treatments[0] ?? {}, { base_fee: '120.00' });

    const next = await dieWriting(() => userActions.moveColumn('Treatments', 4, 3));
    const harmed = rig.shown('Treatments')[1]?.slice(3, 5);
    const noted = await unverified();
    await next.converge();
    await next.converge();

    expect(harmed).toEqual([120, 1500]);
    expect(noted).toHaveLength(1);
    expect(rig.shown('Treatments')[1]?.slice(3, 5)).toEqual(['ask the boss', 120]);
    expect(misplacedCells(sandbox)).toBe(0);
    expect(await unverified()).toEqual([]);
  });

  it('leave no ghost of a row that is inserted by a process that is killed', async () => {
    const { sandbox, rig, treatments, userActions, dieWriting } = await shared(['treatments']);
    treatments.push(treatmentRow(3));

    const next = await dieWriting(() => userActions.insertColumn('Treatments', 0));
    const harmed = misplacedCells(sandbox);
    await next.converge();

    expect(harmed).toBeGreaterThan(0);
    expect(misplacedCells(sandbox)).toBe(0);
    expect(rig.shown('Treatments').flatMap(([, id]) => id ?? [])).toEqual(['ID', 1, 3, 2]);
  });

  it('are put back by a later run when Google does not take it at once', async () => {
    const { clock, control, rig, treatments, userActions, meanwhile } = await shared(['overview']);
    treatments.push(treatmentRow(3));
    await clock.advance(COMPARED_EVERY_MS);
    meanwhile(() => userActions.moveColumn('Overview', 1, 3));
    await rig.converge();
    const harmed = rig.shown('Overview').find(([id]) => id === 'treatments')?.[3];
    control.fault({ on: 'write', kind: 'status', status: 503 });
    await expect(rig.converge()).rejects.toThrow(Failure);

    await rig.converge();

    expect(harmed).not.toBe('main');
    expect(rig.shown('Overview').find(([id]) => id === 'treatments')?.[3]).toBe('main');
  });

  it('stop nothing when they were protected meanwhile', async () => {
    const { clock, rig, treatments, userActions, meanwhile } = await shared(['overview', 'treatments']);
    treatments.push(treatmentRow(3));
    await clock.advance(COMPARED_EVERY_MS);
    meanwhile(() => userActions.moveColumn('Overview', 1, 3));
    await rig.converge();
    const clinic = rig.shown('Overview')[0]?.indexOf('Clinic') ?? -1;
    userActions.protect('Overview', { startColumnIndex: clinic, endColumnIndex: clinic + 1 });
    treatments.push(treatmentRow(4));

    const { problems } = await rig.converge();

    expect(rig.shown('Treatments').flatMap(([id]) => id ?? [])).toEqual(['ID', 1, 3, 4, 2]);
    expect(problems).toEqual([expect.stringContaining('is protected')]);
  });

  it('are forgotten after ten minutes, when people may have changed too much', async () => {
    const { clock, rig, treatments, userActions, dieWriting, unverified } = await shared(['treatments']);
    userActions.insertColumn('Treatments', 4);
    userActions.type('Treatments', 1, 4, 'ask the boss');
    Object.assign(treatments[0] ?? {}, { base_fee: '120.00' });
    const next = await dieWriting(() => userActions.moveColumn('Treatments', 4, 3));

    await clock.advance(11 * 60_000);
    await next.converge();

    expect(rig.shown('Treatments')[1]?.slice(3, 5)).toEqual([120, 120]);
    expect(await unverified()).toEqual([]);
  });

  it('keep nothing about an erased person', async () => {
    const { clock, sandbox, rig, fill, tick, userActions } = await office();
    fill(1, { patient: 'Planted Patient' });
    await tick(2);
    const [ref = ''] = rig.desk.bookings.map((one) => one.ref);
    rig.desk.move(ref, { state: 'booked', appointment_id: 41 });
    const dying = new AbortController();
    sandbox.control.beforeWrite(() => dying.abort(new Failure({ kind: 'transient', message: 'killed' })));
    await expect(rig.converge(dying.signal)).rejects.toThrow('killed');
    sandbox.control.beforeWrite(undefined);
    const memory = async () => JSON.stringify(await rig.desk.memory.list(''));
    const noted = await memory();
    const settings = { tabs: ['bookings', 'sync'] };
    const next = await sheetsRig({ sandbox, clock, settings, desk: rig.desk });
    userActions.deleteTab('Bookings');

    await next.forget([ref]);

    expect(noted).toContain('Planted Patient');
    expect(at('patient')).toBe(0);
    expect(await memory()).not.toContain('Planted Patient');
  });
});
