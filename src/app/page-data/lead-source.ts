import type { Config } from '../../config/config.ts';
import { CLOSURES, closureIn } from '../../domain/clinics/closure.ts';
import { daysAfter, startOfDay, wallClockAt } from '../../domain/date-time.ts';
import type { AskedSource, LeadSource, SourceAlarm } from '../../http/admin.ts';
import { LEARNED_MS, silenceAlert, silenceOf } from '../../notify/silence.ts';
import { type Clock, instant, toMs } from '../../platform/clock.ts';
import { probed, probeKey, probeNeed } from '../../status/probes.ts';
import type { Store } from '../../store/store.ts';
import type { ConnectorUnit } from '../units/connector-unit.ts';

interface Options {
  store: Pick<Store, 'bookings' | 'keyValue'>;
  connectors: readonly (Pick<ConnectorUnit, 'settings'> & Partial<Pick<ConnectorUnit, 'connector'>>)[];
  config: Pick<Config, 'clinics'>;
  clock: Clock;
}

const LATEST = 20;
/** Each costs a read of eight weeks. */
const MOST_CLINICS = 50;

/** What came through a connector, and whether its form works. Undefined if it is not configured. */
export async function leadSource(
  { store, connectors, config, clock }: Options,
  { name, address, link }: AskedSource,
): Promise<LeadSource | undefined> {
  const unit = connectors.find((one) => one.settings.name === name);
  if (unit === undefined) return undefined;
  const { settings, connector: { intake } = {} } = unit;
  const now = clock.now();
  const clinics = config.clinics.filter(({ key }) => settings.clinics.includes(key));
  const [latest, probes, rates] = await Promise.all([
    store.bookings.list({ source: name, limit: LATEST }),
    probesOf(name, settings.clinics, store),
    clinics.length > MOST_CLINICS
      ? null
      : Promise.all(clinics.map((clinic) => rateOf(name, clinic, store, now))),
  ]);
  // Its process may have ended, which the page is to say.
  const setup = await (async () => intake?.setup?.(address, link))().catch(() => undefined);
  return {
    setup: setup ? { ...setup, address } : null,
    canTry: intake?.sample !== undefined,
    latest,
    last_28_days: rates === null ? null : rates.reduce((sum, { count }) => sum + count, 0),
    probe: probes.probe,
    alarms: [...probes.alarms, ...(rates ?? []).flatMap(({ silence }) => silence ?? [])],
  };
}

async function probesOf(name: string, clinics: readonly string[], store: Options['store']) {
  const notes = await probed(store);
  const own = clinics.flatMap((clinic) => {
    const note = notes.get(probeKey(name, clinic, clinics));
    return note === undefined ? [] : { ...note, clinic: clinics.length > 1 ? clinic : undefined };
  });
  const alarms = own.flatMap(({ clinic, at, since, fault }): SourceAlarm[] =>
    fault === null ? [] : [probeNeed({ connector: name, clinic, since: since ?? at, fault })],
  );
  const at = own
    .map((note) => note.at)
    .toSorted()
    .at(-1);
  return { probe: at === undefined ? null : { at, works: alarms.length === 0 }, alarms };
}

async function rateOf(
  source: string,
  { key: clinic, timezone: zone }: Config['clinics'][number],
  { bookings, keyValue }: Options['store'],
  now: number,
): Promise<{ count: number; silence?: SourceAlarm }> {
  const [all, closed] = await Promise.all([
    bookings.leadsPerQuarter(clinic, instant(now - LEARNED_MS)),
    keyValue.get(CLOSURES, clinic),
  ]);
  const quarters = all
    .filter((one) => one.source === source)
    .map(({ at, count }) => ({ ms: toMs(at), count }));
  const since = startOfDay(daysAfter(wallClockAt(now, zone).date, -27), zone);
  const count = quarters.reduce((sum, one) => sum + (one.ms >= since ? one.count : 0), 0);
  const silence = silenceOf({ quarters }, { now, zone, closure: closureIn(closed) });
  return { count, ...(silence && { silence: silenceAlert({ clinic, source, quarters }, silence, null) }) };
}
