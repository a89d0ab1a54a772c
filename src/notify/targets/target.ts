import type { NotifyTarget, TargetKind } from '../../config/notify.ts';
import {
  type CheckLine,
  type Connector,
  fail,
  type Memory,
  type OutgoingEvent,
  ok,
  warn,
} from '../../connector.ts';
import { stated } from '../../domain/texts/problem.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/duration.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { LostReason, Message, MessageType } from '../message.ts';
import type { Readers } from '../words.ts';
import { reachMailServer } from './mail.ts';
import { checkAddress, TIMEOUT_MS } from './post-message.ts';
import { sendNotification } from './send-notification.ts';
import { standingOf, type TargetStanding } from './standing.ts';
import { repeatable } from './target-answers.ts';

/** Soon at first, then for three days: what is settled meanwhile is withdrawn, so nothing outdated arrives late. */
const schedule = [
  5 * SECOND,
  15 * SECOND,
  MINUTE,
  ...Array.from({ length: (3 * DAY) / (5 * MINUTE) }, () => 5 * MINUTE),
];
/** A mail server may delay its greeting, and again the acceptance of the mail. */
const MAIL_DEADLINE_MS = 12 * MINUTE;
/** A refusal that lasts is tried so often, then rarely: each further sign-in may lock an account. */
const LASTING_TRIES = 3;
const LASTING_REST_MS = 4 * HOUR;
/** A message that may have arrived is repeated after these times. */
const repeatWaits = [5 * MINUTE, 30 * MINUTE, 4 * HOUR];

interface TargetTools extends Omit<Readers, 'language'> {
  clock: Clock;
  log: Log;
  /**
   * `begun`: the attempt whose end was not stored; `leaving`: the message of which a byte may have left since;
   * `proven`: the last one that arrived; `lost ID`: why a message was given up; `accepted ID`: recipients that need it
   * no more; `problems`: see `Standing`. Also what arrived, to change it later.
   */
  memory: Memory;
}

/**
 * A target as a connector, which gives it retries, a circuit breaker and deliveries to look at. A message ends as
 * proven, or as lost with a reason; what it was about is then owed again (`plan.ts`).
 */
export function createTarget(target: NotifyTarget, tools: TargetTools): Connector {
  const { use } = target;
  const standing = standingOf(tools);
  const delivering: Delivering = { target, tools, standing, lasting: { count: 0, untilMs: 0 } };
  return {
    events: {
      schedule,
      snapshot: false,
      // One at a time, because `begun` holds a single attempt.
      concurrency: 1,
      deadlineMs: use === 'email' ? MAIL_DEADLINE_MS : 3 * TIMEOUT_MS,
      // Messages come from the notifier, not from changes.
      wants: () => false,
      encode: () => '',
      deliver: (event, signal) => deliver(delivering, event, signal),
    },
    check: (signal) => check(target, tools.memory, signal),
    // Patient data is read when needed and not kept.
    holdsNothing: !target.includePatient,
    stop: async () => {},
  };
}

interface Delivering {
  target: NotifyTarget;
  tools: TargetTools;
  standing: TargetStanding;
  /** Refusals in a row that a person must end; a restart or a reload tries again at once. */
  lasting: { count: number; untilMs: number; last?: Failure };
}

async function deliver(delivering: Delivering, event: OutgoingEvent, signal: AbortSignal): Promise<void> {
  const { target, tools, standing, lasting } = delivering;
  const { memory, clock } = tools;
  const { id, attempt } = event;
  const isRepeatable = repeatable.includes(target.use);
  // Stopped between the proof and the note of the delivery.
  if ((await memory.get('proven')) === id) return;
  if (!isRepeatable && (await memory.get('leaving')) === id) throw await lost(delivering, id, mayHaveLeft);
  if (lasting.last !== undefined && clock.now() < lasting.untilMs)
    throw resting(lasting.last, lasting.untilMs - clock.now());
  await memory.set({ begun: `${id} ${attempt}` });
  try {
    await sendOrChange(delivering, event, {
      signal,
      ...(!isRepeatable && { leaving: () => memory.set({ leaving: id }) }),
    });
  } catch (error) {
    // Stopped: what left is known at the next start, from `leaving`.
    if (signal.aborted && !(error instanceof Failure)) throw error;
    throw await ending(delivering, event, asFailure(error, 'Sending'));
  }
  lasting.count = 0;
  delete lasting.last;
  // If that cannot be stored, the message is one whose answer was lost.
  await standing.worked();
  await memory.set({ proven: id, leaving: undefined, [`repeats ${id}`]: undefined });
}

const mayHaveLeft = new Failure({
  kind: 'ambiguous',
  message: 'The message may have been sent before the stop.',
  hint: 'What it is about is told again, as a repetition.',
});

