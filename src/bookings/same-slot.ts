import type { Fault } from './intake/read-fields.ts';
import { heldMessage } from './messages.ts';

/** How a booking is held beside these; approved as it is, it is sent. */
export const suspectedBeside = (
  others: readonly string[],
  acknowledged_duplicates: readonly string[],
  duplicate_of = others[0],
) => ({
  reason: 'duplicate_suspect' as const,
  message: heldMessage('duplicate_suspect', [duplicateFault(others)]),
  acknowledged_duplicates,
  edit: { duplicate_of: duplicate_of ?? null },
});

export const duplicateFault = (refs: readonly string[]): Fault => ({
  field: 'booking',
  message: `${refs.join(' and ')} ${refs.length === 1 ? 'has' : 'have'} the same phone number, date and time.`,
  reason: 'duplicate_suspect',
});
