import type { ClinicSettings } from '../config/config.ts';
import type { Booking } from '../model/booking.ts';
import { type Clock, instant } from '../model/clock.ts';
import { crashpoint } from '../model/crashpoint.ts';
import { asFailure } from '../model/failure.ts';
import type { Log } from '../model/log.ts';
import { type Loop, startLoop } from '../model/loop.ts';
import type { Store } from '../store/store.ts';
import { compare, differences } from './compare.ts';
import { isCounted } from './counter.ts';
import { expiresAt } from './expiry.ts';
import { flagMismatch } from './mismatch.ts';
import { expiredMessage } from './sentences.ts';
import type { StatusReads } from './status-reads.ts';

const EVERY_MS = 30_000;
/** Status reads of a fresh booking; after that the mirror's own polls show what the clinic has. */
const READS_AT_MOST = 5;
const WEEK_MS = 7 * 24 * 60 * 60_000;
export const matchesMessage = 'The clinic shows the same name, date and time.';

interface CareOptions {
  clinic: StatusReads;
  settings: ClinicSettings;
  store: Store;
  clock: Clock;
  log: Log;
  moved: (booking: Booking) => void;
  /** Checks a `received` booking again; resolves to it when it moved. */
  recheck: (booking: Booking) => Promise<Booking | undefined>;
  probe: (booking: Booking, signal: AbortSignal) => Promise<Booking>;
}

/** What becomes of bookings beside being sent: lists that arrive, time that passes, numbers to be verified. */
export function createCare(options: CareOptions): { start(): void; wake(): void; stop(): Promise<void> } {
  const { clinic, settings, store, clock, log, moved, recheck, probe } = options;
  const key = settings.key;
  const tries = new Map<string, number>();
  const probed = new Set<string>();
  let loop: Loop | undefined;

  const expire = async () => {
    const waiting = await store.bookings.list({ clinic: key, states: ['received', 'held', 'queued'] });
    const nowMs = clock.now();
    for (const booking of waiting) {
      if ((expiresAt(booking, settings.timezone) ?? Infinity) > nowMs) continue;
      crashpoint('bookings.before_expiry');
      const expired = await store.bookings.move({
        ref: booking.ref,
        from: [booking.state],
        to: 'expired',
        actor: 'daemon',
        by: 'clinic-sync',
        at: instant(nowMs),
        reason: null,
        message: expiredMessage,
      });
      crashpoint('bookings.after_expiry');
      if (expired !== undefined) moved(expired);
    }
  };

  const check = async () => {
    const received = await store.bookings.list({ clinic: key, states: ['received'] });
    for (const booking of received) {
      const checked = await recheck(booking);
      if (checked !== undefined) moved(checked);
    }
  };

  /** One status read after a confirmation: the clinic may have written down something else than we asked for. */
  const verify = async (signal: AbortSignal) => {
    const since = instant(clock.now() - WEEK_MS);
    const booked = await store.bookings.list({ clinic: key, states: ['booked'], since });
    for (const booking of booked) {
      if (booking.appointment_id === null || booking.evidence?.verdict) continue;
      const { ref, appointment_id } = booking;
      const tried = tries.get(ref) ?? 0;
      if (tried >= READS_AT_MOST) continue;
      tries.set(ref, tried + 1);
      const seen = await clinic.appointmentStatus(appointment_id, signal, 'status');
      crashpoint('bookings.after_status_read');
      const mismatch =
        seen === undefined
          ? [`The clinic does not know the appointment number ${appointment_id} that it gave.`]
          : differences(compare(booking, appointment_id, seen));
      if (mismatch.length > 0) {
        await flagMismatch(store, ref, mismatch);
        log.warn('appointment is not what was asked for', { clinic: key, ref, appointment_id });
      }
      await store.bookings.note(ref, {
        verdict:
          mismatch.length === 0 ? matchesMessage : 'The clinic shows something else than we asked for.',
      });
      crashpoint('bookings.after_verification');
      tries.delete(ref);
      moved(booking);
    }
  };

  /** `reconcile: auto`: once for each unknown outcome, after it has settled and the counter was read again. */
  const lookFor = async (signal: AbortSignal) => {
    if (settings.bookings.reconcile !== 'auto') return;
    const unknown = await store.bookings.list({ clinic: key, states: ['unknown'] });
    for (const booking of unknown) {
      const send = `${booking.ref}/${booking.attempt}`;
      if (!isCounted(booking) || booking.evidence?.verdict || probed.has(send)) continue;
      moved(await probe(booking, signal));
      probed.add(send);
    }
  };

  /** One part that fails must not keep the others from running. */
  const part = async (what: string, run: () => Promise<void>, signal: AbortSignal) => {
    if (signal.aborted) return;
    try {
      await run();
    } catch (error) {
      if (signal.aborted) return;
      log.warn('looking after bookings failed', {
        clinic: key,
        kind: what,
        problem: asFailure(error, what).message,
      });
    }
  };

  const tick = async (signal: AbortSignal) => {
    await part('expiry', expire, signal);
    await part('check', check, signal);
    await part('verification', () => verify(signal), signal);
    await part('reconciliation', () => lookFor(signal), signal);
    return EVERY_MS;
  };

  return {
    start() {
      loop ??= startLoop({ clock, log, name: 'bookings care', tick });
    },
    wake() {
      loop?.wake();
    },
    async stop() {
      await loop?.stop();
    },
  };
}
