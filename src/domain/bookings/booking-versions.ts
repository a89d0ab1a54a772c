import type { Booking } from './booking.ts';

type Version = Pick<Booking, 'received_at' | 'duplicate_of'> & { state: string };

/** What counts of the bookings made of one submission: the latest that was released, else the earliest that waits. */
export function standing<T extends Version>(versions: readonly T[]): T | undefined {
  const kept = versions.filter(({ state }) => state !== 'dropped');
  return latest(kept.filter(({ state }) => state !== 'held')) ?? earliest(kept) ?? earliest(versions);
}

/** Of those of one millisecond, the one held beside no other. */
export const earliest = <T extends Version>(versions: readonly T[]): T | undefined =>
  versions.reduce<T | undefined>((first, one) => {
    if (first === undefined || one.received_at < first.received_at) return one;
    return one.received_at === first.received_at && one.duplicate_of === null ? one : first;
  }, undefined);

export const latest = <T extends Version>(versions: readonly T[]): T | undefined =>
  versions.reduce<T | undefined>(
    (last, one) => (last === undefined || one.received_at > last.received_at ? one : last),
    undefined,
  );
