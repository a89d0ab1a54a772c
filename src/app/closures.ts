import type { Config } from '../config/config.ts';
import { CLOSURES, closureIn, closureUntil, isClosed } from '../domain/clinics/closure.ts';
import type { Done } from '../http/admin.ts';
import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Store } from '../store/store.ts';

interface Options {
  store: Pick<Store, 'keyValue'>;
  clinics: Config['clinics'];
  clock: Clock;
}

/**
 * Answers “closed until …” to the message that no leads arrive. Resolves to what was noted. Throws `Failure` refused.
 */
export async function answerSilence(
  clinic: string,
  day: string,
  { store: { keyValue }, clinics, clock }: Options,
): Promise<Done> {
  const zone = clinics.find(({ key }) => key === clinic)?.timezone;
  if (zone === undefined)
    throw new Failure({ kind: 'refused', status: 404, message: `There is no clinic ${clinic}.` });
  const now = clock.now();
  const before = closureIn(await keyValue.get(CLOSURES, clinic));
  const closure = closureUntil(day, { zone, now, before });
  await keyValue.set(CLOSURES, { [clinic]: JSON.stringify(closure) });
  const closed = isClosed(closure, zone, now);
  const message = closed
    ? `${clinic} is closed until ${closure.until}: nobody is told meanwhile that no leads arrive.`
    : `${clinic} is open: people are told again when no leads arrive.`;
  return {
    ok: true,
    message,
    said: closed ? 'closed' : 'open',
    ref: clinic,
    data: { clinic, closed_until: closed ? closure.until : null },
  };
}
