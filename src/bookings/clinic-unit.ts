import type { Clinic } from '../clinic/clinic.ts';
import type { ClinicSettings } from '../config/config.ts';
import type { Booking } from '../domain/booking.ts';
import type { Need } from '../domain/report.ts';
import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import type { Changes } from './changes.ts';
import type { Settling } from './clinic-counter.ts';
import { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
import { createHousekeeping } from './housekeeping.ts';
import type { Intake } from './intake/intake.ts';
import { reconcile } from './reconciliation/reconcile.ts';
import { type StatusReads, watched } from './status-reads.ts';

interface ClinicUnitOptions {
  clinic: Clinic;
  settings: ClinicSettings;
  settling: Settling;
  intake: Intake;
  changes: Changes;
  store: Store;
  clock: Clock;
  log: Log;
  random: () => number;
}

/** What runs for the bookings of one clinic. Started and stopped once; a clinic that comes back gets a new one. */
export interface ClinicUnit {
  readonly settings: ClinicSettings;
  readonly dispatcher: Dispatcher;
  readonly reads: StatusReads;
  /** Looks for an unknown booking. Users who ask for the same look share it: the clinic is asked once. */
  probe(booking: Booking, by: string, signal: AbortSignal): Promise<Booking>;
  /** After recovery. */
  start(): Promise<void>;
  wake(): void;
  /** See `Bookings.stop`. Idempotent. */
  stop(): Promise<void>;
}

export function createClinicUnit(options: ClinicUnitOptions): ClinicUnit {
  const { clinic, settings, settling, intake, changes, store, clock, log, random } = options;
  const { onBookingChanged } = changes;
  const stopping = new AbortController();
  const dispatcher = createDispatcher({
    clinic,
    settings,
    settling,
    store,
    clock,
    log,
    random,
    onBookingChanged,
  });
  /** A read that fails here is an error at the clinic all the same: another read comes before the next send. */
  const reads = watched(clinic, dispatcher.invalidateReading);

  const probing = new Map<string, Promise<Booking>>();
  const probe = (booking: Booking, by: string, asked: AbortSignal): Promise<Booking> => {
    const { ref } = booking;
    const underWay = probing.get(ref);
    if (underWay !== undefined) return underWay;
    const signal = AbortSignal.any([asked, stopping.signal]);
    const look = reconcile({ store, clinic: reads, clock, log, booking, by, signal }).finally(() =>
      probing.delete(ref),
    );
    probing.set(ref, look);
    return look;
  };

  const housekeeping = createHousekeeping({
    clinic: reads,
    settings,
    store,
    intake,
    clock,
    log,
    onBookingChanged,
    probe: (booking, signal) => probe(booking, 'clinic-sync', signal),
  });
  const unsubscribe = changes.subscribe((booking) => {
    if (booking.clinic !== settings.key) return;
    dispatcher.wake();
    housekeeping.onBookingChanged(booking);
  });

  return {
    settings,
    dispatcher,
    reads,
    probe,
    async start() {
      dispatcher.start();
      await housekeeping.start();
    },
    wake() {
      dispatcher.wake();
      housekeeping.wake();
    },
    async stop() {
      stopping.abort(new Failure({ kind: 'transient', message: 'clinic-sync is stopping.' }));
      await Promise.all([dispatcher.stop(), housekeeping.stop()]);
      unsubscribe();
    },
  };
}

/** What a person is asked about a clinic whose bookings are paused; a pause that ends automatically asks for nothing. */
export function pauseNeed({ settings, dispatcher }: ClinicUnit): Need[] {
  const { pause } = dispatcher.view();
  if (pause === null || pause.kind === 'limit' || pause.kind === 'unreachable') return [];
  const clinic = settings.key;
  const endsAlone = pause.until !== null;
  return [
    {
      kind: 'clinic',
      clinic,
      subject: clinic,
      sentence: `Bookings of ${clinic} are not being sent. ${pause.reason}`,
      action: endsAlone
        ? 'Nothing, if the clinic is only down: they go on when it answers again.'
        : `Look at the bookings named here, then: \`clinic-sync bookings resume ${clinic}\``,
      since: pause.since,
      urgent: !endsAlone,
    },
  ];
}
