import type { Clinic } from '../clinic/clinic.ts';
import type { ClinicSettings } from '../config/config.ts';
import type { AcceptedBooking, BookingDoor } from '../connector.ts';
import type { Booking } from '../domain/booking.ts';
import type { ActionName, ChosenNames } from '../domain/booking-actions.ts';
import type { Need } from '../domain/report.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { createSettling } from './clinic-counter.ts';
import { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
import { createHousekeeping, type Housekeeping } from './housekeeping.ts';
import type { Verdict } from './intake/check.ts';
import { createFacts } from './intake/facts.ts';
import { createIntake } from './intake/intake.ts';
import { holds } from './messages.ts';
import { reconcile } from './reconciliation/reconcile.ts';
import { createRecovery } from './recovery.ts';
import { availableActions, type Circumstances, refusal } from './review/available-actions.ts';
import {
  createDecisions,
  type Decision,
  type Decisions,
  type Edit,
  type Resolved,
} from './review/decisions.ts';
import { type Description, describe } from './review/explain.ts';
import type { ReviewItem } from './review/review-item.ts';
import { createReviewQueue } from './review/review-queue.ts';
import { type StatusReads, watched } from './status-reads.ts';

export interface BookingsOptions {
  store: Store;
  clinics: ReadonlyMap<string, { clinic: Clinic; settings: ClinicSettings }>;
  sources: ReadonlyMap<string, { approval: 'none' | 'required' }>;
  clock: Clock;
  log: Log;
  /** After every move of a booking, so that deliveries can go out at once. Must not throw. */
  onBookingChanged?: (booking: Booking) => void;
  /** In [0, 1); for the jitter of waits. */
  random?: () => number;
}

/**
 * Every lead becomes one booking, sent at most once, or a question for a person. See docs/bookings.md.
 * What a person decides throws `Failure` refused, changing nothing, when the booking is not in a state for it.
 */
export interface Bookings extends BookingDoor, Decisions {
  /** Reads which dispatchers are paused, for whoever only looks and never starts. */
  loadPauses(): Promise<void>;
  /** Recovers what a crash left behind, then starts to send. Once. */
  start(): Promise<void>;
  /** At most 9 s: a booking on the wire gets 8 s for its answer and is then recorded as unknown. Idempotent. */
  stop(): Promise<void>;
  /** Sends nothing more to this clinic until the next start; its leads are stored and wait. As `stop`. */
  stopClinic(clinic: string): Promise<void>;
  /** The mirror has changed, or there may be something to send. */
  wake(): void;
  /** Looks for an unknown booking at the clinic, on a person's request. Takes up to two minutes. */
  reconcile(ref: string, by: string): Promise<Description>;
  /** A person has seen that a booked appointment is not as asked for. */
  acknowledge(ref: string, by: string): Promise<void>;
  describe(ref: string): Promise<Description>;
  /** What the clinic calls the dentist and the treatment that it names by number. */
  chosen(booking: Booking): Promise<ChosenNames>;
  sendingState(clinic: string): { state: 'open' | 'paused'; reason: string | null; since: Instant | null };
  pauseSending(clinic: string, by: string, why?: string): Promise<void>;
  resumeSending(clinic: string, by: string): Promise<void>;
  /** Bookings that wait for a person, the most urgent first, with the alerts that are due. */
  reviewItems(): Promise<ReviewItem[]>;
  /** `reviewItems()` and paused clinics, for the status page. */
  needs(): Promise<Need[]>;
}

export function createBookings(options: BookingsOptions): Bookings {
  const { store, clinics, sources, clock, log, random = Math.random } = options;
  const stopping = new AbortController();
  const settling = createSettling(clock);
  const facts = createFacts({ store, clock });
  const settingsOf = new Map([...clinics].map(([key, { settings }]) => [key, settings]));
  const isRestored = () =>
    store.identity.restored ||
    [...dispatchers.values()].some((dispatcher) => dispatcher.view().pause?.kind === 'restored');
  const intake = createIntake({ store, clinics: settingsOf, sources, facts, clock, isRestored });
  const probing = new Map<string, Promise<Booking>>();
  /** What names no clinic is read by the first one's clock. */
  const [first] = settingsOf.values();
  const zoneOf = (clinic: string) => (settingsOf.get(clinic) ?? first)?.timezone ?? 'UTC';
  const reviewQueue = createReviewQueue({ store, zoneOf, clock, log });

  const onBookingChanged = (booking: Booking) => {
    options.onBookingChanged?.(booking);
    reviewQueue.onBookingChanged(booking);
    dispatchers.get(booking.clinic)?.wake();
    housekeepings.get(booking.clinic)?.notice(booking);
  };
  const dispatchers = new Map<string, Dispatcher>(
    [...clinics].map(([key, parts]) => [
      key,
      createDispatcher({ ...parts, settling, store, clock, log, random, onBookingChanged }),
    ]),
  );
  /** A read that fails here is an error at the clinic all the same: the dispatcher has to look before it sends again. */
  const reads = new Map<string, StatusReads>(
    [...clinics].map(([key, { clinic }]) => [
      key,
      watched(clinic, () => dispatchers.get(key)?.invalidateReading()),
    ]),
  );
  /** What is known around a booking now: by it a person's actions are offered, taken and refused. */
  const circumstances = async (booking: Booking): Promise<Circumstances & { verdict: Verdict }> => {
    const settings = settingsOf.get(booking.clinic);
    const { duplicate_of, changed_fields } = booking;
    return {
      clinicKnown: settings !== undefined,
      verdict: await intake.checkAgain(booking, booking, 'person'),
      settlesInMs: booking.state === 'unknown' ? settling.inMs(booking) : 0,
      mayLook: settings !== undefined && settings.bookings.reconcile !== 'off',
      first:
        duplicate_of === null || changed_fields.length === 0
          ? undefined
          : await store.bookings.get(duplicate_of),
    };
  };
  const assertAvailable = async (booking: Booking, action: ActionName) => {
    const refused = refusal(booking, action, await circumstances(booking));
    if (refused !== undefined) throw new Failure({ kind: 'refused', ...refused });
  };
  const decisions = createDecisions({ store, reads, intake, clock, circumstances, signal: stopping.signal });
  const recovery = createRecovery({ store, dispatchers, intake, clock, log, onBookingChanged });

  /** Two who ask for the same look share it: the clinic is asked once. */
  const probe = (booking: Booking, by: string, signal: AbortSignal): Promise<Booking> => {
    const { ref } = booking;
    const clinic = reads.get(booking.clinic);
    if (clinic === undefined) throw noSuchClinic(booking.clinic);
    const under = probing.get(ref);
    if (under !== undefined) return under;
    const look = reconcile({ store, clinic, clock, log, booking, by, signal }).finally(() =>
      probing.delete(ref),
    );
    probing.set(ref, look);
    return look;
  };

  const housekeepings = new Map<string, Housekeeping>(
    [...clinics].map(([key, { clinic, settings }]) => [
      key,
      createHousekeeping({
        clinic: reads.get(key) ?? clinic,
        settings,
        store,
        clock,
        log,
        onBookingChanged,
        recheck: recovery.recheck,
        probe: (booking, signal) => probe(booking, 'clinic-sync', signal),
      }),
    ]),
  );

  const dispatcherOf = (clinic: string): Dispatcher => {
    const dispatcher = dispatchers.get(clinic);
    if (dispatcher === undefined) throw noSuchClinic(clinic);
    return dispatcher;
  };
  const get = async (ref: string) => {
    const booking = await store.bookings.get(ref);
    if (booking === undefined)
      throw new Failure({ kind: 'refused', status: 404, message: `There is no booking ${ref}.` });
    return booking;
  };
  const inWords = async (booking: Booking): Promise<Description> =>
    describe(booking, zoneOf(booking.clinic), availableActions(booking, await circumstances(booking)));
  const told = (booking: Booking): Booking => {
    onBookingChanged(booking);
    return booking;
  };

  return {
    async loadPauses() {
      for (const dispatcher of dispatchers.values()) await dispatcher.loadPause();
    },
    async start() {
      await recovery.recover();
      for (const dispatcher of dispatchers.values()) dispatcher.start();
      for (const housekeeping of housekeepings.values()) await housekeeping.start();
      reviewQueue.start();
    },
    async stop() {
      stopping.abort(new Failure({ kind: 'transient', message: 'clinic-sync is stopping.' }));
      const parts = [...dispatchers.values(), ...housekeepings.values(), reviewQueue];
      await Promise.all(parts.map((part) => part.stop()));
    },
    async stopClinic(clinic) {
      await Promise.all([dispatchers.get(clinic)?.stop(), housekeepings.get(clinic)?.stop()]);
    },
    wake() {
      facts.forget();
      for (const part of [...dispatchers.values(), ...housekeepings.values()]) part.wake();
    },

    async accept(submission) {
      if (stopping.signal.aborted) throw stopping.signal.reason;
      const { booking, result } = await intake.accept(submission);
      if (result === 'new') {
        log.info('booking accepted', {
          clinic: booking.clinic,
          connector: booking.source,
          ref: booking.ref,
          state: booking.state,
          reason: booking.reason ?? '',
        });
        onBookingChanged(booking);
      }
      return answer(booking, result === 'new');
    },
    async validate(submission) {
      const faults = await intake.validate(submission);
      return faults.map(({ field, message }) => ({ field, message }));
    },
    async find(source, ref) {
      const booking = await store.bookings.get(ref);
      const isTheirs = booking !== undefined && (await store.bookings.cameFrom(ref, source));
      return isTheirs ? answer(booking, false) : undefined;
    },

    approve: async (ref, by, why) => told(await decisions.approve(ref, by, why)),
    take: async (ref, by, why) => {
      const taken = await decisions.take(ref, by, why);
      const dropped = taken.duplicate_of === null ? undefined : await store.bookings.get(taken.duplicate_of);
      if (dropped?.state === 'dropped') onBookingChanged(dropped);
      return told(taken);
    },
    edit: async (ref: string, fields: Edit, by: string) => told(await decisions.edit(ref, fields, by)),
    drop: async (ref, by, why) => told(await decisions.drop(ref, by, why)),
    async resolve(ref: string, decision: Decision, by: string): Promise<Resolved> {
      const resolved = await decisions.resolve(ref, decision, by);
      if (resolved.ok) onBookingChanged(resolved.booking);
      return resolved;
    },
    async acknowledge(ref, by) {
      const booking = await get(ref);
      await assertAvailable(booking, 'acknowledge');
      await store.bookings.note({
        ref,
        attempt: booking.attempt,
        evidence: { mismatch: [], verification: 'acknowledged', seen_by: by },
        verified_at: instant(clock.now()),
      });
      log.info('difference acknowledged', { ref, kind: by === '' ? 'nobody' : 'person' });
    },

    async reconcile(ref, by) {
      const booking = await get(ref);
      await assertAvailable(booking, 'reconcile');
      const looked = told(await probe(booking, by, stopping.signal));
      return inWords(looked);
    },
    async describe(ref) {
      const booking = await get(ref);
      const described = await inWords(booking);
      // What ended before the copy was made may have been approved after it.
      const isForgotten = booking.state === 'rejected' || booking.state === 'expired';
      if (!isForgotten || !isRestored()) return described;
      return {
        ...described,
        sentence: `${holds.restored_state.means} When it was made: ${described.sentence}`,
      };
    },

    async chosen({ clinic, doctor_id, treatment_id }) {
      const settings = settingsOf.get(clinic);
      if (settings === undefined) return { doctor: null, treatment: null };
      const { dentists = [], treatments = [] } = await facts.of(settings);
      const nameIn = (candidates: typeof dentists, asked: number | null) =>
        candidates.find(({ id }) => id === asked)?.name ?? null;
      return { doctor: nameIn(dentists, doctor_id), treatment: nameIn(treatments, treatment_id) };
    },

    sendingState(clinic) {
      const { pause } = dispatcherOf(clinic).view();
      return pause === null
        ? { state: 'open', reason: null, since: null }
        : { state: 'paused', reason: pause.reason, since: pause.since };
    },
    async pauseSending(clinic, by, why) {
      await dispatcherOf(clinic).pause('person', `Paused by ${by}${why === undefined ? '.' : `: ${why}`}`);
    },
    async resumeSending(clinic, by) {
      log.info('bookings resumed', { clinic, kind: by === '' ? 'nobody' : 'person' });
      await dispatcherOf(clinic).resume(by);
    },

    reviewItems: reviewQueue.waiting,
    async needs() {
      const paused = [...dispatchers].flatMap(([clinic, dispatcher]): Need[] => {
        const { pause } = dispatcher.view();
        // What passes by itself asks nobody for anything.
        if (pause === null || pause.kind === 'limit' || pause.kind === 'unreachable') return [];
        const alone = pause.until !== null;
        return [
          {
            kind: 'clinic',
            clinic,
            subject: clinic,
            sentence: `Bookings of ${clinic} are not being sent. ${pause.reason}`,
            action: alone
              ? 'Nothing, if the clinic is only down: they go on when it answers again.'
              : `Look at the bookings named here, then: \`clinic-sync bookings resume ${clinic}\``,
            since: pause.since,
            urgent: !alone,
          },
        ];
      });
      return [...paused, ...(await reviewQueue.waiting())];
    },
  };
}

const noSuchClinic = (clinic: string) =>
  new Failure({ kind: 'refused', message: `There is no clinic ${clinic} in the configuration.` });

const answer = (booking: Booking, created: boolean): AcceptedBooking => ({
  ref: booking.ref,
  state: booking.state,
  reason: booking.reason,
  message: booking.message,
  appointment_id: booking.appointment_id,
  duplicate_of: booking.duplicate_of,
  changed_at: booking.changed_at,
  created,
});
