import type { Booking, Verification } from '../../domain/booking.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import { compare, differences } from '../comparison.ts';
import type { StatusReads } from '../status-reads.ts';

/** A server may show an appointment a while after it confirmed it; then a person is asked to look. */
const PATIENCE_MS = 10 * 60_000;
const AGAIN_MS = 30_000;
/** A question may answer itself: the clinic is asked on, seldom. */
const SELDOM_MS = 15 * 60_000;
/** So many failures one after another are the clinic's, not the bookings'. */
const FAILURES_AT_MOST = 3;

const isUnverified = ({ state, appointment_id, verified_at }: Booking) =>
  state === 'booked' && appointment_id !== null && verified_at === null;

interface Waiting {
  /** On the monotonic clock: what is booked is looked at for ten minutes, however often the loop is woken. */
  since: number;
  next: number;
}

interface VerificationOptions {
  clinic: StatusReads;
  store: Store;
  clock: Clock;
  log: Log;
}

/** One status read after a confirmation: the clinic may have written down something else than we asked for. */
export function createVerification({ clinic, store, clock, log }: VerificationOptions) {
  const waiting = new Map<string, Waiting>();

  /** What the clinic shows; undefined: it cannot be said yet. */
  const look = async (booking: Booking, signal: AbortSignal): Promise<Seen | undefined> => {
    const id = booking.appointment_id ?? 0;
    const seen = await clinic.appointmentStatus(id, signal, 'status');
    if (seen === undefined) return undefined;
    const mismatch = differences(compare(booking, id, seen));
    return { verification: mismatch.length > 0 ? 'differs' : 'matches', mismatch };
  };

  const settle = async ({ ref, attempt, clinic: key }: Booking, { verification, mismatch }: Seen) => {
    const wrong = mismatch.length > 0;
    const final = verification === 'matches' || verification === 'differs';
    const verified_at = final ? { verified_at: instant(clock.now()) } : {};
    await store.bookings.note({ ref, attempt, evidence: { verification, mismatch }, ...verified_at });
    failpoint('bookings.after_verification');
    if (final) waiting.delete(ref);
    if (wrong) log.warn('appointment is not what was asked for', { clinic: key, ref });
  };

  /** Looks at one; resolves to the error of a clinic that could not be asked. */
  const verify = async (ref: string, { since }: Waiting, signal: AbortSignal): Promise<unknown> => {
    const booking = await store.bookings.get(ref);
    if (booking === undefined || !isUnverified(booking)) {
      waiting.delete(ref);
      return undefined;
    }
    let failed: unknown;
    const seen = await look(booking, signal).catch((error: unknown) => {
      failed = error;
      return undefined;
    });
    if (signal.aborted) throw signal.reason;
    failpoint('bookings.after_status_read');
    if (seen !== undefined) {
      await settle(booking, seen);
      return undefined;
    }
    const tired = clock.monotonic() - since >= PATIENCE_MS;
    waiting.set(ref, { since, next: clock.monotonic() + (tired ? SELDOM_MS : AGAIN_MS) });
    const known = booking.evidence?.verification;
    if (tired && known === undefined) await settle(booking, inVain(booking, failed));
    return failed;
  };

  return {
    onBookingChanged(booking: Booking): void {
      if (isUnverified(booking) && !waiting.has(booking.ref))
        waiting.set(booking.ref, { since: clock.monotonic(), next: clock.monotonic() });
    },
    /** Looks at all that are due, those that wait longest first. Throws the last failure once the clinic seems down. */
    async run(signal: AbortSignal): Promise<void> {
      const due = [...waiting].filter(([, { next }]) => next <= clock.monotonic());
      due.sort(([, a], [, b]) => a.next - b.next);
      let failures = 0;
      for (const [ref, wait] of due) {
        const failed = await verify(ref, wait, signal);
        failures = failed === undefined ? 0 : failures + 1;
        if (failures >= FAILURES_AT_MOST) throw failed;
      }
    },
  };
}

interface Seen {
  verification: Verification;
  mismatch: string[];
}

/** What a person is asked after ten minutes. */
const inVain = ({ appointment_id }: Booking, failed: unknown): Seen =>
  failed === undefined
    ? {
        verification: 'not_found',
        mismatch: [`The clinic does not know the appointment number ${appointment_id} that it gave.`],
      }
    : { verification: 'unread', mismatch: ['The clinic could not be asked what it has under this number.'] };
