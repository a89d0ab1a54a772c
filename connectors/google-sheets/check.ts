import type { CheckLine, ConnectorContext } from '../../src/connector.ts';
import { asFailure } from '../../src/platform/failure.ts';
import type { SheetsClient } from './api/client.ts';
import { type Credentials, isOpenToOthers } from './api/credentials.ts';
import { claimOwnership } from './owner.ts';
import type { GoogleSheetsSettings } from './settings.ts';
import { type Snapshot, snapshotOf } from './sheet/snapshot.ts';
import { layoutOf } from './tabs/columns.ts';

interface Checking {
  context: ConnectorContext<GoogleSheetsSettings>;
  opened: () => Promise<{ credentials: Credentials; client: SheetsClient }>;
}

/** From the key to the last column: what works, what does not, and what to do. Changes nothing, never throws. */
export async function checkSpreadsheet(
  { context, opened }: Checking,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  /** False: what follows makes no sense without it. */
  const step = async (work: () => Promise<string>): Promise<boolean> => {
    try {
      signal.throwIfAborted();
      lines.push({ level: 'ok', what: await work() });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const { message, hint } = asFailure(error, 'The check');
      lines.push({
        level: 'fail',
        what: message,
        hint: hint ?? 'Try again; if it stays, look into the log.',
      });
      return false;
    }
  };

  let parts: Awaited<ReturnType<Checking['opened']>> | undefined;
  const hasKey = await step(async () => {
    parts = await opened();
    return `key: of ${parts.credentials.email} (the address to share the spreadsheet with)`;
  });
  if (!hasKey || parts === undefined) return lines;
  const { client, credentials } = parts;
  const { credentials_file: file } = context.settings;
  if (await isOpenToOthers(file).catch(() => undefined))
    lines.push({
      level: 'warn',
      what: `key: ${file} can be read by other users of this machine`,
      hint: `Run: chmod 600 ${file}`,
    });

  if (
    !(await step(async () => {
      await client.signIn(signal);
      return 'token: Google accepts the key';
    }))
  )
    return lines;
  let snapshot: Snapshot | undefined;
  const mayRead = await step(async () => {
    snapshot = snapshotOf(await client.structure(signal), {});
    return `read: “${snapshot.title}” can be read`;
  });
  if (!mayRead || snapshot === undefined) return lines;
  await step(async () => {
    await client.probeWrite(signal);
    return `write: ${credentials.email} may change it`;
  });
  const { title: _title, ...found } = snapshot;
  await step(async () => {
    const { instance, name, settings } = context;
    const signing = claimOwnership(found as Snapshot, { me: `${instance}/${name}`, adopt: settings.adopt });
    return signing.length === 0 ? 'keeper: this installation' : 'keeper: none yet; the first run signs it';
  });
  await step(() => describeTabs(context, client, found as Snapshot, lines, signal));
  lines.push({ level: 'ok', what: `locale ${found.locale}, time zone ${found.timeZone}` });
  return lines;
}

async function describeTabs(
  { settings, clinics, includePatient }: ConnectorContext<GoogleSheetsSettings>,
  client: SheetsClient,
  structure: Snapshot,
  lines: CheckLine[],
  signal: AbortSignal,
): Promise<string> {
  const there = settings.tabs.flatMap((key) => structure.tabs.get(key) ?? []);
  const missing = settings.tabs.filter((key) => !structure.tabs.has(key));
  const ids = there.map(({ sheetId }) => sheetId);
  const { tabs } =
    ids.length === 0 ? structure : snapshotOf(await client.tabs(ids, { results: false }, signal), {});
  for (const tab of tabs.values()) {
    const { columns } = layoutOf(tab.key, { several: clinics.length > 1, includePatient });
    const gone = columns.filter(({ key }) => !tab.columns.has(key)).map(({ header }) => header);
    if (gone.length > 0)
      lines.push({
        level: 'warn',
        what: `columns: ${tab.title} is without ${gone.join(', ')}`,
        hint: 'That is respected. To have them back: clinic-sync connectors repair.',
      });
    for (const { description } of tab.closed)
      lines.push({
        level: 'warn',
        what: `protection: a range of ${tab.title}${description ? ` (“${description}”)` : ''} is closed to us`,
        hint: 'Under Data, Protected sheets and ranges, allow the address above to edit it.',
      });
  }
  if (structure.copies.length > 0)
    lines.push({
      level: 'warn',
      what: `tabs: ${structure.copies.map(({ title }) => title).join(', ')} is a copy of a tab that clinic-sync keeps, and is not kept up to date`,
      hint: 'Keep it as a record, or delete it.',
    });
  const made = there.map(({ title }) => title).join(', ') || 'none yet';
  return missing.length === 0
    ? `tabs: ${made}`
    : `tabs: ${made}; made with the first run: ${missing.join(', ')}`;
}
