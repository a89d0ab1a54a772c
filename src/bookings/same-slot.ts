import { type Resemblance, resemblanceSentence, resemblances } from '../domain/bookings/resemblance.ts';
import type { Fault } from './intake/read-fields.ts';
import { heldMessage } from './messages.ts';

interface SameSlot {
  ref: string;
  resembles: Resemblance;
}

/** How a booking is held beside these; approved as it is, it is sent. */
export const suspectedBeside = (
  others: readonly SameSlot[],
  acknowledged_duplicates: readonly string[],
  duplicate_of = others[0]?.ref,
) => ({
  reason: 'duplicate_suspect' as const,
  message: heldMessage('duplicate_suspect', duplicateFaults(others)),
  acknowledged_duplicates,
  edit: { duplicate_of: duplicate_of ?? null },
});

/** One for each way in which they resemble it. */
export const duplicateFaults = (others: readonly SameSlot[]): Fault[] =>
  resemblances.flatMap((kind): Fault[] => {
    const refs = others.flatMap(({ ref, resembles }) => (resembles === kind ? ref : []));
    const message = resemblanceSentence(refs, kind);
    return refs.length === 0 ? [] : [{ field: 'booking', message, reason: 'duplicate_suspect' }];
  });
