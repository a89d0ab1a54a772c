import type { Poll } from '../domain/clinics/resource.ts';
import { STATISTICS_SHOWN } from '../domain/status/report.ts';
import type { AdminActions, AdminData, Done } from '../http/admin.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import { about, bookingActions } from './booking-actions.ts';
import { checkConnector } from './check.ts';
import { answerSilence } from './closures.ts';
import type { Parts } from './parts.ts';
import { visitsNow } from './visits-now.ts';

interface AdminOptions {
  parts: Parts;
  clock: Clock;
  syncNow: (clinic: string, poll: Poll | undefined) => Promise<void>;
}

/** A check may call a remote server. */
const CHECK_MS = 30_000;

const missing = (what: string) =>
  new Failure({ kind: 'refused', status: 404, message: `There is no ${what}.` });

/** What the status page's buttons do. */
export function adminActions({ parts, clock, syncNow }: AdminOptions): AdminActions {
  const { bookings, deliveries, store, connectors, config } = parts;
  const now = () => instant(clock.now());
  const mustHaveConnector = (name: string) => {
    if (!connectors.some(({ settings }) => settings.name === name)) throw missing(`connector ${name}`);
  };
  const mustHaveClinic = (key: string) => {
    if (!config.clinics.some((clinic) => clinic.key === key)) throw missing(`clinic ${key}`);
  };
  const decided = async (connector: string, decision: 'retry' | 'skip', id: string | undefined) => {
    mustHaveConnector(connector);
    const count = await deliveries.decide(connector, decision, id);
    if (count === 0)
      throw new Failure({ kind: 'refused', message: 'There is no dead delivery to decide about.' });
    return decision === 'retry'
      ? about(connector, 'retried', `Sending ${count} again.`)
      : about(connector, 'skipped', `Skipped ${count}.`);
  };

  return announced(store, {
    ...bookingActions(bookings),
    async pauseConnector(connector, by) {
      mustHaveConnector(connector);
      await deliveries.pause(connector, by);
      return about(connector, 'paused');
    },
    async resumeConnector(connector, by) {
      mustHaveConnector(connector);
      await deliveries.resume(connector, by);
      return about(connector, 'resumed');
    },
    async checkConnector(name) {
      const unit = connectors.find(({ settings }) => settings.name === name);
      if (unit === undefined) throw missing(`connector ${name}`);
      const lines = await checkConnector(unit, { store, clock, signal: AbortSignal.timeout(CHECK_MS) });
      // Someone who has just fixed it need not wait for the pause to end.
      deliveries.wake({ connector: name, soon: 'now' });
      const now = lines.filter(({ ran }) => ran === undefined);
      const bad = now.filter(({ level }) => level !== 'ok').length;
      const found =
        bad === 0
          ? about(name, 'can_work')
          : about(name, 'cannot_work', `${name}: ${bad} of ${now.length} checks say no.`);
      return { ...found, lines };
    },
    retryDeliveries: (connector, id) => decided(connector, 'retry', id),
    skipDeliveries: (connector, id) => decided(connector, 'skip', id),
    async approveGuard(id, by) {
      if (!(await store.guards.approve(id, now(), by))) throw missing(`open guard ${id}`);
      return about(id, 'guard');
    },
    async resumeSending(clinic, by) {
      mustHaveClinic(clinic);
      await bookings.resumeSending(clinic, by);
      return about(clinic, 'sending');
    },
    async syncNow(clinic, poll) {
      mustHaveClinic(clinic);
      await syncNow(clinic, poll);
      return about(clinic, 'reading', `Reading ${poll ?? 'everything'} now.`);
    },
    answerSilence: (clinic, until) => answerSilence(clinic, until, { store, clinics: config.clinics, clock }),
  });
}

/** An action may concern a unit of another process; announced, it is noticed there within a second. */
const announced = <Actions extends AdminActions>(
  { fleet }: Parts['store'],
  actions: Actions,
): AdminActions => {
  if (fleet === undefined) return actions;
  const all = Object.entries(actions) as [string, (...given: unknown[]) => Promise<Done>][];
  return Object.fromEntries(
    all.map(([name, act]) => [
      name,
      async (...given: unknown[]) => {
        const said = await act(...given);
        // If the announcement is lost, the owner still looks within a minute.
        await fleet.announce().catch(() => {});
        return said;
      },
    ]),
  ) as unknown as AdminActions;
};

/** Bookings as signed-in people see them. */
export const adminData = ({
  bookings,
  store,
  clock,
}: Pick<Parts, 'bookings' | 'store'> & { clock: Clock }): AdminData => ({
  async booking(ref) {
    const booking = await store.bookings.get(ref);
    if (booking === undefined) return undefined;
    const [{ sentence, actions, settlesInMs }, chosen, choices, undo, events, alike, visits] =
      await Promise.all([
        bookings.describe(ref),
        bookings.chosen(booking),
        bookings.choices(booking),
        bookings.undoable(ref),
        store.bookings.events(ref),
        bookings.alike(booking),
        visitsNow(store, [booking]),
      ]);
    const compared = await Promise.all(
      alike.map(async (one) => ({ ...one, chosen: await bookings.chosen(one) })),
    );
    const [first, ...others] = compared;
    const resembles = booking.duplicate_of === null ? null : (first ?? null);
    const versions = resembles === null ? compared : others;
    return {
      ...{ booking, sentence, actions, chosen, choices, events, resembles, versions },
      visit: visits.get(booking.ref) ?? null,
      zone: bookings.zoneOf(booking.clinic),
      looks_from: settlesInMs > 0 ? instant(clock.now() + settlesInMs) : null,
      undo: undo ?? null,
    };
  },
  search: bookings.search,
  async listed(all) {
    const visits = await visitsNow(store, all);
    return Promise.all(
      all.map(async (booking) => ({
        booking,
        chosen: await bookings.chosen(booking),
        zone: bookings.zoneOf(booking.clinic),
        actions: await bookings.available(booking),
        visit: visits.get(booking.ref) ?? null,
      })),
    );
  },
  async bookings({ behind: ref, source, since, until, ...filter }) {
    const behind = ref === undefined ? undefined : await store.bookings.get(ref);
    return store.bookings.list({
      ...filter,
      ...(source !== undefined && { source }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(behind && { behind }),
    });
  },
  async bookingsOf(refs) {
    const found = await Promise.all(refs.map((ref) => store.bookings.get(ref)));
    return found.filter((booking) => booking !== undefined);
  },
  figures: (clinic) => store.mirror.statistics(clinic, STATISTICS_SHOWN),
});
