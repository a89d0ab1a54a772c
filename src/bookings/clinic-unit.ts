import type { Clinic } from '../clinic/clinic.ts';
import type { ClinicSettings } from '../config/config.ts';
import type { Booking, BookingState } from '../domain/bookings/booking.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import type { Need } from '../domain/status/report.ts';
import { Failure } from '../platform/failure.ts';
import type { Changes } from './booking-changes.ts';
import { DAEMON } from './booking-parts.ts';
import type { DispatchParts } from './dispatch/dispatch.ts';
import { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
import { createHousekeeping } from './housekeeping.ts';
import type { Intake } from './intake/intake.ts';
import { reconcile } from './reconciliation/reconcile.ts';
import { type StatusReads, watched } from './status-reads.ts';

interface ClinicUnitParts extends DispatchParts {
  intake: Intake;
  changes: Changes;
}

/**
 * Everything that runs for one clinic's bookings. Started and stopped once; a restarted clinic gets a new unit. Before
 * `start` it only serves users, like a command running beside the daemon.
 */
export interface ClinicUnit {
  readonly settings: ClinicSettings;
  readonly clinic: Clinic;
  readonly dispatcher: Dispatcher;
  readonly reads: StatusReads;
  readonly isRunning: boolean;
  /** Looks for an unknown booking at the clinic. Concurrent calls for one booking share one probe. */
  probe(booking: Booking, by: string, signal: AbortSignal): Promise<Booking>;
  /** Call after recovery. */
  start(): Promise<void>;
  wake(): void;
  /** See `Bookings.stop`. Idempotent. */
  stop(): Promise<void>;
}

/** States with nothing to send, and nothing to count at the clinic. */
const waits: ReadonlySet<BookingState> = new Set(['received', 'held']);

export function createClinicUnit(parts: ClinicUnitParts): ClinicUnit {
  const { settings, changes } = parts;
  const stopping = new AbortController();
  const dispatcher = createDispatcher(parts);
  /** A failed read through this also invalidates the counter: it must be read again before the next send. */
  const clinic = watched(parts.clinic, dispatcher.invalidateReading);

  const probing = new Map<string, Promise<Booking>>();
  const probe = (booking: Booking, by: string, asked: AbortSignal): Promise<Booking> => {
    const { ref } = booking;
    const underWay = probing.get(ref);
    if (underWay !== undefined) return underWay;
    const signal = AbortSignal.any([asked, stopping.signal]);
    const look = reconcile({ ...parts, clinic, booking, by, signal }).finally(() => probing.delete(ref));
    probing.set(ref, look);
    return look;
  };

  const housekeeping = createHousekeeping({
    ...parts,
    clinic,
    probe: (booking, signal) => probe(booking, DAEMON, signal),
  });
  let unsubscribe = () => {};
  let isRunning = false;

  return {
    settings,
    clinic: parts.clinic,
    dispatcher,
    reads: clinic,
    probe,
    get isRunning() {
      return isRunning;
    },
    async start() {
      isRunning = true;
      unsubscribe = changes.subscribe((booking) => {
        if (booking.clinic !== settings.key) return;
        if (!waits.has(booking.state)) dispatcher.wake();
        housekeeping.onBookingChanged(booking);
      });
      dispatcher.start();
      await housekeeping.start();
    },
    wake() {
      dispatcher.wake();
      housekeeping.wake();
    },
    async stop() {
      isRunning = false;
      stopping.abort(new Failure({ kind: 'transient', message: 'clinic-sync is stopping.' }));
      await Promise.all([dispatcher.stop(), housekeeping.stop()]);
      unsubscribe();
    },
  };
}

/** What a paused clinic needs from a user; empty when the pause ends without one. */
export function pauseNeed({ settings, dispatcher }: ClinicUnit): Need[] {
  const { pause } = dispatcher.view();
  if (pause === null || pause.kind === 'limit' || pause.kind === 'unreachable') return [];
  const { key: clinic } = settings;
  return [
    conditionNeed(pause.until === null ? 'lane_person' : 'lane_waits', {
      ...{ subject: clinic, clinic, since: pause.since, detail: pause.reason },
    }),
  ];
}
