import type { Memory } from '../../../src/connector.ts';
import type { BookingState } from '../../../src/domain/booking.ts';

/**
 * What we know about a row that we answered. `claimed`: a Ref was written, nothing is booked · `duplicate`: it has a
 * Ref, but is held · `accepted`: it is a booking · `withdrawn`: it never became one.
 */
export interface Claim {
  /** The Ref written first. */
  ref: string;
  /** The booking's own ref, which replaces it. */
  booking?: string;
  phase: 'claimed' | 'duplicate' | 'accepted' | 'withdrawn';
  content: string;
  /** The row's current content, if it was changed after it was sent. */
  shown?: string | undefined;
  clinic: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** A duplicate whose row was seen without a tick, so that the next tick counts as the second. */
  unticked?: boolean;
  /** Ref of the row that it repeats. */
  of?: string;
  /** How often it was submitted and merged with an equal booking within 15 minutes. */
  merges?: number;
  /** Its person was erased: `content` is empty, and its row is never booked. */
  erased?: boolean;
}

const PREFIX = 'claim:';

/** Stored in the daemon's database, so that a restart between two readings books nothing twice. */
export type Claims = ReturnType<typeof createClaims>;

export function createClaims(memory: Memory) {
  return {
    all: async (): Promise<Claim[]> =>
      Object.values(await memory.list(PREFIX)).map((text) => JSON.parse(text) as Claim),
    async save(claims: readonly Claim[]): Promise<void> {
      if (claims.length > 0)
        await memory.set(
          Object.fromEntries(claims.map((claim) => [PREFIX + claim.ref, JSON.stringify(claim)])),
        );
    },
    async forget(claims: readonly Claim[]): Promise<void> {
      if (claims.length > 0)
        await memory.set(Object.fromEntries(claims.map(({ ref }) => [PREFIX + ref, undefined])));
    },
  };
}

/** The parts of a booking that its row shows. */
export interface BookingView {
  ref: string;
  state: BookingState;
  message: string | null;
  appointment_id: number | null;
  changed_at: string;
  /** The clinic's own status of the appointment. */
  status?: string;
}

const over = new Set(['rejected', 'expired', 'dropped']);

/** Whether this claim may still lead to a visit; meanwhile no other row with its content is booked. */
export const isLive = ({ phase, booking }: Claim, bookings: ReadonlyMap<string, BookingView>): boolean =>
  phase === 'claimed' || (phase === 'accepted' && !over.has(bookings.get(booking ?? '')?.state ?? ''));

/** Never shaped like a booking's ref, because those are held after a restore and this row was never booked. */
export const submissionId = ({ ref, merges = 0 }: Claim): string =>
  // A merged id would only be merged again.
  `sheet:${ref.toLowerCase()}${merges === 0 ? '' : `:${merges}`}`;

/** The Ref its row should show. */
export const shownRef = ({ ref, booking }: Claim): string => booking ?? ref;
