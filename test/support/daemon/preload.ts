import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { flushCompileCache } from 'node:module';

/** What a test may ask of a daemon that is already running. */
export type Asked =
  /** From now on this point ends the process. */
  | { do: 'arm'; failpoint: string; signal: NodeJS.Signals }
  /** Keeps what was compiled, so that the next start is faster. */
  | { do: 'keep_compiled' };

/**
 * Loaded before the real program, which knows nothing of it: points are named by environment for the whole life of a
 * process, and a test wants to name them once the process has come to rest.
 */
const ending = (process.env.ENDING ?? 'SIGKILL') as NodeJS.Signals;
const kill = process.kill.bind(process);
process.kill = (pid, signal) => kill(pid, pid === process.pid && signal === 'SIGKILL' ? ending : signal);

process.on('message', (asked: Asked) => {
  if (asked.do === 'keep_compiled') flushCompileCache();
  else
    subscribe('clinic-sync:failpoint', function end(name) {
      if (name !== asked.failpoint) return;
      unsubscribe('clinic-sync:failpoint', end);
      kill(process.pid, asked.signal);
    });
  process.send?.('done');
});
// The test's line to us is no reason to live on.
process.channel?.unref();
