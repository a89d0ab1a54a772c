import type { Clinic } from '../clinic/clinic.ts';
import type { ClinicSettings } from '../config/config.ts';
import type { BookingPort } from '../connector.ts';
import type { Booking, Submission } from '../domain/bookings/booking.ts';
import type { Choices, ChosenNames } from '../domain/bookings/booking-actions.ts';
import type { RehearsalPort } from '../domain/bookings/probe.ts';
import { outcomeReader, type StatusOutcome } from '../domain/bookings/status-outcome.ts';
import { comparablePhone } from '../domain/phone.ts';
import type { Alarm, ClinicReport, Need } from '../domain/status/report.ts';
import type { Clock } from '../platform/clock.ts';
import { type ClockTrust, createClockTrust } from '../platform/clock-trust.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { failureSentence } from '../platform/text/sentences.ts';
import { alone, noTenure, type Tenure } from '../store/ports/fleet.ts';
import { ownedStore, type Store } from '../store/store.ts';
import { type Actions, createActions, noSuchClinic } from './actions.ts';
import { createChanges } from './booking-changes.ts';
import type { BookingParts } from './booking-parts.ts';
import { createSettling } from './clinic-counter.ts';
import { type ClinicUnit, createClinicUnit, pauseNeed } from './clinic-unit.ts';
import { loadStates } from './dispatch/stored-state.ts';
import { createBookingPort } from './intake/booking-port.ts';
import { blocking } from './intake/check.ts';
import { type ChoiceOf, choicesFor, chosenNames, createFacts, type FactsSource } from './intake/facts.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import type { Fault } from './intake/read-fields.ts';
import { comparingMessage } from './messages.ts';
import { distrustRestored, recoverClinic, startHoldingWithoutClinic } from './recovery.ts';
import type { ReviewItem } from './review/review-item.ts';
import { createReviewQueue } from './review/review-queue.ts';
import { searchBookings } from './review/search.ts';
import { readAllUnattended } from './unattended.ts';

interface BookingsOptions {
  store: Store;
  clinics: ReadonlyMap<string, { clinic: Clinic; settings: ClinicSettings }>;
  sources: ReadonlyMap<string, { approval: 'none' | 'required' }>;
  clock: Clock;
  log: Log;
  /** After every move of a booking, so that deliveries can go out at once. Must not throw. */
  onBookingChanged?: (booking: Booking) => void;
  /** Shared with everything else that must not believe a clock that has leapt. */
  trust?: ClockTrust;
  /** In [0, 1); for the jitter of waits. */
  random?: () => number;
}

/** Every lead becomes one booking: sent at most once, or put to a user for a decision. See docs/bookings.md. */
export interface Bookings extends BookingPort, RehearsalPort, Actions {
  /** Reads again which clinics are paused, of those that another process may run. */
  loadPauses(): Promise<void>;
  /** Holds the bookings of a restored older copy. Call once, before any clinic starts. */
  begin(): Promise<void>;
  /** At most 9 s: a booking on the wire gets 8 s for its answer and is then recorded as unknown. Idempotent. */
  stop(): Promise<void>;
  /**
   * Recovers what a crash left behind, then sends over this connection for as long as the tenure lasts.
   */
  startClinic(clinic: Clinic, tenure?: Tenure): Promise<void>;
  /**
   * Like `stop`, for one clinic: its leads are stored and wait until it starts again. Users' requests for it go through
   * `instead` from now on.
   */
  stopClinic(clinic: string, instead?: Clinic): Promise<void>;
  /** Whether a booking of this clinic may be on the wire. */
  isSending(clinic: string): boolean;
  /**
   * Handles bookings without a clinic. `elsewhere`: clinics that other processes handle, asked every hour. `alarms`:
   * what of it fails.
   */
  startUpkeep(
    store?: Store,
    elsewhere?: () => Promise<string[]>,
  ): Promise<{ alarms(): Alarm[]; stop(): Promise<void> }>;
  /** The mirror of this clinic (of any, if omitted) changed, or there may be something to send to it. */
  wake(clinic?: string): void;
  /** The clinic's names for the dentist and treatment that the booking refers to by number. */
  chosen(booking: Booking): Promise<ChosenNames>;
  /** The dentists and treatments a user can choose for it, by the clinic's names. */
  choices(booking: ChoiceOf): Promise<Record<'doctor' | 'treatment', Choices>>;
  /** The faults of a submission; stores nothing. `isBlocking`: those that no approval lifts. */
  faults(submission: Submission): Promise<(Fault & { isBlocking: boolean })[]>;
  /** The keys of the configured clinics. */
  clinics(): string[];
  /**
   * Bookings matching a name, a phone number in any format or its end, a reference, an appointment number or an e-mail
   * address.
   */
  search(text: string, limit: number): Promise<Booking[]>;
  /** What a status of this clinic's appointments means. */
  outcomeOf(clinic: string, status: string): StatusOutcome;
  /** A clinic's time zone (IANA name). */
  zoneOf(clinic: string): string;
  sendingState(clinic: string): ClinicReport['lane'];
  /** Takes effect at once in the daemon, otherwise within seconds. False: nothing is paused. */
  resumeSending(clinic: string, by: string): Promise<boolean>;
  /** Bookings that wait for a user, the most urgent first, with the alerts that are due. */
  reviewItems(): Promise<ReviewItem[]>;
  /** `reviewItems()` and paused clinics, for the status page. */
  needs(): Promise<Need[]>;
}

