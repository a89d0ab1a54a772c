import type { TargetKind } from '../../config/notify.ts';
import type { Memory } from '../../connector.ts';
import type { Clock } from '../../platform/clock.ts';
import { instant } from '../../platform/clock.ts';
import type { Message, MessageType } from '../message.ts';

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
export async function rememberArrival(
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
export async function changeArrived(
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
