import type { Booking } from '../../model/booking.ts';
import { type Clock, instant } from '../../model/clock.ts';
import { crashpoint } from '../../model/crashpoint.ts';
import { Failure } from '../../model/failure.ts';
import { fold } from '../../model/fold.ts';
import type { Log } from '../../model/log.ts';
import type { Store } from '../../store/store.ts';
import { compare, isSame } from './compare.ts';
import { nextProbe, probeRange } from './probe-plan.ts';
import type { StatusReads } from './status-reads.ts';

const BETWEEN_PROBES_MS = 2_000;

export const verdicts = {
  found: 'Exactly one appointment has the name, date and time.',
  several: 'Several appointments have the name, date and time.',
  shared: 'One appointment has the name, date and time, and another unknown booking asks for the same.',
  none: 'No appointment among them has the name, date and time. That is evidence, not proof.',
  partly: 'No appointment among those looked at has the name, date and time, and not all could be looked at.',
  nowhere: 'There is no appointment number of ours from before to start looking at.',
} as const;
export type Verdict = keyof typeof verdicts;

interface Reconcile {
  store: Store;
  clinic: StatusReads;
  clock: Clock;
  log: Log;
  booking: Booking;
  /** Who asked: a person's name, or the daemon. */
  by: string;
  signal: AbortSignal;
}

/**
 * Looks for an unknown booking among the clinic's newest appointments, slowly and after everything else. Exactly one
 * that nobody else can claim is ours; anything else is only written down. Names are compared here and forgotten.
 * Throws `Failure` when the clinic cannot be read; then nothing is concluded.
 */
export async function reconcile(options: Reconcile): Promise<Booking> {
  const { store, clinic, clock, log, booking, signal } = options;
  const { ref } = booking;
  const ownIds = await store.bookings.ownIds(booking.clinic);
  const range = probeRange(booking.evidence?.highest_own_id, booking.evidence?.sent_at, ownIds);
  if (range === undefined) return await conclude(options, 'nowhere', [], []);

  const probed: number[] = [];
  const matching: number[] = [];
  let misses = 0;
  let next = nextProbe(range, probed, misses);
  while (next.id !== undefined) {
    if (probed.length > 0) await clock.sleep(BETWEEN_PROBES_MS, signal);
    const seen = await clinic.appointmentStatus(next.id, signal, 'probe');
    crashpoint('bookings.after_probe');
    probed.push(next.id);
    if (seen === undefined) misses += 1;
    else if (isSame(compare(booking, next.id, seen))) matching.push(next.id);
    next = nextProbe(range, probed, misses);
  }
  log.info('unknown booking looked for', { clinic: booking.clinic, ref, count: probed.length });

  const claimable: number[] = [];
  for (const id of matching)
    if ((await store.bookings.linked(booking.clinic, id)) === undefined) claimable.push(id);
  if (claimable.length > 1) return await conclude(options, 'several', probed, claimable);
  const [only] = claimable;
  if (only === undefined)
    return await conclude(options, next.complete ? 'none' : 'partly', probed, claimable);
  if (await hasTwin(store, booking)) return await conclude(options, 'shared', probed, claimable);
  return await conclude(options, 'found', probed, claimable);
}

/** Another for the same name, date and time that may be the one found: which of the two exists, only a person can say. */
async function hasTwin(store: Store, booking: Booking): Promise<boolean> {
  const states = ['sending', 'unknown', 'booked_no_id'] as const;
  const open = await store.bookings.list({ clinic: booking.clinic, states });
  return open.some(
    (other) =>
      other.ref !== booking.ref &&
      other.appointment_date === booking.appointment_date &&
      other.appointment_time === booking.appointment_time &&
      fold(other.patient_name ?? '') === fold(booking.patient_name ?? ''),
  );
}

async function conclude(
  { store, clock, booking, by }: Reconcile,
  verdict: Verdict,
  probed_ids: number[],
  matching_ids: number[],
): Promise<Booking> {
  const evidence = { probed_ids, matching_ids, verdict: verdicts[verdict] };
  const { ref } = booking;
  crashpoint('bookings.before_conclusion');
  const [only] = matching_ids;
  if (verdict === 'found' && only !== undefined) {
    try {
      const moved = await store.bookings.move({
        ref,
        from: ['unknown'],
        to: 'booked',
        actor: 'daemon',
        by,
        at: instant(clock.now()),
        reason: null,
        message: 'It was found at the clinic by its name, date and time.',
        appointment_id: only,
        evidence,
      });
      if (moved !== undefined) return moved;
    } catch (error) {
      // Linked to another booking a moment ago: no longer a match of ours.
      if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
      await store.bookings.note(ref, { ...evidence, matching_ids: [], verdict: verdicts.none });
    }
  } else await store.bookings.note(ref, evidence);
  return (await store.bookings.get(ref)) ?? booking;
}
