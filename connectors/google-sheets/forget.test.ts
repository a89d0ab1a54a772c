import { describe, expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { appointmentChange, appointmentRow, sheetsRig } from '../../test/support/sheets/kit.ts';
import { at, office } from '../../test/support/sheets/office.ts';

const all = ['appointments', 'bookings', 'sync'];
const erased = [{ clinic: 'main', appointment_id: 41 }];

/** Three appointments in the spreadsheet, with names. */
async function clinic({ settings = {}, clinics }: { settings?: object; clinics?: string[] } = {}) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const rig = await sheetsRig({
    sandbox,
    clock,
    includePatient: true,
    settings: { tabs: all, ...settings },
    ...(clinics && { clinics: clinics.map((one) => ({ clinic: one, timezone: 'Asia/Dhaka' })) }),
  });
  rig.mirror.rows.appointments = [40, 41, 42].map((id) => appointmentRow(id));
  await rig.converge();
  /** As the store does it: the mirror is without the name before any connector hears of it. */
  const erase = async () => {
    Object.assign(rig.mirror.rows.appointments?.[1] ?? {}, { name: null });
    await rig.forget([], erased);
  };
  const everything = () => JSON.stringify(control.book);
  return { clock, sandbox, control, rig, erase, everything, userActions: control.userActions };
}

describe('erasing a person from the Appointments tab', () => {
  it('removes only the name, and never writes it again', async () => {
    const { clock, rig, erase, everything } = await clinic();

    await erase();
    rig.mirror.rows.appointments?.push(appointmentRow(43));
    rig.mirror.changes.push(appointmentChange(1, 43));
    await rig.converge();
    await clock.advance(300_000);
    await rig.converge();

    expect(rig.shown('Appointments')[2]).toEqual([
      41,
      'main',
      'Pending',
      null,
      46_100,
      0.4375,
      46_054.25,
      null,
    ]);
    expect(everything()).not.toContain('Patient 41');
    expect(everything()).toContain('Patient 43');
  });

  it.each([
    ['sorted', (site: Site) => site.userActions.sort('Appointments', 0, true)],
    ['moved above the header', (site: Site) => site.userActions.moveRow('Appointments', 2, 0)],
    ['in columns that were moved', (site: Site) => site.userActions.moveColumn('Appointments', 3, 0)],
    ['in a tab that was renamed', (site: Site) => site.userActions.renameTab('Appointments', 'Termine')],
    ['hidden by a filter', (site: Site) => site.userActions.filter('Appointments', 3, 'Patient 40')],
    ['copied', (site: Site) => site.userActions.copyRow('Appointments', 2, 4)],
    [
      'hidden with its tab',
      ({ control }: Site) => {
        control.tab('Appointments').hidden = true;
      },
    ],
    [
      'in a tab that was archived',
      (site: Site) => {
        site.userActions.duplicateTab('Appointments', 'Appointments 2025');
        site.userActions.sort('Appointments 2025', 0, true);
      },
    ],
  ])('finds a row that is %s', async (_how, people) => {
    const site = await clinic();
    people(site);

    await site.erase();

    expect(site.everything()).not.toContain('Patient 41');
    expect(site.everything()).toContain('Patient 40');
    expect(site.everything()).toContain('Patient 42');
  });

  it.each([
    ['is no longer in the mirror', (rows: unknown[]) => void rows.splice(1, 1), {}],
    ['is in a tab that is no longer configured', () => {}, { tabs: ['sync'] }],
    ['is compared with what was last written', () => {}, { on_drift: 'report' }],
  ])('empties the row of an appointment that %s', async (_why, change, settings) => {
    const { clock, sandbox, rig, everything } = await clinic({ settings: { on_drift: 'report' } });
    const { mirror, desk } = rig;
    const before = await desk.memory.get('written:appointments');
    const later = await sheetsRig({ sandbox, clock, settings: { tabs: all, ...settings }, mirror, desk });
    Object.assign(mirror.rows.appointments?.[1] ?? {}, { name: null });
    change(mirror.rows.appointments ?? []);

    await later.forget([], erased);

    expect(everything()).not.toContain('Patient 41');
    expect(await desk.memory.get('written:appointments')).toHaveLength(
      (before?.length ?? 0) - String('["main\\u000041","AAAAAAAA"],').length,
    );
  });

  it('restores the name of a row that moved during a write', async () => {
    const { rig, control, erase, userActions, everything } = await clinic();
    control.beforeWrite(() => {
      control.beforeWrite(undefined);
      userActions.moveRow('Appointments', 1, 2);
    });

    await erase();
    await rig.converge();

    expect(everything()).not.toContain('Patient 41');
    expect(rig.shown('Appointments').map((row) => row[3])).toEqual(
      expect.arrayContaining(['Patient', null, 'Patient 40', 'Patient 42']),
    );
  });

  it('keeps the same number at another clinic', async () => {
    const { rig, everything } = await clinic({ clinics: ['main', 'north'] });
    rig.mirror.rows.appointments?.push(appointmentRow(41, { clinic: 'north', name: 'Northerner' }));
    rig.mirror.changes.push({ ...appointmentChange(1, 41), clinic: 'north' });
    await rig.converge();

    await rig.forget([], erased);

    expect(everything()).not.toContain('Patient 41');
    expect(everything()).toContain('Northerner');
  });

  it('names what is protected, empties the rest, and finishes once allowed', async () => {
    const { rig, erase, userActions, everything } = await clinic();
    userActions.copyRow('Appointments', 2, 4);
    userActions.protect('Appointments', { startRowIndex: 2, endRowIndex: 3 }, { description: 'audit' });

    const refused = await erase().catch((error: unknown) => error);
    const names = rig.shown('Appointments').flatMap((row) => row[3] ?? []);
    userActions.unprotect('Appointments');
    await erase();

    expect(refused).toMatchObject({
      kind: 'refused',
      message: 'Erased people are still in Appointments 41 (protected as “audit”).',
      hint: expect.stringContaining('Allow clinic-sync’s address'),
    });
    expect(names).toEqual(['Patient', 'Patient 40', 'Patient 41', 'Patient 42']);
    expect(everything()).not.toContain('Patient 41');
  });

  it('is incomplete while rows cannot be distinguished', async () => {
    const { erase, userActions } = await clinic();
    userActions.deleteColumn('Appointments', 0);

    const refused = await erase().catch((error: unknown) => error);

    expect(refused).toMatchObject({ message: expect.stringContaining('Appointments (its column ID') });
  });
});

type Site = Awaited<ReturnType<typeof clinic>>;

describe('erasing a person from copies of the Bookings tab', () => {
  it('empties the row there, what we wrote in it included, and keeps every other', async () => {
    const { rig, fill, tick, userActions, sandbox } = await office();
    fill(1, { note: 'Anxious' });
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    await tick(2);
    userActions.duplicateTab('Bookings', 'March');
    userActions.sort('March', at('patient'));

    await rig.forget(['CS-000001']);

    const march = rig.shown('March').map((row) => [row[at('patient')], row[at('ref')], row[at('state')]]);
    expect(JSON.stringify(sandbox.control.book)).not.toMatch(/Rahim|Anxious/);
    expect(march).toContainEqual(['Karim Ali', 'CS-000002', 'queued']);
    expect(march).toContainEqual([null, 'CS-000001', null]);
  });
});
