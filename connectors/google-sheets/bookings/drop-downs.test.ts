import { describe, expect, it } from 'vitest';
import { dentistRow } from '../../../test/support/sheets/kit.ts';
import { at, office } from '../../../test/support/sheets/office.ts';

describe('the drop-downs of the Bookings tab', () => {
  it('are kept current', async () => {
    const { rig, sandbox, tick } = await office();
    rig.mirror.rows.dentists = [dentistRow(1), dentistRow(2, { doctor_name: 'Dr. O’Neil' })];

    await tick();

    expect(JSON.stringify(sandbox.control.tab('Bookings').rows[5]?.[at('dentist')]?.validation)).toContain(
      'Dr. O’Neil',
    );
  });

  it('reach rows that a filter hides', async () => {
    const { rig, sandbox, tick, userActions } = await office();
    userActions.filter('Bookings', at('patient'), 'Rahim Uddin');
    rig.mirror.rows.dentists = [dentistRow(1), dentistRow(2, { doctor_name: 'Dr. O’Neil' })];

    await tick();

    expect(JSON.stringify(sandbox.control.tab('Bookings').rows[5]?.[at('dentist')]?.validation)).toContain(
      'Dr. O’Neil',
    );
  });

  it('are corrected at the next reading when a column was inserted while they were sent', async () => {
    const { rig, sandbox, tick, userActions } = await office();
    rig.mirror.rows.dentists = [dentistRow(1), dentistRow(2)];
    sandbox.control.beforeWrite(() => {
      sandbox.control.beforeWrite(undefined);
      userActions.insertColumn('Bookings', 0);
    });
    const offered = () =>
      sandbox.control.tab('Bookings').rows[5]?.map((cell) => {
        const { type } = (cell?.validation?.condition ?? {}) as { type?: string };
        return type ?? null;
      });

    await tick();
    const slipped = offered()?.[at('dentist')];
    await tick();

    const right = Array.from({ length: offered()?.length ?? 0 }, () => null as string | null);
    right[at('dentist') + 1] = 'ONE_OF_LIST';
    right[at('send') + 1] = 'BOOLEAN';
    expect(slipped).toBe('ONE_OF_LIST');
    expect(offered()).toEqual(right);
  });
});