export function createBookings(options: BookingsOptions): Bookings {
  const { store, clinics, sources, clock, log, random = Math.random } = options;
  const { trust = createClockTrust({ clock, log }) } = options;
  const stopping = new AbortController();
  const units = new Map<string, ClinicUnit>();
  const changes = createChanges();
  const { onBookingChanged } = changes;
  const unitNamed = (clinic: string): ClinicUnit => {
    const unit = units.get(clinic);
    if (unit === undefined) throw noSuchClinic(clinic);
    return unit;
  };
  if (options.onBookingChanged !== undefined) changes.subscribe(options.onBookingChanged);

  const isRestored = () =>
    store.identity.restored ||
    [...units.values()].some(({ dispatcher }) => dispatcher.view().pause?.kind === 'restored');
  const settingsOf = new Map([...clinics].map(([key, { settings }]) => [key, settings]));
  const facts = createFacts({ store, clock });
  const intake = createIntake({ store, clinics: settingsOf, sources, facts, clock, trust, isRestored });
  const settling = createSettling(clock);
  /** Bookings without a clinic use the first clinic's time zone. */
  const [first] = settingsOf.values();
  const zoneOf = (clinic: string) => (settingsOf.get(clinic) ?? first)?.timezone ?? 'UTC';
  const reviewQueue = createReviewQueue({ store, zoneOf, clock, log });
  const parts = { store, clock, log, onBookingChanged };
  /** Without a tenure the unit only serves users and sends nothing. */
  const unitOf = (clinic: Clinic, settings: ClinicSettings, tenure?: Tenure) =>
    createClinicUnit({
      ...parts,
      ...{ clinic, settings, facts, settling, intake, changes, random, trust },
      tenure: tenure ?? noTenure,
      store: tenure === undefined ? store : ownedStore(store, tenure),
      unfenced: store,
    });
  for (const [key, { clinic, settings }] of clinics) units.set(key, unitOf(clinic, settings));

  const shared = { ...parts, intake, stopping: stopping.signal };

  return {
    ...createBookingPort(shared),
    ...createActions({ ...shared, units, settling, zoneOf, isRestored }),
    ...sendingControls(unitNamed, store, log),
    ...lookUps({ store, settingsOf, facts, intake }),
    loadPauses: () => loadPauses(units, { store, clock }),
    begin: () => distrustRestored(parts, units),
    async stop() {
      stopping.abort(new Failure({ kind: 'transient', message: 'clinic-sync is stopping.' }));
      await Promise.all([...units.values(), reviewQueue].map((part) => part.stop()));
    },
    async startClinic(clinic, tenure = alone) {
      const before = unitNamed(clinic.key);
      await before.stop();
      const unit = unitOf(clinic, before.settings, tenure);
      try {
        await recoverClinic({ ...parts, store: ownedStore(store, tenure) }, clinic.key, unit.dispatcher);
        if (stopping.signal.aborted) return;
        // The former unit serves users until the new unit has read its pause.
        units.set(clinic.key, unit);
        await unit.start();
      } catch (error) {
        await unit.stop();
        // A stopped unit serves no users.
        units.set(clinic.key, unitOf(before.clinic, before.settings));
        throw error;
      }
    },
    async stopClinic(clinic, instead) {
      const before = unitNamed(clinic);
      await before.stop();
      if (instead === undefined) return;
      const unit = unitOf(instead, before.settings);
      // The database may be the reason for stopping; `needs` reads the pause again.
      await unit.dispatcher.loadPause().catch(() => {});
      units.set(clinic, unit);
    },
    isSending: (clinic) => unitNamed(clinic).dispatcher.isSending(),
    startUpkeep(owned = store, elsewhere = async () => []) {
      const known = async () => new Set([...units.keys(), ...(await elsewhere())]);
      return startUpkeep({ ...parts, store: owned, known, reviewQueue, changes });
    },
    wake(clinic) {
      facts.forget(clinic);
      if (clinic !== undefined) units.get(clinic)?.wake();
      else for (const unit of units.values()) unit.wake();
    },
    zoneOf,
    reviewItems: reviewQueue.waiting,
    async needs() {
      await loadPauses(units, { store, clock });
      return [...[...units.values()].flatMap(pauseNeed), ...(await reviewQueue.waiting())];
    },
  };
}

