import type { ClinicSettings } from '../config/config.ts';
import type { Booking } from '../domain/bookings/booking.ts';
import type { AvailableAction } from '../domain/bookings/booking-actions.ts';
import { seenOf } from '../domain/bookings/booking-seen.ts';
import { standing } from '../domain/bookings/booking-versions.ts';
import { type Instant, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { BookingParts } from './booking-parts.ts';
import type { Settling } from './clinic-counter.ts';
import type { ClinicUnit } from './clinic-unit.ts';
import { doubtAbout, readDoubt } from './doubt.ts';
import type { IntakeVerdict } from './intake/check.ts';
import type { Intake } from './intake/intake.ts';
import { holds } from './messages.ts';
import { availableActions, type Circumstances } from './review/available-actions.ts';
import { createDecisions, type Decisions } from './review/decisions.ts';
import { type Description, describe } from './review/explain.ts';
import {
  allowed,
  changedSince,
  type DecisionContext,
  findBooking,
  type Review,
} from './review/transitions.ts';

/** What users do with bookings. An action that is not available throws `Failure` refused and changes nothing. */
export interface Actions extends Decisions {
  /** Probes the clinic for an unknown booking at a user's request. Takes up to two minutes. */
  reconcile(ref: string, by: string): Promise<Description>;
  /** Records that a user has seen the difference between a booked appointment and the request. */
  acknowledge(ref: string, by: string, asked?: DecisionContext): Promise<void>;
  describe(ref: string): Promise<Description & { settlesInMs: number }>;
  /**
   * What to compare it with: the booking it is held beside, or that now counts of its submission; then the others made
   * of the submission that were not dropped.
   */
  alike(booking: Booking): Promise<Booking[]>;
  /** What a user can do with it now, the usual action first. */
  available(booking: Booking): Promise<AvailableAction[]>;
}

interface ActionsOptions extends BookingParts {
  units: ReadonlyMap<string, Pick<ClinicUnit, 'reads' | 'probe' | 'settings'>>;
  intake: Intake;
  settling: Settling;
  zoneOf: (clinic: string) => string;
  isRestored: () => boolean;
  stopping: AbortSignal;
}

export function createActions(options: ActionsOptions): Actions {
  const { store, units, clock, log, onBookingChanged, zoneOf, isRestored, stopping } = options;
  const review: Review = {
    ...options,
    readsOf: (clinic) => units.get(clinic)?.reads,
    circumstances: (booking) => circumstancesOf(options, booking),
    signal: stopping,
  };
  const explained = async (booking: Booking): Promise<Description> =>
    describe(booking, zoneOf(booking.clinic), availableActions(booking, await review.circumstances(booking)));

  return {
    ...createDecisions(review),
    async acknowledge(ref, by, asked) {
      const { booking } = await allowed(review, ref, 'acknowledge', asked);
      const noted = await store.bookings.note({
        ref,
        attempt: booking.attempt,
        seen: seenOf(booking),
        evidence: { mismatch: [], verification: 'acknowledged', seen_by: by },
        verified_at: instant(clock.now()),
      });
      if (!noted) throw await changedSince(review, booking);
      log.info('difference acknowledged', { ref });
    },
    async reconcile(ref, by) {
      const { booking } = await allowed(review, ref, 'reconcile');
      const unit = units.get(booking.clinic);
      if (unit === undefined) throw noSuchClinic(booking.clinic);
      const probed = await unit.probe(booking, by, stopping);
      onBookingChanged(probed);
      return await explained(probed);
    },
    available: async (booking) => availableActions(booking, await review.circumstances(booking)),
    alike: (booking) => alike(store, booking),
    async describe(ref) {
      const booking = await findBooking(store, ref);
      const around = await review.circumstances(booking);
      const mayLook = around.mayProbe && around.settlesInMs > 0;
      const description = {
        ...describe(booking, zoneOf(booking.clinic), availableActions(booking, around)),
        settlesInMs: mayLook ? around.settlesInMs : 0,
      };
      // A booking that was held or had ended when the copy was made may have been approved since.
      const isForgotten = booking.state === 'rejected' || booking.state === 'expired';
      const isReleasable = isForgotten || booking.state === 'held';
      const doubt = isReleasable ? await readDoubt(store, booking.clinic) : undefined;
      const isAsked = doubtAbout(booking, doubt, instant(clock.now())) !== undefined;
      if (!isAsked && !(isForgotten && isRestored())) return description;
      const sentence = `${holds.restored_state.means} When it was made: ${description.sentence}`;
      return { ...description, sentence };
    },
  };
}

async function alike(store: BookingParts['store'], booking: Booking): Promise<Booking[]> {
  const { state, duplicate_of, changed_fields } = booking;
  const versions = await otherVersions({ store }, booking);
  const named = duplicate_of === null ? undefined : await store.bookings.get(duplicate_of);
  const replaces = state === 'held' && changed_fields.length > 0 ? standing(versions) : undefined;
  const first = replaces ?? named;
  const others = versions.filter(({ ref, state }) => ref !== first?.ref && state !== 'dropped');
  return [...(first === undefined ? [] : [first]), ...others];
}

export const noSuchClinic = (clinic: string) =>
  new Failure({ kind: 'refused', message: `There is no clinic ${clinic} in the configuration.` });

/** The circumstances that decide which actions are offered, accepted and refused. */
async function circumstancesOf(
  { store, clock, units, intake, settling }: ActionsOptions,
  booking: Booking,
): Promise<Circumstances & { verdict: IntakeVerdict }> {
  const settings: ClinicSettings | undefined = units.get(booking.clinic)?.settings;
  const now = instant(clock.now());
  return {
    clinicKnown: settings !== undefined,
    verdict: await intake.checkAgain(booking, booking, 'person'),
    settlesInMs: booking.state === 'unknown' ? settling.inMs(booking) : 0,
    mayProbe: settings !== undefined && settings.bookings.reconcile !== 'off',
    first: booking.changed_fields.length > 0 ? await firstOf(store, booking, now) : undefined,
  };
}

/**
 * The booking that a change would replace. One that the database may have forgotten sending counts as held
 * (`restored_state`).
 */
async function firstOf(store: BookingParts['store'], change: Booking, now: Instant) {
  const first = standing(await otherVersions({ store }, change));
  if (first === undefined) return undefined;
  const doubt = await readDoubt(store, first.clinic);
  return doubtAbout(first, doubt, now) ? { ...first, reason: 'restored_state' } : first;
}

/** The other bookings made of the same submission, newest first, and the one that this booking changes. */
async function otherVersions({ store }: Pick<BookingParts, 'store'>, booking: Booking): Promise<Booking[]> {
  const { ref, clinic, source, submission_id, duplicate_of, changed_fields } = booking;
  const own =
    submission_id === null
      ? []
      : await store.bookings.ofSource(clinic, source, { submission_ids: [submission_id] });
  const isElsewhere =
    duplicate_of !== null && changed_fields.length > 0 && own.every((one) => one.ref !== duplicate_of);
  const first = isElsewhere ? await store.bookings.get(duplicate_of) : undefined;
  return [...own.filter((one) => one.ref !== ref), ...(first === undefined ? [] : [first])];
}
