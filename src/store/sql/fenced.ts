import { sql } from 'kysely';
import { type Fence, isNotOurs, notOurs } from '../ports/fleet.ts';
import type { Trx, Write } from './database.ts';
import { tableIn } from './dialects.ts';

/**
 * Limits writes to the owner of a unit: the transaction checks the unit's row and keeps others from taking it until it
 * ends. The one place that stops a former owner, whatever it still believes.
 */
export function fencedWrites(write: Write, fence: Fence): Write {
  const checked = checkedWrites(write, (trx) => assertOurs(trx, fence), partOf(fence));
  return async (...given) => {
    try {
      return await checked(...given);
    } catch (error) {
      if (isNotOurs(error)) fence.lost();
      throw error;
    }
  };
}

/**
 * Limits writes to a living member: resumed after a suspension, a command may run beside a daemon. The daemon's writes
 * come later than a transaction that has passed, because writes take turns.
 */
export const leasedWrites = (write: Write, member: string, over: () => Error): Write =>
  checkedWrites(write, async (trx) => {
    const { rows } = await sql`
      select 1 from ${tableIn(trx, 'members')}
      where id = ${member} and expires_at > clock_timestamp()`.execute(trx);
    if (rows.length === 0) throw over();
  });

const checkedWrites =
  (write: Write, check: (trx: Trx) => Promise<void>, part?: string): Write =>
  (name, job, when) =>
    write(
      name,
      async (trx) => {
        // Sent first, so it takes effect first; the job's statements need not wait for its answer.
        const passed = check(trx);
        const [, done] = await Promise.allSettled([passed, job(trx)]);
        await passed;
        if (done.status === 'rejected') throw done.reason;
        return done.value;
      },
      when,
      part,
    );

/** Work for a clinic or connector touches only its own rows; upkeep may touch any. */
const partOf = ({ unit }: Fence): string | undefined => (unit.includes('/') ? unit : undefined);

async function assertOurs(trx: Trx, { unit, owner, fence }: Fence): Promise<void> {
  const { rows } = await sql`
    select 1 from ${tableIn(trx, 'units')} u join ${tableIn(trx, 'members')} m on m.id = u.owner
    where u.unit = ${unit} and u.owner = ${owner} and u.fence = ${fence} and m.expires_at > clock_timestamp()
    for share of u`.execute(trx);
  if (rows.length === 0) throw notOurs(unit);
}
