import { onTestFinished } from 'vitest';
import type { Behavior } from '../../../sandbox/google-sheets/behavior.ts';
import { startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../fake-clock.ts';
import { dentistRow, sheetsRig } from './kit.ts';

/** Of the Bookings tab, in their order. */
const columns = [
  'patient',
  'phone',
  'date',
  'time',
  'dentist',
  'treatment',
  'address',
  'note',
  'send',
  'ref',
  'state',
  'appointment',
  'message',
];

export const at = (name: string) => columns.indexOf(name);

/** A Bookings tab, a person who types into it, and the daemon's runs five seconds apart. */
export async function office(behavior: Partial<Behavior> = {}, { locale = 'en_GB' } = {}) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock, behavior, locale });
  onTestFinished(() => sandbox.close());
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['bookings', 'sync'] } });
  rig.mirror.rows.dentists = [dentistRow(1)];
  await rig.converge();
  const { userActions } = sandbox.control;
  const fill = (row: number, cells: Record<string, string | number | boolean | null> = {}) => {
    const lead = {
      patient: 'Rahim Uddin',
      phone: '01712345678',
      date: 46_100,
      time: 0.4375,
      send: true,
      ...cells,
    };
    for (const [name, value] of Object.entries(lead)) userActions.type('Bookings', row, at(name), value);
  };
  const cell = (row: number, name: string) => rig.shown('Bookings')[row]?.[at(name)] ?? null;
  /** Five seconds pass, and the daemon runs; this many times. */
  const tick = async (times = 1) => {
    for (let left = times; left > 1; left -= 1) await tick();
    await clock.advance(5_000);
    return rig.converge();
  };
  return { clock, sandbox, rig, userActions, fill, cell, tick };
}
