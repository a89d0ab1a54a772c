import type { ClinicSettings } from '../../config/config.ts';
import type { Booking } from '../../model/booking.ts';
import { type Clock, instant } from '../../model/clock.ts';
import { crashpoint } from '../../model/crashpoint.ts';
import { asFailure } from '../../model/failure.ts';
import type { Log } from '../../model/log.ts';
import { type Loop, startLoop } from '../../model/loop.ts';
import type { Store } from '../../store/store.ts';
import { expiresAt } from '../accepting/expiry.ts';
import { expiredMessage } from '../sentences.ts';
import { compare, differences } from './compare.ts';
import { isCounted } from './counter.ts';
import { raiseFlag } from './mismatch.ts';
import type { StatusReads } from './status-reads.ts';

const EVERY_MS = 30_000;
/** Ten minutes of asking what the clinic has; then a person is asked to look. */
const READS_AT_MOST = 20;
const matchesMessage = 'The clinic shows the same name, date and time.';
const differsMessage = 'The clinic shows something else than we asked for.';
const unverifiable = 'The clinic could not be asked what it has under this number.';

const isUnverified = ({ state, appointment_id, evidence }: Booking) =>
  state === 'booked' && appointment_id !== null && !evidence?.verdict;

export interface Care {
  start(): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
  /** A booking has moved. */
  notice(booking: Booking): void;
}

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
export function createCare(options: CareOptions): Care {
  const { clinic, settings, store, clock, log, moved, recheck, probe } = options;
  const key = settings.key;
  /** Freshly booked, with how often the clinic was asked about it. */
  const toVerify = new Map<string, number>();
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
    for (const [ref, tried] of toVerify) {
      const booking = await store.bookings.get(ref);
      if (booking === undefined || !isUnverified(booking)) {
        toVerify.delete(ref);
        continue;
      }
      toVerify.set(ref, tried + 1);
      const mismatch = await differencesAtClinic(booking, signal).catch((error: unknown) => {
        if (signal.aborted || tried + 1 < READS_AT_MOST) throw error;
        return [unverifiable];
      });
      crashpoint('bookings.after_status_read');
      const wrong = mismatch.length > 0;
      if (wrong) await raiseFlag(store, ref);
      await store.bookings.note(ref, { verdict: wrong ? differsMessage : matchesMessage, mismatch });
      crashpoint('bookings.after_verification');
      toVerify.delete(ref);
      if (wrong) log.warn('appointment is not what was asked for', { clinic: key, ref });
    }
  };

  const differencesAtClinic = async (booking: Booking, signal: AbortSignal): Promise<string[]> => {
    const id = booking.appointment_id ?? 0;
    const seen = await clinic.appointmentStatus(id, signal, 'status');
    if (seen === undefined) return [`The clinic does not know the appointment number ${id} that it gave.`];
    return differences(compare(booking, id, seen));
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
    async start() {
      // Booked just before a crash, and not verified yet.
      const booked = await store.bookings.list({ clinic: key, states: ['booked'] });
      for (const booking of booked) if (isUnverified(booking)) toVerify.set(booking.ref, 0);
      loop ??= startLoop({ clock, log, name: 'bookings care', tick });
    },
    wake() {
      loop?.wake();
    },
    notice(booking) {
      if (isUnverified(booking)) toVerify.set(booking.ref, 0);
    },
    async stop() {
      await loop?.stop();
    },
  };
}