type LookUps = Pick<Bookings, 'chosen' | 'choices' | 'clinics' | 'outcomeOf' | 'faults' | 'search'>;

/** What people look up and try out. */
function lookUps({
  store,
  settingsOf,
  facts,
  intake,
}: {
  store: Store;
  settingsOf: ReadonlyMap<string, ClinicSettings>;
  facts: FactsSource;
  intake: Intake;
}): LookUps {
  const outcomes = new Map([...settingsOf].map(([key, { outcomes: own }]) => [key, outcomeReader(own)]));
  return {
    chosen: (booking) => chosenNames(facts, settingsOf.get(booking.clinic), booking),
    choices: (booking) => choicesFor(facts, settingsOf.get(booking.clinic), booking),
    clinics: () => [...settingsOf.keys()],
    outcomeOf: (clinic, status) => outcomes.get(clinic)?.(status) ?? 'unknown',
    async faults(submission) {
      const faults = await intake.validate(submission);
      return faults.map((fault) => ({ ...fault, isBlocking: blocking.has(fault.reason) }));
    },
    async search(text, limit) {
      const stored = [...settingsOf.values()].map(async (settings) => {
        const phone_e164 = comparablePhone(text, (await facts.of(settings)).country);
        return phone_e164 === null || /\p{L}/u.test(text) ? [] : [{ clinic: settings.key, phone_e164 }];
      });
      const phones = (await Promise.all(stored)).flat();
      return searchBookings({ store, text, limit, phones, clinics: [...settingsOf.keys()] });
    },
  };
}

interface UpkeepParts extends BookingParts {
  known: () => Promise<ReadonlySet<string>>;
  reviewQueue: ReturnType<typeof createReviewQueue>;
  changes: ReturnType<typeof createChanges>;
}

async function startUpkeep({ known, reviewQueue, changes, ...parts }: UpkeepParts) {
  const holding = await startHoldingWithoutClinic(parts, known);
  reviewQueue.start();
  const unsubscribe = changes.subscribe(reviewQueue.onBookingChanged);
  return {
    alarms: holding.alarms,
    async stop() {
      unsubscribe();
      await Promise.all([holding.stop(), reviewQueue.stop()]);
    },
  };
}

async function loadPauses(
  units: ReadonlyMap<string, ClinicUnit>,
  parts: Pick<BookingParts, 'store' | 'clock'>,
): Promise<void> {
  const elsewhere = () => [...units].filter(([, { isRunning }]) => !isRunning);
  if (elsewhere().length === 0) return;
  const [stateOf, unattendedOf] = await Promise.all([loadStates(parts), readAllUnattended(parts.store)]);
  // Asked again, because one that has started meanwhile knows better.
  for (const [clinic, { dispatcher }] of elsewhere()) dispatcher.show(stateOf(clinic), unattendedOf(clinic));
}

type SendingControls = Pick<Bookings, 'sendingState' | 'resumeSending'>;

function sendingControls(unitNamed: (clinic: string) => ClinicUnit, store: Store, log: Log): SendingControls {
  const dispatcherOf = (clinic: string) => unitNamed(clinic).dispatcher;
  return {
    sendingState(clinic) {
      const dispatcher = dispatcherOf(clinic);
      const { pause } = dispatcher.view();
      const comparing = dispatcher.comparing();
      const broken = store.unwritable();
      if (broken !== undefined) return { state: 'paused', reason: failureSentence(broken), since: null };
      if (pause !== null) return { state: 'paused', reason: pause.reason, since: pause.since };
      return comparing === undefined
        ? { state: 'open', reason: null, since: null }
        : { state: 'waiting', reason: comparingMessage, since: comparing.at, until: comparing.until };
    },
    async resumeSending(clinic, by) {
      const wasPaused = await dispatcherOf(clinic).resume(by);
      if (wasPaused) log.info('bookings resumed', { clinic });
      return wasPaused;
    },
  };
}
