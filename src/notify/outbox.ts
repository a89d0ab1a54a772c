import { deliveriesTo } from '../config/notify.ts';
import type { Told } from '../domain/status/target-report.ts';
import { runReport } from '../domain/texts/problem.ts';
import type { Instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';
import type { LostReason } from './message.ts';
import type { Notice } from './situation.ts';
import { problemsIn } from './targets/standing.ts';

/** What waits for a target, and what became of it. */
export interface Outbox {
  /** Deliveries that nobody there has. */
  waiting: Set<string>;
  /** One of them was tried in vain. */
  isFailing: boolean;
  /** Deliveries that were given up, and whether they may have arrived. */
  lost: Map<string, LostReason | undefined>;
}

type Stores = Pick<Store, 'deliveries' | 'keyValue'>;
export const memoryOf = (target: string): string => `connector:${deliveriesTo(target)}`;
/** Where it is stored what each target was told. */
export const NOTICES = 'notify';
const LOST = 'lost ';
const ACCEPTED = 'accepted ';

export async function outboxOf(target: string, { deliveries, keyValue }: Stores): Promise<Outbox> {
  const connector = deliveriesTo(target);
  const counts = await deliveries.counts(connector);
  const pendingOnes = counts.pending === 0 ? [] : await deliveries.list({ connector, state: 'pending' });
  // Read after the others: what died meanwhile is lost, not delivered.
  const dead =
    counts.dead === 0 && pendingOnes.length === 0 ? [] : await deliveries.list({ connector, state: 'dead' });
  const deadIds = dead.map(({ id }) => id);
  const reasons = deadIds.length === 0 ? {} : await keyValue.list(memoryOf(target), LOST);
  const accepted = pendingOnes.length === 0 ? {} : await keyValue.list(memoryOf(target), ACCEPTED);
  // What some recipients have is not waiting: the others get it later.
  const waiting = pendingOnes.filter(
    ({ id }) => accepted[`${ACCEPTED}${id}`] === undefined && !deadIds.includes(id),
  );
  return {
    lost: new Map(deadIds.map((id) => [id, reasons[`${LOST}${id}`] as LostReason | undefined])),
    waiting: new Set(waiting.map(({ id }) => id)),
    isFailing: waiting.some(({ attempts }) => attempts > 0),
  };
}

/** Where the last `notify test` of each target is stored. */
const TESTED = 'notify_test';

/** Stores when `notify test` tried a target, and whether a message arrived. */
export const noteTest = (
  target: string,
  { at, arrived }: { at: Instant; arrived: boolean },
  { keyValue }: Pick<Store, 'keyValue'>,
): Promise<void> => keyValue.set(TESTED, { [target]: `${at} ${arrived ? 'arrived' : 'failed'}` });

/** What a target has been told, what it has not been told yet or not proven that it was, and when it was last tried. */
export async function toldTo(target: string, { deliveries, keyValue }: Stores): Promise<Told> {
  const { last_success_at, last_failure_at } = await deliveries.connector(deliveriesTo(target));
  const [tested, outcome] = ((await keyValue.get(TESTED, target))?.split(' ') ?? []) as [Instant?, string?];
  const latest = (...all: (Instant | null | undefined)[]) =>
    all
      .filter((at) => at != null)
      .toSorted()
      .at(-1) ?? null;
  const { waiting } = await outboxOf(target, { deliveries, keyValue });
  const notices = Object.entries(await keyValue.list(NOTICES, `${target} `))
    .map(([, stored]) => JSON.parse(stored) as Notice)
    .filter(({ owed, delivery }) => owed === true || waiting.has(delivery));
  return {
    last_proof_at: latest(last_success_at, outcome === 'arrived' ? tested : null),
    last_tried_at: latest(last_success_at, last_failure_at, tested),
    owed: notices.length,
    owed_since: notices.map(({ owed, first, at }) => (owed ? first : at)).toSorted()[0] ?? null,
  };
}

/** Once the things of lost messages are owed again. */
export async function forgetLost(
  target: string,
  { lost }: Outbox,
  { deliveries, keyValue }: Stores,
  at: Instant,
): Promise<void> {
  for (const id of lost.keys()) {
    await deliveries.decide(deliveriesTo(target), 'skip', at, id);
    await keyValue.set(memoryOf(target), { [`${LOST}${id}`]: undefined, [`${ACCEPTED}${id}`]: undefined });
  }
}

/** Reports what the target’s own process found wrong. Resolves to what was reported, to be compared next time. */
export async function reportProblems(
  target: string,
  reported: string | undefined,
  { deliveries, keyValue }: Stores,
  at: Instant,
): Promise<string> {
  const stored = await keyValue.get(memoryOf(target), 'problems');
  const found = stored ?? '';
  if (found !== reported)
    await deliveries.report(deliveriesTo(target), {}, { state: runReport(problemsIn(stored), at) });
  return found;
}
