import { flushCompileCache } from 'node:module';
import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import { booking, claimNext, created, delivery, minute, treatment } from '../../conformance/store/samples.ts';

/**
 * A process of its own that works on a store until it is killed, and says on stdout what it was promised:
 * one line per verb that resolved. `node store-process.ts FILE accept|everything|hold`.
 */
flushCompileCache();
const [, , file = '', task = 'accept'] = process.argv;
const clock: Clock = systemClock;
const say = (line: string) => process.stdout.write(`${line}\n`);

const store = await openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
say(`open ${store.identity.epoch}`);

if (task === 'hold') setInterval(() => {}, 1_000);

if (task === 'accept')
  for (let i = 0; ; i += 1) {
    const group = Array.from({ length: 8 }, () =>
      booking({ submission_id: `${process.pid}-${i}-${Math.random()}` }),
    );
    await Promise.all(
      group.map(async (one) => {
        const { booking: stored } = await store.bookings.accept(one, judgeWithin(0));
        say(`accepted ${stored.ref}`);
      }),
    );
  }

if (task === 'everything') {
  const things = [treatment(1), treatment(2)];
  const poll = {
    clinic: 'main',
    poll: 'treatments',
    at: minute(0),
    removals: [],
    changes: things.map(created),
  } as const;
  await store.mirror.record({ ...poll, upserts: things, changes: [...poll.changes], removals: [] });
  say('recorded');
  const { booking: stored } = await store.bookings.accept(booking(), judgeWithin(0));
  say(`accepted ${stored.ref}`);
  await claimNext(store, 'main', minute(1));
  say('claimed');
  await store.bookings.move({
    ref: stored.ref,
    attempt: 1,
    from: ['sending'],
    to: 'booked',
    actor: 'daemon',
    by: 'daemon',
    at: minute(2),
    appointment_id: 501,
  });
  say('moved');
  await store.deliveries.enqueue('crm', 'main', 2, [delivery(1), delivery(2)], minute(3));
  say('enqueued');
  await store.deliveries.settle([{ id: 'd1', at: minute(4), state: 'delivered' }]);
  say('settled');
  await store.close();
  say('closed');
}
