import type { ClinicSettings } from '../../config/config.ts';
import type { Booking, Evidence } from '../../domain/bookings/booking.ts';
import { seenOf } from '../../domain/bookings/booking-seen.ts';
import { type Instant, instant } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import { failpoint } from '../../platform/failpoint.ts';
import type { BookingParts } from '../booking-parts.ts';
import { type Comparison, compare, differences, isSame, leftOut, shows } from '../comparison.ts';
import { verificationSentences } from '../messages.ts';
import type { StatusReads } from '../status-reads.ts';

/** A server may take a while to show an appointment it confirmed; after this, a user is asked. */
const PATIENCE_MS = 10 * MINUTE;
const AGAIN_MS = 30_000;
/** Interval of later tries; a successful one withdraws the question. */
const SELDOM_MS = 15 * MINUTE;
/** Consecutive failures after which the clinic, not the booking, is at fault. */
const FAILURES_AT_MOST = 3;

const isUnverified = ({ state, appointment_id, verified_at }: Booking) =>
  state === 'booked' && appointment_id !== null && verified_at === null;

interface Waiting {
  appointment_id: number;
  /** On the monotonic clock, so that early wake-ups of the loop do not shorten the ten minutes. */
  since: number;
  next: number;
  /** The last try in vain since a user is asked. */
  failedAt?: Instant;
}

interface VerificationParts extends Pick<BookingParts, 'store' | 'clock' | 'log'> {
  clinic: StatusReads;
  settings: Pick<ClinicSettings, 'key' | 'bookings'>;
}