/** What a failed attempt means for the message and for the target. */
async function ending(delivering: Delivering, { id }: OutgoingEvent, failure: Failure): Promise<Failure> {
  const { target, tools, standing, lasting } = delivering;
  const { memory, clock } = tools;
  if (failure.kind === 'refused') {
    // Not even the plain form was taken: it is the target.
    await standing.refused(failure);
    return lost(delivering, id, failure);
  }
  if (failure.kind === 'ambiguous') {
    if (failure.lasting) await standing.refused(failure);
    if (!repeatable.includes(target.use)) return lost(delivering, id, failure);
    const count = Number((await memory.get(`repeats ${id}`)) ?? 0);
    await memory.set({ begun: undefined, [`repeats ${id}`]: String(count + 1) });
    const { message, hint, said } = failure;
    const retryAfterMs = repeatWaits[Math.min(count, repeatWaits.length - 1)];
    return new Failure({ kind: 'transient', message, hint, said, retryAfterMs, cause: failure });
  }
  await memory.set({ begun: undefined, leaving: undefined });
  if (!failure.lasting || failure.single) return failure;
  lasting.count += 1;
  lasting.last = failure;
  await standing.refused(failure);
  if (lasting.count < LASTING_TRIES) return failure;
  lasting.untilMs = clock.now() + LASTING_REST_MS;
  return resting(failure, LASTING_REST_MS);
}

const resting = ({ message, hint, said, status }: Failure, retryAfterMs: number): Failure =>
  new Failure({ kind: 'transient', lasting: true, message, hint, said, status, retryAfterMs });

/** The message is given up; what it is about is owed again. */
async function lost({ tools }: Delivering, id: string, failure: Failure): Promise<Failure> {
  const why: LostReason = failure.kind === 'ambiguous' ? 'unsure' : 'refused';
  await tools.memory.set({ begun: undefined, leaving: undefined, [`lost ${id}`]: why });
  const { message, hint, said } = failure;
  return new Failure({ kind: 'refused', message, hint, said, cause: failure });
}

interface Sending {
  signal: AbortSignal;
  leaving?: () => Promise<void>;
}

/** Changes the messages about what is now settled, where that is possible; sends one otherwise. Throws `Failure`. */
async function sendOrChange(
  { target, tools, standing }: Delivering,
  event: OutgoingEvent,
  sending: Sending,
): Promise<void> {
  const { memory, clock } = tools;
  const message = JSON.parse(event.body) as Message;
  const all = { ...tools, ...sending, standing };
  if (message.closes !== undefined && target.use === 'telegram') {
    const changed = await changeArrived(message.closes.deliveries, memory, async (replaces) => {
      try {
        await sendNotification(target, event, { ...all, replaces });
        return true;
      } catch (error) {
        // It was deleted, or belongs to someone else.
        if (error instanceof Failure && error.status === CANNOT_CHANGE) return false;
        throw error;
      }
    });
    if (changed && !message.closes.toldTogether) return;
  }
  const { proof } = await sendNotification(target, event, all);
  await rememberArrival(target.use, { id: event.id, message, number: proof }, { memory, clock });
}

export const unencrypted = (host: string): CheckLine => warn(stated('mail_open', { host }));

/** Telegram’s answer when a message cannot be edited. */
const CANNOT_CHANGE = 400;

async function check(target: NotifyTarget, memory: Memory, signal: AbortSignal): Promise<CheckLine[]> {
  const { use, settings } = target;
  if (use !== 'email') return checkAddress(settings.url, target, signal);
  const { host } = settings.mail;
  try {
    const isOpen = await reachMailServer(settings, { signal, memory });
    return [isOpen ? unencrypted(host) : ok(stated('check_reachable', { host }))];
  } catch (error) {
    return [fail(asFailure(error, 'Reaching the mail server'))];
  }
}

/** Message numbers kept per target, so that settled messages can be changed; the oldest are forgotten. */
const REMEMBERED = 500;
const PREFIX = 'arrived ';
const keyOf = (delivery: string): string => `${PREFIX}${delivery}`;

const told: readonly MessageType[] = ['needs_you.opened', 'needs_you.reminder', 'health.trouble'];

interface Arrived {
  id: string;
  message: Message;
  /** The number that the target gave it. */
  number: string;
}

/** Stores the number that the target gave to a message about a single alert. */
async function rememberArrival(
  use: TargetKind,
  { id, message: { type, count }, number }: Arrived,
  { memory, clock }: { memory: Memory; clock: Clock },
): Promise<void> {
  if (use !== 'telegram' || count !== 1 || !told.includes(type)) return;
  const known = Object.entries(await memory.list(PREFIX)).toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  const old = known.slice(0, Math.max(0, known.length + 1 - REMEMBERED)).map(([key]) => [key, undefined]);
  await memory.set({ ...Object.fromEntries(old), [keyOf(id)]: `${instant(clock.now())} ${number}` });
}

/**
 * Changes each of these messages once, the newest last; `change` resolves to whether the message could still be
 * changed. Resolves to whether any could. After a failure, the next call continues where this one stopped.
 */
async function changeArrived(
  deliveries: readonly string[],
  memory: Memory,
  change: (number: string) => Promise<boolean>,
): Promise<boolean> {
  let changed = false;
  for (const key of deliveries.map(keyOf)) {
    const [at, number] = (await memory.get(key))?.split(' ') ?? [];
    if (at === undefined) continue;
    // No number: it was changed before the failure.
    const could = number === undefined || (await change(number));
    await memory.set({ [key]: could ? at : undefined });
    changed ||= could;
  }
  await memory.set(Object.fromEntries(deliveries.map((delivery) => [keyOf(delivery), undefined])));
  return changed;
}
