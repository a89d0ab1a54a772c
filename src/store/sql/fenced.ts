import { sql } from 'kysely';
import { type Fence, isNotOurs, notOurs } from '../ports/fleet.ts';
import type { Trx, Write } from './database.ts';
import { tableIn } from './dialects.ts';

/**
 * Limits writes to the owner of a unit: the transaction checks the unit's row and keeps others from taking it until it
 * ends. The one place that stops a former owner, whatever it still believes.
 */
export const fencedWrites =
  (write: Write, fence: Fence): Write =>
  async (name, job, when) => {
    try {
      return await write(
        name,
        async (trx) => {
          // Sent first, so it takes effect first; the job's statements need not wait for its answer.
          const ours = assertOurs(trx, fence);
          const [, done] = await Promise.allSettled([ours, job(trx)]);
          await ours;
          if (done.status === 'rejected') throw done.reason;
          return done.value;
        },
        when,
        partOf(fence),
      );
    } catch (error) {
      if (isNotOurs(error)) fence.lost();
      throw error;
    }
  };

/** Work for a clinic or connector touches only its own rows; upkeep may touch any. */
const partOf = ({ unit }: Fence): string | undefined => (unit.includes('/') ? unit : undefined);

async function assertOurs(trx: Trx, { unit, owner, fence }: Fence): Promise<void> {
  const { rows } = await sql`
    select 1 from ${tableIn(trx, 'units')} u join ${tableIn(trx, 'members')} m on m.id = u.owner
    where u.unit = ${unit} and u.owner = ${owner} and u.fence = ${fence} and m.expires_at > clock_timestamp()
    for share of u`.execute(trx);
  if (rows.length === 0) throw notOurs(unit);
}