/** Reads the status after each confirmation: the clinic may have recorded something other than the request. */
export function createVerification({ clinic, settings, store, clock, log }: VerificationParts) {
  const waiting = new Map<string, Waiting>();
  const isPatient = ({ since }: Waiting) => clock.monotonic() - since < PATIENCE_MS;

  /** What the clinic shows, if anything. `failed`: why it could not be read. */
  const look = async (booking: Booking, signal: AbortSignal): Promise<{ seen?: Seen; failed?: unknown }> => {
    const id = booking.appointment_id ?? 0;
    try {
      const shown = await clinic.appointmentStatus(id, signal, 'status');
      if (shown === undefined) return {};
      // Of a person erased meanwhile, there is no name left to compare.
      const patient_name = booking.patient_name ?? shown.name;
      const seen = seenIn(compare({ ...booking, patient_name }, id, shown));
      const twin = seen.verification === 'matches' ? await twinOf(booking, id, signal) : undefined;
      return { seen: twin === undefined ? seen : asTwin(id, twin) };
    } catch (failed) {
      return { failed };
    }
  };

  const hasMoreThanOurs = async ({ evidence }: Booking, signal: AbortSignal): Promise<boolean> => {
    const { counter_before: before } = evidence ?? {};
    if (before?.value == null || settings.bookings.reconcile === 'off') return false;
    const value = await clinic.appointmentCount(signal);
    const own = await store.bookings.confirmedBetween(settings.key, before.at, instant(clock.now()));
    // This one counts in any case, however fast it was.
    return value !== null && value - before.value > Math.max(1, own);
  };

  /**
   * A proxy may deliver one request twice. If the clinic has more appointments than we booked, an equal one next to
   * ours is its twin.
   */
  const twinOf = async (booking: Booking, id: number, signal: AbortSignal): Promise<number | undefined> => {
    if (!(await hasMoreThanOurs(booking, signal))) return undefined;
    for (const next of [id - 1, id + 1].filter((one) => one > 0)) {
      if ((await store.bookings.linked(settings.key, next)) !== undefined) continue;
      const shown = await clinic.appointmentStatus(next, signal, 'status');
      if (shown !== undefined && isSame(compare(booking, next, shown))) return next;
    }
    return undefined;
  };

  /** Without effect if the booking changed meanwhile: it is read again at the next tick. */
  const note = async (booking: Booking, seen: Seen, isFinal: boolean) => {
    const { ref, attempt, clinic: key } = booking;
    const verified_at = isFinal ? { verified_at: instant(clock.now()) } : {};
    const asRead = { ref, attempt, seen: seenOf(booking) };
    if (!(await store.bookings.note({ ...asRead, evidence: seen, ...verified_at }))) return;
    failpoint('bookings.after_verification');
    if (isFinal) waiting.delete(ref);
    if (seen.mismatch.length > 0) log.warn('the appointment differs from the request', { clinic: key, ref });
  };

  const waitOn = async (booking: Booking, wait: Waiting, failed: unknown) => {
    wait.next = clock.monotonic() + (isPatient(wait) ? AGAIN_MS : SELDOM_MS);
    if (isPatient(wait)) return;
    wait.failedAt = instant(clock.now());
    if (booking.evidence?.verification === undefined) await note(booking, inVain(booking, failed), false);
  };

  /** A user is asked no longer than until the mirror has the appointment, which it reads by a schedule of its own. */
  const hasten = async () => {
    const asked = [...waiting.values()].filter(({ failedAt }) => failedAt !== undefined);
    if (asked.length === 0) return;
    const ids = asked.map(({ appointment_id }) => appointment_id);
    const shown = await store.appointments.list(settings.key, ids);
    const seenAt = new Map(
      shown.map((one) => [one.appointment_id, one.status === null ? null : one.seen_at]),
    );
    for (const wait of asked)
      if ((seenAt.get(wait.appointment_id) ?? '') > (wait.failedAt ?? '')) wait.next = clock.monotonic();
  };

  /** Verifies one booking; resolves to the error when the clinic could not be read. */
  const verify = async (ref: string, wait: Waiting, signal: AbortSignal): Promise<unknown> => {
    const booking = await store.bookings.get(ref);
    if (booking === undefined || !isUnverified(booking)) {
      waiting.delete(ref);
      return undefined;
    }
    const { seen, failed } = await look(booking, signal);
    if (signal.aborted) throw signal.reason;
    failpoint('bookings.after_status_read');
    if (seen?.verification === 'partly' && isPatient(wait)) {
      wait.next = wait.since + PATIENCE_MS;
      await note(booking, seen, false);
    } else if (seen !== undefined) await note(booking, seen, true);
    else await waitOn(booking, wait, failed);
    return failed;
  };

  return {
    onBookingChanged(booking: Booking): void {
      const { ref, appointment_id } = booking;
      const now = clock.monotonic();
      if (isUnverified(booking) && appointment_id !== null && !waiting.has(ref))
        waiting.set(ref, { appointment_id, since: now, next: now });
    },
    isWaiting: () => waiting.size > 0,
    /** Reads all that are due, the longest-waiting first. Throws the last failure once the clinic seems down. */
    async run(signal: AbortSignal): Promise<void> {
      await hasten();
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

type Seen = Required<Pick<Evidence, 'verification' | 'mismatch' | 'left_out'>> & Pick<Evidence, 'shows'>;

const asTwin = (id: number, twin: number): Seen => ({
  verification: 'twice',
  mismatch: [`The clinic has this visit twice: appointments ${id} and ${twin}.`],
  left_out: [],
});

function seenIn(comparison: Comparison): Seen {
  const mismatch = differences(comparison);
  const left_out = leftOut(comparison);
  if (mismatch.length > 0) return { verification: 'differs', mismatch, left_out, shows: shows(comparison) };
  return { verification: left_out.length > 0 ? 'partly' : 'matches', mismatch, left_out };
}

/** What a user is asked about after ten minutes. */
const inVain = ({ appointment_id }: Booking, failed: unknown): Seen =>
  failed === undefined
    ? {
        verification: 'not_found',
        mismatch: [`The clinic does not know the appointment number ${appointment_id} that it gave.`],
        left_out: [],
      }
    : {
        verification: 'unread',
        mismatch: [verificationSentences.unread],
        left_out: [],
      };
