import type { Booking, BookingState, Evidence, ProbeVerdict } from '../../domain/bookings/booking.ts';
import { instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { Failure } from '../../platform/failure.ts';
import { fold } from '../../platform/text/fold.ts';
import type { Store } from '../../store/store.ts';
import type { BookingParts } from '../booking-parts.ts';
import { compare, isSame } from '../comparison.ts';
import type { StatusReads } from '../status-reads.ts';
import { nextProbe, type ProbeRange, probeRange } from './probe-plan.ts';

const BETWEEN_PROBES_MS = 2_000;

interface Reconcile extends Pick<BookingParts, 'store' | 'clock' | 'log'> {
  clinic: StatusReads;
  booking: Booking;
  /** A user's name, or the daemon's. */
  by: string;
  signal: AbortSignal;
}

/**
 * Looks for an unknown booking among the clinic's newest appointments, slowly and at the lowest priority. A single
 * match that no other booking can claim is ours; anything else is only evidence. Names are compared here and never
 * stored. Throws `Failure` when the clinic cannot be read; then nothing is concluded.
 */
export async function reconcile(options: Reconcile): Promise<Booking> {
  const { store, log, booking } = options;
  const range = await probeRange(store, booking);
  if (range === undefined) return await conclude(options, 'nowhere', [], []);

  const { probed, matching, complete } = await probe(options, range);
  log.info('looking for an unknown booking', {
    clinic: booking.clinic,
    ref: booking.ref,
    count: probed.length,
  });
  const claimable: number[] = [];
  for (const id of matching)
    if ((await store.bookings.linked(booking.clinic, id)) === undefined) claimable.push(id);
  return await conclude(options, await verdictOn(options, claimable, complete), probed, claimable);
}

/** Reads one number after another. `complete`: the whole range was read. */
async function probe({ clinic, clock, booking, signal }: Reconcile, range: ProbeRange) {
  const probed: number[] = [];
  const matching: number[] = [];
  let misses = 0;
  for (;;) {
    const next = nextProbe(range, probed, misses);
    if (next.id === undefined) return { probed, matching, complete: next.complete };
    if (probed.length > 0) await clock.sleep(BETWEEN_PROBES_MS, signal);
    const seen = await clinic.appointmentStatus(next.id, signal, 'probe');
    failpoint('bookings.after_probe');
    probed.push(next.id);
    if (seen === undefined) misses += 1;
    else if (isSame(compare(booking, next.id, seen))) matching.push(next.id);
  }
}

async function verdictOn({ store, booking }: Reconcile, claimable: readonly number[], complete: boolean) {
  if (claimable.length > 1) return 'several';
  if (claimable.length === 0) return complete ? 'none' : 'partly';
  return (await hasTwin(store, booking)) ? 'shared' : 'found';
}

const mayBeThisOne: readonly BookingState[] = ['sending', 'unknown', 'booked_no_id'];

/** True when the match may belong to another booking for this name, date and time: then a user decides. */
async function hasTwin(store: Store, booking: Booking): Promise<boolean> {
  const { ref, clinic, patient_name, appointment_date, appointment_time } = booking;
  const others = await store.bookings.atTime(clinic, appointment_date ?? '', appointment_time ?? '');
  return others.some(
    (other) =>
      other.ref !== ref &&
      mayBeThisOne.includes(other.state) &&
      fold(other.patient_name ?? '') === fold(patient_name ?? ''),
  );
}

/** Applies only to the attempt that was probed: a booking resent meanwhile is left alone. */
async function conclude(
  { store, clock, booking, by }: Reconcile,
  verdict: ProbeVerdict,
  probed_ids: number[],
  matching_ids: number[],
): Promise<Booking> {
  const evidence = { probed_ids, matching_ids, verdict };
  const { ref, attempt } = booking;
  const at = instant(clock.now());
  failpoint('bookings.before_conclusion');
  const [only] = matching_ids;
  if (verdict === 'found' && only !== undefined) {
    try {
      const moved = await store.bookings.move({
        ref,
        attempt,
        from: ['unknown'],
        to: 'booked',
        actor: 'daemon',
        by,
        at,
        reason: null,
        message: 'It was found at the clinic by its name, date and time.',
        appointment_id: only,
        evidence: { ...evidence, verification: 'matches' },
        verified_at: at,
      });
      if (moved !== undefined) return moved;
    } catch (error) {
      // Linked to another booking a moment ago, so it no longer matches.
      if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
      const none: Evidence = { ...evidence, matching_ids: [], verdict: 'none' };
      await store.bookings.note({ ref, attempt, evidence: none });
    }
  } else await store.bookings.note({ ref, attempt, evidence });
  return (await store.bookings.get(ref)) ?? booking;
}
