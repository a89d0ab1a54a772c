import { type CheckLine, type ConnectorContext, fail, ok, stated, warn } from '../../src/connector.ts';
import { asFailure } from '../../src/platform/failure.ts';
import type { SheetsClient } from './api/client.ts';
import { type Credentials, isOpenToOthers } from './api/credentials.ts';
import { claimOwnership } from './owner.ts';
import type { GoogleSheetsSettings } from './settings.ts';
import { type Snapshot, snapshotOf } from './sheet/snapshot.ts';
import { layoutOf } from './tabs/columns.ts';
import { AS_OF } from './tabs/tab-spec.ts';

interface Checking {
  context: ConnectorContext<GoogleSheetsSettings>;
  opened: () => Promise<{ credentials: Credentials; client: SheetsClient }>;
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
    add(ok(`key: of ${credentials.address} (the address to share the spreadsheet with)`));
    const { credentials_file: file } = settings;
    if (await isOpenToOthers(file).catch(() => undefined))
      add(warn(`key: ${file} can be read by other users of this machine`, `Run: chmod 600 ${file}`));
    await client.signIn(signal);
    add(ok('token: Google accepts the key'));
    const structure = snapshotOf(await client.structure(signal), {});
    add(ok(`read: “${structure.title}” can be read`));
    await attempt(async () => {
      await client.probeWrite(signal);
      add(ok(`write: ${credentials.address} may change it`));
    });
    await attempt(async () => {
      const isInBin = await client.isInBin(signal);
      if (isInBin === true) add(fail(stated('sheet_in_bin', {})));
      else if (isInBin === undefined && credentials.kind === 'service_account')
        add(
          warn(
            'bin: it could not be seen whether the spreadsheet is in the bin of Google Drive',
            'In the Google Cloud console open APIs & Services, search for Google Drive API and press Enable.',
          ),
        );
    });
    await attempt(async () => {
      const signing = claimOwnership(structure, { me: `${instance}/${name}`, adopt: settings.adopt });
      add(
        ok(signing.length === 0 ? 'keeper: this installation' : 'keeper: none yet; the first run signs it'),
      );
    });
    await attempt(async () => void lines.push(...(await tabLines(context, client, structure, signal))));
    add(ok(`locale ${structure.locale}, time zone ${structure.timeZone}`));
  });
  return lines;
}

async function tabLines(
  { settings, clinics, includePatient }: ConnectorContext<GoogleSheetsSettings>,
  client: SheetsClient,
  structure: Snapshot,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const add = (...line: Parameters<typeof warn>) => void lines.push(warn(...line));
  const there = settings.tabs.flatMap((key) => structure.tabs.get(key) ?? []);
  const missing = settings.tabs.filter((key) => !structure.tabs.has(key));
  const ids = there.map(({ sheetId }) => sheetId);
  const { tabs } =
    ids.length === 0 ? structure : snapshotOf(await client.tabs(ids, { results: false }, signal), {});
  for (const tab of tabs.values()) {
    const { columns } = layoutOf(tab.key, { several: clinics.length > 1, includePatient });
    const gone = columns
      .filter(({ key }) => key !== AS_OF && !tab.columns.has(key))
      .map(({ header }) => header);
    if (gone.length > 0)
      add(
        `columns: ${tab.title} is without ${gone.join(', ')}`,
        'That is respected. To have them back: clinic-sync connectors repair.',
      );
    for (const { description } of tab.closed.filter(({ isMerge }) => !isMerge))
      add(
        `protection: a range of ${tab.title}${description ? ` (“${description}”)` : ''} is closed to us`,
        'Under Data, Protected sheets and ranges, allow the address above to edit it.',
      );
  }
  if (structure.copies.length > 0)
    add(
      `tabs: ${structure.copies.map(({ title }) => title).join(', ')} is a copy of a tab that clinic-sync keeps, and is not kept up to date`,
      'Keep it as a record, or delete it.',
    );
  const made = there.map(({ title }) => title).join(', ') || 'none yet';
  const later = missing.length === 0 ? '' : `; made with the first run: ${missing.join(', ')}`;
  return [...lines, ok(`tabs: ${made}${later}`)];
}
