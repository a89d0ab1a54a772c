import type { ClinicSettings } from '../config/config.ts';
import type { Booking } from '../domain/booking.ts';
import type { ActionName } from '../domain/booking-actions.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import type { Settling } from './clinic-counter.ts';
import type { ClinicUnit } from './clinic-unit.ts';
import type { Verdict } from './intake/check.ts';
import type { Intake } from './intake/intake.ts';
import { holds } from './messages.ts';
import { availableActions, type Circumstances, refusal } from './review/available-actions.ts';
import { createDecisions, type Decisions } from './review/decisions.ts';
import { type Description, describe } from './review/explain.ts';

/** What users do with bookings. An action that is not available throws `Failure` refused and changes nothing. */
export interface Actions extends Decisions {
  /** Looks for an unknown booking at the clinic, on a person's request. Takes up to two minutes. */
  reconcile(ref: string, by: string): Promise<Description>;
  /** A person has seen that a booked appointment is not as asked for. */
  acknowledge(ref: string, by: string): Promise<void>;
  describe(ref: string): Promise<Description>;
}

interface ActionsOptions {
  store: Store;
  units: ReadonlyMap<string, Pick<ClinicUnit, 'reads' | 'probe' | 'settings'>>;
  intake: Intake;
  settling: Settling;
  clock: Clock;
  log: Log;
  onBookingChanged: (booking: Booking) => void;
  zoneOf: (clinic: string) => string;
  isRestored: () => boolean;
  stopping: AbortSignal;
}

export function createActions(options: ActionsOptions): Actions {
  const { store, units, intake, clock, log, onBookingChanged, zoneOf, isRestored, stopping } = options;
  const around = (booking: Booking) => circumstancesOf(options, booking);
  const readsOf = (clinic: string) => units.get(clinic)?.reads;
  const decisions = createDecisions({
    store,
    readsOf,
    intake,
    clock,
    circumstances: around,
    signal: stopping,
  });

  const get = async (ref: string) => {
    const booking = await store.bookings.get(ref);
    if (booking === undefined)
      throw new Failure({ kind: 'refused', status: 404, message: `There is no booking ${ref}.` });
    return booking;
  };
  const allowed = async (ref: string, action: ActionName) => {
    const booking = await get(ref);
    const refused = refusal(booking, action, await around(booking));
    if (refused !== undefined) throw new Failure({ kind: 'refused', ...refused });
    return booking;
  };
  const announced = (booking: Booking): Booking => {
    onBookingChanged(booking);
    return booking;
  };
  const explained = async (booking: Booking): Promise<Description> =>
    describe(booking, zoneOf(booking.clinic), availableActions(booking, await around(booking)));

  return {
    approve: async (ref, by, why) => announced(await decisions.approve(ref, by, why)),
    async take(ref, by, why) {
      const taken = await decisions.take(ref, by, why);
      const dropped = taken.duplicate_of === null ? undefined : await store.bookings.get(taken.duplicate_of);
      if (dropped?.state === 'dropped') onBookingChanged(dropped);
      return announced(taken);
    },
    edit: async (ref, fields, by) => announced(await decisions.edit(ref, fields, by)),
    drop: async (ref, by, why) => announced(await decisions.drop(ref, by, why)),
    async resolve(ref, decision, by) {
      const resolved = await decisions.resolve(ref, decision, by);
      if (resolved.ok) onBookingChanged(resolved.booking);
      return resolved;
    },
    async acknowledge(ref, by) {
      const { attempt } = await allowed(ref, 'acknowledge');
      await store.bookings.note({
        ref,
        attempt,
        evidence: { mismatch: [], verification: 'acknowledged', seen_by: by },
        verified_at: instant(clock.now()),
      });
      log.info('difference acknowledged', { ref, kind: by === '' ? 'nobody' : 'person' });
    },
    async reconcile(ref, by) {
      const booking = await allowed(ref, 'reconcile');
      const unit = units.get(booking.clinic);
      if (unit === undefined) throw noSuchClinic(booking.clinic);
      return explained(announced(await unit.probe(booking, by, stopping)));
    },
    async describe(ref) {
      const booking = await get(ref);
      const description = await explained(booking);
      // What ended before the copy was made may have been approved after it.
      const isForgotten = booking.state === 'rejected' || booking.state === 'expired';
      if (!isForgotten || !isRestored()) return description;
      return {
        ...description,
        sentence: `${holds.restored_state.means} When it was made: ${description.sentence}`,
      };
    },
  };
}

export const noSuchClinic = (clinic: string) =>
  new Failure({ kind: 'refused', message: `There is no clinic ${clinic} in the configuration.` });

/** What is known around a booking now: it decides which actions are offered, taken and refused. */
async function circumstancesOf(
  { store, units, intake, settling }: ActionsOptions,
  booking: Booking,
): Promise<Circumstances & { verdict: Verdict }> {
  const settings: ClinicSettings | undefined = units.get(booking.clinic)?.settings;
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
}
