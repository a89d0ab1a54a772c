import type { NotifyTarget } from '../config/notify.ts';
import { type CheckLine, type Connector, fail, type Memory, type OutgoingEvent, ok } from '../connector.ts';
import type { Clock } from '../platform/clock.ts';
import { destinations } from '../platform/destination.ts';
import { DAY, MINUTE, SECOND } from '../platform/duration.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { reach } from '../platform/reach.ts';
import { unreachableFailure } from '../platform/unreachable.ts';
import { changeArrived, rememberArrival } from './arrived.ts';
import { reachMailServer, sendMail } from './mail.ts';
import type { Message } from './message.ts';
import { postMessage, TIMEOUT_MS } from './post-message.ts';
import { requests } from './requests.ts';
import { type Readers, wordsOf } from './words.ts';

/** Soon at first, then for three days: what is settled meanwhile is withdrawn, so nothing outdated arrives late. */
const schedule = [
  5 * SECOND,
  15 * SECOND,
  MINUTE,
  ...Array.from({ length: (3 * DAY) / (5 * MINUTE) }, () => 5 * MINUTE),
];
/** A mail server may delay its greeting, and again the acceptance of the mail. */
const MAIL_DEADLINE_MS = 12 * MINUTE;

interface TargetTools extends Omit<Readers, 'language'> {
  clock: Clock;
  log: Log;
  /** Key `begun`: the attempt whose end was not stored. Also stores what arrived, to change it later. */
  memory: Memory;
}

/**
 * A target as a connector, which gives it retries, a circuit breaker and dead deliveries. At most once: an attempt is
 * recorded before anything is sent, and one that may have arrived is not repeated.
 */
export function createTarget(target: NotifyTarget, tools: TargetTools): Connector {
  const { name, settings, use } = target;
  const { memory } = tools;
  return {
    events: {
      schedule,
      snapshot: false,
      // One at a time, because `begun` holds a single attempt.
      concurrency: 1,
      deadlineMs: use === 'email' ? MAIL_DEADLINE_MS : TIMEOUT_MS + 10 * SECOND,
      // Messages come from the notifier, not from changes.
      wants: () => false,
      encode: () => '',
      async deliver(event, signal) {
        const attempt = `${event.id} ${event.attempt}`;
        if ((await memory.get('begun')) === attempt) {
          tools.log.warn('a notification may have been sent before the stop, and is not repeated', {
            connector: name,
            delivery: event.id,
          });
          return;
        }
        await memory.set({ begun: attempt });
        try {
          const sending = { ...tools, signal };
          if (await isClosed(target, event, sending)) return;
          const { message, answer } = await send(target, event, sending);
          await rememberArrival(use, { id: event.id, message, answer }, tools);
        } catch (error) {
          const failure = asFailure(error, 'Sending');
          if (failure.kind !== 'ambiguous') await memory.set({ begun: undefined });
          if (failure.kind !== 'ambiguous' || signal.aborted) throw error;
          const { message, hint } = failure;
          throw new Failure({ kind: 'refused', message, hint, cause: failure });
        }
      },
    },
    check: (signal) => check(target, signal),
    // Patient data is read when needed and not kept.
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

interface Sending extends Omit<TargetTools, 'memory'> {
  signal: AbortSignal;
}

/** Telegram answers 400 for a message that was deleted or belongs to someone else. */
const CANNOT_CHANGE = 400;

/** Changes the messages about what is now settled. True when no further message is needed. Throws `Failure`. */
async function isClosed(
  target: NotifyTarget,
  event: Pick<OutgoingEvent, 'id' | 'body'>,
  sending: Sending & TargetTools,
): Promise<boolean> {
  const { closes } = JSON.parse(event.body) as Message;
  if (closes === undefined || target.use !== 'telegram') return false;
  const changed = await changeArrived(closes.deliveries, sending.memory, async (replaces) => {
    try {
      await send(target, event, sending, replaces);
      return true;
    } catch (error) {
      if (error instanceof Failure && error.status === CANNOT_CHANGE) return false;
      throw error;
    }
  });
  return changed && !closes.toldTogether;
}

interface Sent {
  message: Message;
  /** Number of refused recipients of a mail. */
  refused: number;
  /** What the target answered. */
  answer: string;
}

/** Sends once, or changes the message that it `replaces`. Throws `Failure`. */
export async function send(
  target: NotifyTarget,
  { id, body }: Pick<OutgoingEvent, 'id' | 'body'>,
  { clock, log, patientOf, linksOf, clinics, signal }: Sending,
  replaces?: string,
): Promise<Sent> {
  const message = JSON.parse(body) as Message;
  const words = await wordsOf(message, {
    language: target.language,
    clinics,
    patientOf: target.includePatient ? patientOf : async () => undefined,
    linksOf,
  });
  const nowMs = clock.now();
  // For ntfy, the id of the delivery is also the message's number.
  const former = target.use === 'ntfy' ? message.closes?.deliveries.at(-1) : replaces;
  const outgoing = { id, message, words, nowMs, replaces: former };
  if (target.use !== 'email') {
    const request = requests[target.use](target, outgoing);
    return { message, refused: 0, answer: await postMessage(request, target, { nowMs, signal }) };
  }
  const refused = await sendMail(target.settings, outgoing, signal);
  if (refused > 0)
    log.warn('the mail server refused recipients of a notification', {
      connector: target.name,
      count: refused,
    });
  return { message, refused, answer: '' };
}
