import fc from 'fast-check';
import { happening, tell } from './bookings-story.ts';
import { bookingsWorld } from './bookings-world.ts';
import { fakeClock } from './fake-clock.ts';
import { silentLog } from '../../src/model/log.ts';
import { openStore } from '../../src/store/sqlite.ts';
const clock = fakeClock();
const store = await openStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
const stories = fc.sample(fc.array(happening, { minLength: 3, maxLength: 12 }), { numRuns: Number(process.argv[2] ?? 5), seed: Number(process.argv[3] ?? 1) });
let i = 0; const t0 = performance.now();
for (const story of stories) {
  i += 1;
  const t = performance.now();
  const timer = setTimeout(() => { console.log('STUCK', i, JSON.stringify(story)); process.exit(1); }, 8000);
  try { await tell(bookingsWorld({ store, clock, key: `clinic-${i}`, rules: { reconcile: i % 2 ? 'auto' : 'on_request' } }), story); }
  catch (e) { console.log(i, String(e), (e as Error).stack?.split('\n').slice(1,6).join('\n'), JSON.stringify(story)); }
  clearTimeout(timer);
  if (process.argv[4]) console.log(i, performance.now() - t);
}
console.log('avg', (performance.now() - t0) / i);
process.exit(0);
