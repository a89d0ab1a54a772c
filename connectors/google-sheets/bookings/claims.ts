import type { Memory } from '../../../src/connector.ts';
import type { BookingState } from '../../../src/domain/bookings/booking.ts';
import type { inputs } from '../tabs/columns.ts';

/** Hashes of what people filled in; absent where a formula came to nothing, or in claims of earlier versions. */
export type InputHashes = Partial<Record<keyof typeof inputs, string>>;

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
  /** Hash of who, when and where. */
  content: string;
  parts?: InputHashes;
  /** The row's current content, if it was changed after it was sent. */
  shown?: string | undefined;
  clinic: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** A duplicate whose row was seen without a tick, so that the next tick counts as the second. */
  unticked?: boolean;
  /** Ref of the row that it repeats. */
  of?: string;
  /** Why it is held. Absent: another row has the same content. */
  why?: 'same_person' | 'filled_down' | 'mixed';
  /** The column that was sorted alone. Absent: a name or phone that stands beside another's. */
  alone?: keyof typeof inputs | 'send';
  /** How often it was submitted and merged with an equal booking within 15 minutes. */
  merges?: number;
  /** Its person was erased: `content` is empty, and its row is never booked. */
  erased?: boolean;
}

const PREFIX = 'claim:';
const SEEN = 'seen-rows';

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
    /** What the last reading showed beside the claims. */
    seen: (): Promise<string | undefined> => memory.get(SEEN),
    saveSeen: (seen: string | undefined): Promise<void> => memory.set({ [SEEN]: seen }),
  };
}

/** The parts of a booking that its row shows. */
export interface BookingView {
  ref: string;
  state: BookingState;
  message: string | null;
  appointment_id: number | null;
  changed_at: string;
  /** The hashes of its name and phone. */
  person?: InputHashes;
  /** As the clinic shows it, else as it was sent. */
  date: string | null;
  time: string | null;
  /** The clinic's own status of the appointment. */
  status?: string;
}

/** States in which nothing was booked, and nothing will be. */
export const over: ReadonlySet<string> = new Set(['rejected', 'expired', 'dropped']);

/** Whether this claim may still lead to a visit; meanwhile no other row with its content is booked. */
export const isLive = ({ phase, booking }: Claim, bookings: ReadonlyMap<string, BookingView>): boolean =>
  phase === 'claimed' || (phase === 'accepted' && !over.has(bookings.get(booking ?? '')?.state ?? ''));

/** What differs from what was claimed: the whole row is the row. */
export function changedInputs(
  claim: Claim,
  row: { content?: string | undefined; parts: InputHashes },
): (keyof InputHashes)[] {
  const { parts = {} } = claim;
  const keys = (Object.keys(row.parts) as (keyof InputHashes)[]).filter(
    (key) => parts[key] !== undefined && parts[key] !== row.parts[key],
  );
  // The part of a phone has only its last digits.
  return keys.length === 0 && row.content !== claim.content ? ['phone'] : keys;
}

/** Whether both name the same person: the folded name, or the last digits of the phone. */
export const sharesPerson = ({ parts = {} }: Pick<Claim, 'parts'>, other: InputHashes): boolean =>
  (parts.patient !== undefined && parts.patient === other.patient) ||
  (parts.phone !== undefined && parts.phone === other.phone);

/**
 * Whether the row has the name of one patient and the phone of another, neither of whom a row shows as they were: a
 * column was sorted alone.
 */
export function isMixed(
  row: InputHashes,
  rows: readonly { parts: InputHashes }[],
  claims: readonly Claim[],
): boolean {
  const isSame = (key: 'patient' | 'phone', { parts }: Pick<Claim, 'parts'>, other: InputHashes) =>
    parts?.[key] !== undefined && parts[key] === other[key];
  const isShown = (claim: Claim) =>
    rows.some(({ parts }) => isSame('patient', claim, parts) && isSame('phone', claim, parts));
  const has = (key: 'patient' | 'phone', others: 'patient' | 'phone') =>
    claims.some(
      (claim) =>
        // Mixed itself, it says nothing of how a patient's row was.
        claim.why !== 'mixed' && isSame(key, claim, row) && !isSame(others, claim, row) && !isShown(claim),
    );
  return has('patient', 'phone') && has('phone', 'patient');
}

/** Never shaped like a booking's ref, because those are held after a restore and this row was never booked. */
export const claimSubmissionId = ({ ref, merges = 0 }: Claim): string =>
  // A merged id would only be merged again.
  `sheet:${ref.toLowerCase()}${merges === 0 ? '' : `:${merges}`}`;

/** The Ref its row should show. */
export const shownRef = ({ ref, booking }: Claim): string => booking ?? ref;
