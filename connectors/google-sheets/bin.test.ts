import { describe, expect, it, onTestFinished } from 'vitest';
import type { Behavior } from '../../sandbox/google-sheets/behavior.ts';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';

const signal = new AbortController().signal;
const FIVE_MINUTES = 5 * 60_000;

/** A filled spreadsheet in which a lead was ticked just before its owner moved it to the bin. */
async function binned(behavior: Partial<Behavior> = {}) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock, behavior });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['treatments', 'bookings', 'sync'] } });
  rig.mirror.rows.treatments = [treatmentRow(1)];
  await rig.converge();
  await rig.converge();
  const lead = { 'Patient *': 'Ann', 'Phone *': '01712345678', 'Date *': 46_100, 'Time *': 0.5, Send: true };
  for (const [header, value] of Object.entries(lead))
    control.userActions.type('Bookings', 1, rig.column('Bookings', header), value);
  control.bin(true);
  rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];
  /** Five minutes pass, in runs of six seconds at their end. */
  const later = async () => {
    await clock.advance(FIVE_MINUTES);
    for (let run = 1; run < 4; run += 1) {
      await rig.converge();
      await clock.advance(6_000);
    }
    return rig.converge();
  };
  return { control, rig, later, fee: () => rig.shown('Treatments')[1]?.[rig.column('Treatments', 'Fee')] };
}

describe('a spreadsheet in the bin of Google Drive', () => {
  it('is reported, its ticked rows are still booked, and it resumes once restored', async () => {
    const { control, rig, later, fee } = await binned();

    const { problems, asks } = await later();
    const inTheBin = fee();
    control.bin(false);
    const restored = await later();

    expect(problems).toEqual([expect.stringMatching(/in the bin of Google Drive.*30 days/)]);
    expect(asks).toMatchObject([{ weight: 'trouble' }]);
    expect(rig.desk.bookings.map(({ patient_name }) => patient_name)).toEqual(['Ann']);
    expect([inTheBin, fee()]).toEqual([1500, 9]);
    expect(restored.problems).toEqual([]);
  });

  it('is reported by the check, which fails', async () => {
    const { rig } = await binned();

    const lines = await rig.connector.check(signal);

    expect(lines.filter(({ level }) => level !== 'ok')).toMatchObject([
      { level: 'fail', what: expect.stringContaining('bin'), hint: expect.stringContaining('restores it') },
    ]);
  });

  it('loses no ticked row where Google answers that it is not there', async () => {
    const { control, rig, later } = await binned({ binnedFilesAreServed: false });

    await expect(later()).rejects.toMatchObject({ hint: expect.stringContaining('bin of Google Drive') });
    control.bin(false);
    await later();

    expect(rig.desk.bookings.map(({ patient_name }) => patient_name)).toEqual(['Ann']);
  });

  it('is maintained as before when the Drive API is silent, which the check reports', async () => {
    const { control, rig, later, fee } = await binned();
    control.enableDriveApi(false);

    const { problems } = await later();

    expect([problems, fee(), rig.desk.bookings.length]).toEqual([[], 9, 1]);
    expect((await rig.connector.check(signal)).filter(({ level }) => level !== 'ok')).toMatchObject([
      { level: 'warn', what: expect.stringContaining('bin'), hint: expect.stringContaining('Drive API') },
    ]);
  });
});
