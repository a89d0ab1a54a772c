import { writeSync } from 'node:fs';
import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import { instant, systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import { booking, claimNext } from '../../conformance/store/samples.ts';

/**
 * A process that takes bookings through their life and says on stdout, synchronously, what it was promised: one line per
 * verb that resolved. `node writer.ts FILE CYCLES`. It ends without closing anything.
 */
const [, , file = '', cycles = '10'] = process.argv;
const STDOUT = 1;
const promised = (what: string) => writeSync(STDOUT, `${what}\n`);
const now = () => instant(systemClock.now());

const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });

for (let cycle = 1; cycle <= Number(cycles); cycle += 1) {
  const leads = [1, 2, 3].map((n) => booking({ submission_id: `${cycle}-${n}` }));
  await Promise.all(
    leads.map(async (lead) => {
      const { booking: accepted } = await store.bookings.accept(lead, judgeWithin(0));
      promised(`accepted ${accepted.ref}`);
    }),
  );
  const claimed = await claimNext(store, 'main', now());
  if (claimed === undefined) throw new Error('there was nothing to claim');
  promised(`sending ${claimed.ref}`);
  const { ref } = claimed;
  await store.bookings.move({
    ref,
    attempt: 1,
    from: ['sending'],
    to: 'booked',
    actor: 'daemon',
    by: 'daemon',
    at: now(),
    appointment_id: 1_000 + cycle,
  });
  promised(`booked ${ref}`);
}
process.exit(0);
