import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { type Daemon, startDaemon } from '../../app/app.ts';
import { systemClock } from '../../platform/clock.ts';
import { collectGarbage } from '../../platform/collect-garbage.ts';
import type { Log } from '../../platform/log.ts';
import { within } from '../../platform/wait-for.ts';
import { tellAddress } from '../address-file.ts';
import { type CommonArguments, command } from '../command.ts';
import { loadFor, requireConfig } from '../configuration.ts';
import { createLog } from '../create-log.ts';
import { Exit, exit, failureText, type Io } from '../io.ts';
import { packageVersion } from '../package.ts';

/** Supervisors kill after ten seconds. */
const LONGEST_STOP_MS = 9_700;

/**
 * With more clinics memory is saved at the cost of processor time: 190 MB for a hundred after their first fill, not
 * 230.
 */
const FEW = 20;
/** Collects garbage when the heap has grown by a third instead of doubled. */
const FRUGAL = '--heap-growing-percent=33';
/**
 * V8 allocates a function's type feedback at its first call instead of its eighth. Rarely called functions would get
 * theirs hours later, which would look like a memory leak. Set after the start, most of whose functions run only once.
 */
const EARLY_FEEDBACK = '--no-lazy-feedback-allocation';

export const run = command({
  name: 'run',
  describe: 'Run the daemon',
  hasNoJson: true,
  examples: { 'run --config /config/clinic-sync.yaml': 'until Ctrl-C or SIGTERM' },
  needsSecrets: true,
  async run(io, given) {
    const config = await requireConfig(io, given);
    const areFew = config.clinics.length <= FEW;
    if (!areFew) setFlagsFromString(FRUGAL);
    const { log, output } = await createLog(config.log.level, io.terminal);
    // A closed terminal sends SIGHUP to everything in it, and some supervisors the other: no reason to end.
    let reload = () => log.warn('SIGHUP came before the start was over: the settings are new anyway');
    process.on('SIGHUP', () => reload());
    process.on('SIGUSR2', () => log.warn('SIGUSR2 does nothing: SIGHUP applies changed settings'));
    const { signal } = io;
    const options = { config, clock: systemClock, log, logOutput: output, version: packageVersion(), signal };
    const daemon = await startDaemon(options).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (daemon === undefined) return log.info('stopped', { state: 'clean' });
    reload = () => void applied(io, given, { daemon, log });
    tellAddress(io.environment, `${daemon.url}/readyz`);
    const running = new AbortController();
    if (areFew) {
      setFlagsFromString(EARLY_FEEDBACK);
      void collectGarbage(systemClock, running.signal);
    }
    const asked = io.signal.aborted ? Promise.resolve() : once(io.signal, 'abort');
    const broken = await Promise.race([asked.then(() => undefined), daemon.ended]);
    running.abort();

    if (broken === undefined) log.info('stopping');
    else log.error('stopping: this process cannot continue', { problem: broken.message });
    const stopped = daemon.stop().then(() => true);
    const inTime = await within({ clock: systemClock, ms: LONGEST_STOP_MS, late: () => false }, stopped);
    log.info('stopped', { state: inTime ? 'clean' : 'overdue' });
    // Nothing is lost: everything that matters was durable before it began.
    if (!inTime) process.exit(broken === undefined ? exit.ok : exit.needsPerson);
    // The supervisor starts a new process, which reads the real state.
    if (broken !== undefined) throw new Exit(exit.needsPerson, failureText(broken));
  },
});

/** Reads the configuration again; a faulty one changes nothing. */
async function applied(
  io: Io,
  given: CommonArguments,
  { daemon, log }: { daemon: Daemon; log: Log },
): Promise<void> {
  try {
    const loaded = await loadFor(io, given);
    if (!loaded.ok) {
      for (const { path, message, line } of loaded.faults)
        log.error('the configuration is faulty, and the former one stays in force', {
          path: line === undefined ? path : `${path} (line ${line})`,
          problem: message,
        });
      return;
    }
    const { applied, restart } = await daemon.reload(loaded.config);
    for (const path of applied) log.info('changed setting applied', { path });
    for (const path of restart) log.warn('changed setting needs a restart', { path });
    if (applied.length + restart.length === 0) log.info('the configuration has not changed');
  } catch (error) {
    log.error('the configuration could not be applied', { problem: failureText(error) });
  }
}
