import { describe, expect, it } from 'vitest';
import { desk } from '../../../test/support/csv/kit.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  appointmentChange,
  appointmentRow,
  mirrorView,
  type SheetsMirror,
} from '../../../test/support/sheets/kit.ts';
import { createHistory, KEPT_ROWS } from './history.ts';

const YEARS = 2 * KEPT_ROWS;

/** In another order than they came in. */
const refOf = (n: number) => `CS-${String((n * 7_919) % 10_007).padStart(6, '0')}`;

/** A clinic with more appointments and figures than the tabs keep. */
function years() {
  const numbers = Array.from({ length: YEARS }, (_, index) => index + 1);
  const mirror: SheetsMirror = {
    rows: {
      appointments: numbers.map((id) => appointmentRow(id)),
      leads: numbers.map((n) => ({
        ...{
          clinic: 'main',
          ref: refOf(n),
          received_at: new Date(n * 60_000).toISOString(),
          status: 'Pending',
        },
      })),
      organization_statistics: numbers.map((users) => ({
        clinic: 'main',
        at: new Date(users * 3_600_000).toISOString(),
        total_users: users,
      })),
    },
    changes: numbers.map((id) => appointmentChange(id, id)),
    asOf: '2026-03-02T08:59:00.000Z',
  };
  const office = desk(fakeClock());
  const view = mirrorView(mirror, office, [{ clinic: 'main', timezone: 'Asia/Dhaka' }]);
  const [facts] = view.clinics;
  if (facts === undefined) throw new Error('no clinic');
  let history = createHistory(office.memory);
  /** What the tab shows, by id, and how many rows and changes that took. */
  const shown = async (tab: 'appointments' | 'statistics' | 'leads') => {
    mirror.rowsRead = 0;
    const rows = new Map(
      (await history.rows(tab)(view, facts)).map(({ id, cells }) => [id, cells.status ?? cells.users]),
    );
    await history.written();
    return { rows, read: mirror.rowsRead, version: history.version(tab) };
  };
  const change = (id: number, status: string) => {
    Object.assign(mirror.rows.appointments?.[id - 1] ?? {}, { status });
    mirror.changes.push(appointmentChange(mirror.changes.length + 1, id));
  };
  const restart = () => {
    history = createHistory(office.memory);
  };
  return { shown, change, restart };
}

describe('tabs over years of history', () => {
  it.each(['appointments', 'statistics', 'leads'] as const)('show the latest rows of %s', async (tab) => {
    const { shown } = years();

    const { rows } = await shown(tab);

    expect(rows.size).toBe(KEPT_ROWS);
    expect([...rows.values()].at(-1)).toBe(tab === 'statistics' ? YEARS : 'Pending');
  });

  it('read only what changed since, the oldest appointment included', async () => {
    const { shown, change } = years();
    const first = await shown('appointments');

    const idle = await shown('appointments');
    change(1, 'Completed');
    change(YEARS, 'Cancelled');
    const changed = await shown('appointments');

    expect([idle.read, changed.read]).toEqual([0, 2]);
    expect([idle.version === first.version, changed.version === first.version]).toEqual([true, false]);
    expect([first.rows.has(1), changed.rows.get(1), changed.rows.get(YEARS)]).toEqual([
      false,
      'Completed',
      'Cancelled',
    ]);
    expect(changed.rows.size).toBe(KEPT_ROWS);
  });

  it('read no more than they keep after a restart, and what changed while nothing ran', async () => {
    const { shown, change, restart } = years();
    await shown('appointments');
    await shown('statistics');
    change(2, 'Completed');
    restart();

    const appointments = await shown('appointments');
    const statistics = await shown('statistics');

    expect(appointments.rows.get(2)).toBe('Completed');
    expect(appointments.read).toBeLessThan(KEPT_ROWS + 10);
    expect(statistics.read).toBe(KEPT_ROWS);
  });

  it('keep the leads that came last, whatever their references, over a restart too', async () => {
    const { shown, restart } = years();
    const latest = Array.from({ length: KEPT_ROWS }, (_, at) => refOf(YEARS - KEPT_ROWS + 1 + at));
    const first = await shown('leads');
    restart();

    const again = await shown('leads');

    expect([...first.rows.keys()]).toEqual(latest);
    expect(new Set(again.rows.keys())).toEqual(new Set(latest));
    expect(again.read).toBeLessThan(KEPT_ROWS + 10);
  });
});
