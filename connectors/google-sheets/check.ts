import {
  type CheckLine,
  type ConnectorContext,
  fail,
  ok,
  stated,
  statedFrom,
  warn,
} from '../../src/connector.ts';
import { asFailure } from '../../src/platform/failure.ts';
import { localeOf } from '../../src/platform/text/locale.ts';
import type { SheetsClient } from './api/client.ts';
import { type GoogleCredentials, isOpenToOthers } from './api/credentials.ts';
import { unbookedTicks } from './bookings/read-row.ts';
import { claimOwnership } from './owner.ts';
import { refusedParts } from './refused-parts.ts';
import { oddLooks } from './repair.ts';
import type { GoogleSheetsSettings } from './settings.ts';
import { type Closed, type Snapshot, snapshotOf } from './sheet/snapshot.ts';
import { AS_OF } from './sheet/tab-spec.ts';
import { layoutOf } from './tabs/columns.ts';

interface Checking {
  context: ConnectorContext<GoogleSheetsSettings>;
  opened: () => Promise<{ credentials: GoogleCredentials; client: SheetsClient }>;
}

/** Checks everything from the key to the last column. Changes nothing, never throws. */
export async function checkSpreadsheet(
  { context, opened }: Checking,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const add = (line: CheckLine) => void lines.push(line);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      signal.throwIfAborted();
      await work();
    } catch (error) {
      if (signal.aborted) return;
      const { message, hint = 'Try again; if it stays, look into the log.' } = asFailure(error, 'The check');
      add(fail({ message, hint }));
    }
  };

  const { settings, instance, name } = context;
  await attempt(async () => {
    const { client, credentials } = await opened();
    add(ok(stated('check_key', { address: credentials.address })));
    const { credentials_file: file } = settings;
    if (await isOpenToOthers(file).catch(() => undefined))
      add(warn(stated('check_key_open', { file: String(file) })));
    await client.signIn(signal);
    add(ok(stated('check_token', {})));
    const structure = snapshotOf(await client.structure(signal), {});
    add(ok(stated('check_read', { title: structure.title })));
    await attempt(async () => {
      await client.probeWrite(signal);
      add(ok(stated('check_write', { address: credentials.address })));
    });
    await attempt(async () => {
      const isInBin = await client.isInBin(signal);
      if (isInBin === true) add(fail(stated('sheet_in_bin', {})));
      else if (isInBin === undefined && credentials.kind === 'service_account')
        add(warn(stated('check_bin', {})));
    });
    await attempt(async () => {
      const signing = claimOwnership(structure, { me: `${instance}/${name}`, adopt: settings.adopt });
      add(ok(stated(signing.length === 0 ? 'check_keeper' : 'check_keeper_none', {})));
    });
    await attempt(async () => void lines.push(...(await tabLines(context, client, structure, signal))));
    const message = localeOf(settings.language).t('sheet_message');
    for (const { timezone: zone } of settings.tabs.includes('bookings') ? context.clinics : [])
      if (isMonthFirst(structure.locale) && !zonesOfMonthFirst.test(zone))
        add(warn(stated('check_month_first', { locale: structure.locale, zone, message })));
    add(ok(stated('check_locale', { locale: structure.locale, zone: structure.timeZone })));
  });
  return lines;
}

const zonesOfMonthFirst = /^(America|US)\/|^Pacific\/(Honolulu|Guam|Pago_Pago|Saipan)$|^Asia\/Manila$/;

/** Google writes locales as `en_US`. */
function isMonthFirst(locale: string): boolean {
  const [tag] = Intl.DateTimeFormat.supportedLocalesOf(
    [locale.replace('_', '-')].filter((one) => /^[a-z]{2,3}(-\w+)?$/i.test(one)),
  );
  if (tag === undefined) return false;
  const parts = new Intl.DateTimeFormat(tag).formatToParts(0).map(({ type }) => type);
  return parts.indexOf('month') < parts.indexOf('day') && parts.indexOf('day') < parts.indexOf('year');
}

/** Titles of the copies that may be deleted, and the rows that people ticked in others. */
async function copiesOf(
  { clinics }: ConnectorContext<GoogleSheetsSettings>,
  client: SheetsClient,
  { copies }: Snapshot,
  signal: AbortSignal,
): Promise<{ records: string[]; ticked: number }> {
  const ids = copies.filter(({ key }) => key === 'bookings').map(({ sheetId }) => sheetId);
  const raw = ids.length === 0 ? {} : await client.tabs(ids, { results: true }, signal);
  const { tabs, copies: others } = snapshotOf(raw, {});
  const keys = clinics.map(({ clinic }) => clinic);
  const ticks = new Map([...tabs.values(), ...others].map((tab) => [tab.sheetId, unbookedTicks(tab, keys)]));
  const isTicked = ({ sheetId }: { sheetId: number }) => (ticks.get(sheetId) ?? 0) > 0;
  return {
    records: copies.filter((tab) => !isTicked(tab)).map(({ title }) => title),
    ticked: [...ticks.values()].reduce((sum, count) => sum + count, 0),
  };
}

const quoted = ({ description }: Closed): string => (description ? ` (“${description}”)` : '');

async function tabLines(
  context: ConnectorContext<GoogleSheetsSettings>,
  client: SheetsClient,
  structure: Snapshot,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const { settings, clinics, includePatient } = context;
  const lines: CheckLine[] = [];
  const add = (...line: Parameters<typeof warn>) => void lines.push(warn(...line));
  const there = settings.tabs.flatMap((key) => structure.tabs.get(key) ?? []);
  const missing = settings.tabs.filter((key) => !structure.tabs.has(key));
  const ids = there.map(({ sheetId }) => sheetId);
  const { tabs } =
    ids.length === 0 ? structure : snapshotOf(await client.tabs(ids, { results: false }, signal), {});
  for (const tab of tabs.values()) {
    const { columns } = layoutOf(tab.key, {
      ...{ several: clinics.length > 1, includePatient, language: settings.language },
    });
    const of = (some: readonly { header: string }[]) => ({
      ...{ connector: context.name, place: tab.title },
      columns: some.map(({ header }) => header).join(', '),
    });
    const gone = columns.filter(({ key }) => key !== AS_OF && !tab.columns.has(key));
    if (gone.length > 0) add(stated('check_columns', of(gone)));
    const odd = await oddLooks(client, tab, columns, signal);
    if (odd.length > 0) add(stated('check_looks', of(odd)));
    for (const closed of tab.closed.filter(({ isMerge }) => !isMerge))
      add(stated('check_protection', { place: `${tab.title}${quoted(closed)}` }));
  }
  const { records, ticked } = await copiesOf(context, client, structure, signal);
  if (ticked > 0) lines.push(fail(statedFrom('copy_ticked', { count: ticked })));
  if (records.length > 0) add(stated('check_copies', { tabs: records.join(', ') }));
  for (const { code, values } of await refusedParts(context)) lines.push(fail(statedFrom(code, values)));
  const tabNames = there.map(({ title }) => title).join(', ') || '–';
  const made =
    missing.length === 0
      ? stated('check_tabs', { tabs: tabNames })
      : stated('check_tabs_later', { tabs: tabNames, missing: missing.join(', ') });
  return [...lines, ok(made)];
}
