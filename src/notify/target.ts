import type { NotifyTarget } from '../config/notify.ts';
import { type CheckLine, type Connector, fail, type OutgoingEvent, ok } from '../connector.ts';
import type { Clock } from '../platform/clock.ts';
import { destinations } from '../platform/destination.ts';
import { DAY, MINUTE, SECOND } from '../platform/duration.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { reach } from '../platform/reach.ts';
import { unreachableFailure } from '../platform/unreachable.ts';
import { reachMailServer, sendMail } from './mail.ts';
import { type LinksOf, type Message, type PatientOf, wordsOf } from './message.ts';
import { postMessage, TIMEOUT_MS } from './post-message.ts';
import { requests } from './requests.ts';

/** Soon at first, then for three days: what is settled meanwhile is taken back, so nothing old arrives late. */
const schedule = [
  5 * SECOND,
  15 * SECOND,
  MINUTE,
  ...Array.from({ length: (3 * DAY) / (5 * MINUTE) }, () => 5 * MINUTE),
];
/** A mail server may keep us waiting before it greets, and again before it takes the mail. */
const MAIL_DEADLINE_MS = 12 * MINUTE;

export interface TargetTools {
  clock: Clock;
  log: Log;
  patientOf: PatientOf;
  linksOf: LinksOf;
  /** What began to be sent and whose end was not stored; undefined: nothing. Durable when it resolves. */
  begun: { get(): Promise<string | undefined>; set(attempt: string | undefined): Promise<void> };
}

/**
 * A target as what delivers, so that it has retries, a breaker and dead deliveries. At most once: an attempt is noted before
 * anything leaves, and one that may have arrived is not repeated.
 */
export function createTarget(target: NotifyTarget, tools: TargetTools): Connector {
  const { name, settings, use } = target;
  return {
    events: {
      schedule,
      snapshot: false,
      // One after the other: the note above is of a single one.
      concurrency: 1,
      deadlineMs: use === 'email' ? MAIL_DEADLINE_MS : TIMEOUT_MS + 10 * SECOND,
      // Messages are made by the notifier, not by changes.
      wants: () => false,
      encode: () => '',
      async deliver(event, signal) {
        const attempt = `${event.id} ${event.attempt}`;
        if ((await tools.begun.get()) === attempt) {
          tools.log.warn('a notification may have been sent before the stop, and is not repeated', {
            connector: name,
            delivery: event.id,
          });
          return;
        }
        await tools.begun.set(attempt);
        try {
          await send(target, event, { ...tools, signal });
        } catch (error) {
          const failure = asFailure(error, 'Sending');
          if (failure.kind !== 'ambiguous') await tools.begun.set(undefined);
          if (failure.kind !== 'ambiguous' || signal.aborted) throw error;
          const { message, hint } = failure;
          throw new Failure({ kind: 'refused', message, hint, cause: failure });
        }
      },
    },
    check: (signal) => check(target, signal),
    // Words about patients are read when they are needed, and not kept.
    holdsNothing: !target.includePatient,
    stop: async () => {},
  };

  async function check({ allowNetworks }: NotifyTarget, signal: AbortSignal): Promise<CheckLine[]> {
    const url = URL.parse(use === 'email' ? settings.smtp : settings.url);
    if (url === null) return [fail({ message: 'The address cannot be read.' })];
    try {
      if (use === 'email') await reachMailServer(settings, signal);
      else await reach({ url, destinations: destinations(allowNetworks), timeoutMs: 15 * SECOND }, signal);
      return [ok(`${url.host} can be reached`)];
    } catch (error) {
      return [fail(error instanceof Failure ? error : unreachableFailure(error, url.host))];
    }
  }
}

interface Sending extends Pick<TargetTools, 'clock' | 'log' | 'patientOf' | 'linksOf'> {
  signal: AbortSignal;
}

/** Sends once. Resolves to how many recipients of a mail were refused. Throws `Failure`. */
export async function send(
  target: NotifyTarget,
  { id, body }: Pick<OutgoingEvent, 'id' | 'body'>,
  { clock, log, patientOf, linksOf, signal }: Sending,
): Promise<number> {
  const message = JSON.parse(body) as Message;
  const words = await wordsOf(message, {
    patientOf: target.includePatient ? patientOf : async () => undefined,
    linksOf,
  });
  const nowMs = clock.now();
  const outgoing = { id, message, words, nowMs };
  if (target.use !== 'email') {
    await postMessage(requests[target.use](target, outgoing), target, { nowMs, signal });
    return 0;
  }
  const refused = await sendMail(target.settings, outgoing, signal);
  if (refused > 0)
    log.warn('the mail server refused recipients of a notification', {
      connector: target.name,
      count: refused,
    });
  return refused;
}
