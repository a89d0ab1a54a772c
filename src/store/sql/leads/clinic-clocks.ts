import type { AppointmentVerbs } from '../../ports/appointments.ts';
import type { StoreParts } from '../database.ts';

/** See `AppointmentVerbs.applyClock`. Stored, because databases lack time zones or differ in them. */
export function applyClock({ db, write }: Pick<StoreParts, 'db' | 'write'>): AppointmentVerbs['applyClock'] {
  return async (clinic, steps) => {
    const known = await db
      .selectFrom('clinic_clocks')
      .select(['since', 'ahead'])
      .where('clinic', '=', clinic)
      .orderBy('since')
      .execute();
    const isSame = ({ since, ahead }: (typeof steps)[number], at: number) =>
      known[at]?.since === since && Number(known[at].ahead) === ahead;
    if (known.length === steps.length && steps.every(isSame)) return;
    await write('observe', async (trx) => {
      await trx.deleteFrom('clinic_clocks').where('clinic', '=', clinic).execute();
      await trx
        .insertInto('clinic_clocks')
        .values(steps.map((step) => ({ clinic, ...step })))
        .execute();
    });
  };
}
