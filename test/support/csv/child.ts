import { flushCompileCache } from 'node:module';
import { fakeClock } from '../fake-clock.ts';
import { change, rig, treatment } from './kit.ts';

/** A daemon with one csv connector, to be killed at a crash point: `node csv-child.ts ROOT`. */
flushCompileCache();
const [, , root = ''] = process.argv;
const clock = fakeClock();
const { converge, mirror } = await rig({
  clock,
  root,
  deskFile: `${root}/desk.json`,
  settings: { inbox: `${root}/inbox`, archive: 'monthly' },
});
mirror.rows.treatments = [treatment(1)];
mirror.changes = [change(1)];
await converge();
await clock.advance(3_000);
await converge();
process.exitCode = 3;
