import { once } from 'node:events';
import type { CommandModule } from 'yargs';
import { startDaemon } from '../../app/app.ts';
import { systemClock } from '../../platform/clock.ts';
import { type ConfigArguments, requireConfig } from '../configuration.ts';
import { Exit, exit, failureText, type Io } from '../io.ts';
import { createLog } from '../log.ts';
import { packageVersion } from '../package.ts';

/** Less than the ten seconds a supervisor waits before it kills. */
const LONGEST_STOP_MS = 9_700;

/** `clinic-sync run`: the daemon, until Ctrl-C or SIGTERM. */
export const runCommand = (io: Io): CommandModule => ({
  command: 'run',
  describe: 'Run the daemon',
  builder: (yargs) => yargs.example('$0 run --config /config/clinic-sync.yaml', 'until Ctrl-C or SIGTERM'),
  handler: async (argv) => {
    const config = await requireConfig(io, argv as ConfigArguments);
    const log = await createLog(config.log.level, io.terminal);
    const daemon = await startDaemon({ config, clock: systemClock, log, version: packageVersion() });
    const told = io.signal.aborted ? Promise.resolve() : once(io.signal, 'abort');
    const broken = await Promise.race([told.then(() => undefined), daemon.ended]);

    if (broken === undefined) log.info('stopping');
    else log.error('stopping: this process cannot go on', { problem: broken.message });
    const overdue = new AbortController();
    const stopped = daemon.stop().then(() => true);
    const inTime = await Promise.race([
      stopped,
      systemClock.sleep(LONGEST_STOP_MS, overdue.signal).then(() => false),
    ]);
    overdue.abort();
    log.info('stopped', { state: inTime ? 'clean' : 'overdue' });
    // Whatever still runs has nothing to lose: all that matters was durable before it began.
    if (!inTime) process.exit(broken === undefined ? exit.ok : exit.needsPerson);
    // A supervisor starts it anew, and the new process reads what is really there.
    if (broken !== undefined) throw new Exit(exit.needsPerson, failureText(broken));
  },
});
