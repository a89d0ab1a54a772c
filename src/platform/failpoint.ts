import { channel } from 'node:diagnostics_channel';

/** For tests that share their process with daemons: receives every name passed, in the daemon's own async context. */
const passed = channel('clinic-sync:failpoint');

/** Read once: a look into the environment costs more than the rest, and every lead passes several points. */
const asked = process.env.CLINIC_SYNC_CRASHPOINT;
let passes = 0;

/**
 * A named place where a test kills this process for real (`CLINIC_SYNC_CRASHPOINT=name`, or `name:3` for the third
 * pass), to prove that a restart from exactly here loses and doubles nothing. Otherwise a no-op.
 */
export function failpoint(name: string): void {
  if (passed.hasSubscribers) passed.publish(name);
  if (asked === undefined) return;
  const [wanted, nth = '1'] = asked.split(':');
  if (wanted !== name) return;
  passes += 1;
  if (passes === Number(nth)) process.kill(process.pid, 'SIGKILL');
}
