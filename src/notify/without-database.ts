import { randomUUID } from 'node:crypto';
import { deliveriesTo, type Topic } from '../config/notify.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import { type Instant, instant } from '../platform/clock.ts';
import { asFailure, type Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import type { Message, MessageType } from './message.ts';
import type { SilenceWatchOptions } from './silence-watch.ts';

/** A single failure may be a hiccup. */
const FAILURES = 3;

type WithoutDatabaseOptions = Pick<SilenceWatchOptions, 'targets' | 'clinics' | 'publicUrl' | 'clock'> & {
  log: Log;
};

/**
 * A problem of the database cannot be recorded in it, so it is sent at once and only once to each target, and so is the
 * recovery. A message that fails is not retried.
 */
export function withoutDatabase({ targets, clinics, clock, log, publicUrl }: WithoutDatabaseOptions) {
  const url = publicUrl ?? null;
  let failures = 0;
  let since: Instant = instant(0);
  const say = async (
    type: MessageType,
    condition: 'database' | 'database_works',
    detail: string | null,
    topics: readonly Topic[],
    signal: AbortSignal,
  ) => {
    const { sendNotification } = await import('./targets/send-notification.ts');
    const at = instant(clock.now());
    const item = { ...conditionNeed(condition, { since, detail }), clinic: null, url };
    const body = JSON.stringify({
      ...{ type, at, count: 1, kinds: { database: 1 }, url },
      items: [{ ...item, urgent: true }],
    } satisfies Message);
    const wanted = targets.filter(({ on }) => on.some((topic) => topics.includes(topic)));
    await Promise.all(
      wanted.map((target) =>
        sendNotification(
          target,
          { id: `ntf_${randomUUID()}`, body },
          { clock, signal, clinics, patientOf: async () => undefined, linksOf: async () => [] },
        ).catch((error: unknown) => {
          const { message } = asFailure(error, 'Sending');
          log.warn('a notification could not be sent', {
            connector: deliveriesTo(target.name),
            problem: message,
          });
        }),
      ),
    );
  };
  return {
    async failed({ message }: Failure, signal: AbortSignal): Promise<void> {
      if (failures === 0) since = instant(clock.now());
      failures += 1;
      if (failures === FAILURES)
        await say('health.trouble', 'database', message, ['needs_you', 'trouble', 'disk'], signal);
    },
    async worked(signal: AbortSignal): Promise<void> {
      const wasSaid = failures >= FAILURES;
      failures = 0;
      if (wasSaid) await say('health.recovered', 'database_works', null, ['recovered'], signal);
    },
  };
}
