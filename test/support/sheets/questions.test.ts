import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../connectors/google-sheets/api/client.ts';
import { readCredentials } from '../../../connectors/google-sheets/api/credentials.ts';
import { GoogleSheetsSettings } from '../../../connectors/google-sheets/settings.ts';
import { harsh, kind } from '../../../sandbox/google-sheets/behavior.ts';
import { startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../fake-clock.ts';
import { sheetsRig } from './kit.ts';
import { askSheets, report } from './questions.ts';

it.each([
  ['kind', kind, true],
  ['harsh', harsh, false],
] as const)('finds out what a %s server does', async (_name, behavior, found) => {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock, behavior });
  onTestFinished(() => sandbox.close());
  await (await sheetsRig({ sandbox, clock })).converge();
  const { spreadsheetId, url } = sandbox;
  const settings = { spreadsheet: spreadsheetId, credentials: JSON.stringify(sandbox.credentials) };
  const credentials = await readCredentials(GoogleSheetsSettings.parse(settings));
  const client = await createClient({
    ...{ credentials, spreadsheetId, clock },
    apiUrl: `${url}/`,
    random: () => 0,
  });

  const findings = await askSheets(client, 77, new AbortController().signal);

  expect(findings).toEqual({
    filteredReadingsHaveOwners: found,
    listsTakeFormulas: found,
    checkboxesTakeAnything: found,
    lineBreaksAreKept: found,
  });
  expect(report(findings, '2026-03-02')).toContain(`| \`listsTakeFormulas\` | ${found} |`);
});
