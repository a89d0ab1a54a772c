import { once } from 'node:events';
import type { CommandModule } from 'yargs';
import { startDaemon } from '../daemon/daemon.ts';
import { systemClock } from '../model/clock.ts';
import { type ConfigArguments, requireConfig } from './configuration.ts';
import type { Io } from './io.ts';
import { createLog } from './log.ts';
import { packageVersion } from './package.ts';

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
    if (!io.signal.aborted) await once(io.signal, 'abort');

    log.info('stopping');
    const overdue = new AbortController();
    const stopped = daemon.stop().then(() => true);
    const inTime = await Promise.race([
      stopped,
      systemClock.sleep(LONGEST_STOP_MS, overdue.signal).then(() => false),
    ]);
    overdue.abort();
    log.info('stopped', { state: inTime ? 'clean' : 'overdue' });
    // Whatever still runs has nothing to lose: all that matters was durable before it began.
    if (!inTime) process.exit(0);
  },
});
