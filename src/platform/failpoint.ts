/**
 * A named place where a test kills this process for real (`CLINIC_SYNC_CRASHPOINT=name`, optionally `name:3` for the
 * third pass), to prove that a restart from exactly here loses and doubles nothing. Inert otherwise.
 */
let passes = 0;

export function failpoint(name: string): void {
  const asked = process.env.CLINIC_SYNC_CRASHPOINT;
  if (asked === undefined) return;
  const [wanted, nth = '1'] = asked.split(':');
  if (wanted !== name) return;
  passes += 1;
  if (passes === Number(nth)) process.kill(process.pid, 'SIGKILL');
}
