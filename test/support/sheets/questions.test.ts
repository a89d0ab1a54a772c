import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../connectors/google-sheets/api/client.ts';
import { readCredentials } from '../../../connectors/google-sheets/api/credentials.ts';
import { GoogleSheetsSettings } from '../../../connectors/google-sheets/settings.ts';
import { harsh, kind } from '../../../sandbox/google-sheets/behavior.ts';
import { startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import { knownOfGoogle } from '../../../sandbox/google-sheets/known.ts';
import { fakeClock } from '../fake-clock.ts';
import { sheetsRig } from './kit.ts';
import { askSheets, report } from './questions.ts';

const about = { server: 'Google Sheets', date: '2026-03-02' };

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
  const credentials = await readCredentials(GoogleSheetsSettings.parse(settings), 'accounts');
  const client = await createClient({
    connector: 'accounts',
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
    binIsTold: true,
  });
  const written = report(findings, ['Overview is not up to date.'], about);
  expect(written).toContain(
    `| a choice in a list may be a formula | unknown (the contract: not supported) | ${found} |`,
  );
  expect(written).toContain(
    '| a chart over rows of one tab is taken | documented | no: Overview is not up to date. |',
  );
  expect(written).not.toContain('not asked');
});

it('knows of each thing how the sandbox does it, and what decides it', async () => {
  const sandbox = await startSheetsSandbox();
  onTestFinished(() => sandbox.close());
  const switches = knownOfGoogle.flatMap((row) => (row.sandbox === 'always' ? [] : [row.sandbox]));

  expect(switches.flatMap(({ behavior }) => behavior ?? []).sort()).toEqual(Object.keys(harsh).sort());
  for (const { action } of switches)
    if (action) expect(sandbox.control.userActions[action]).toBeTypeOf('function');
  for (const { control } of switches) if (control) expect(sandbox.control[control]).toBeTypeOf('function');
  const manual = knownOfGoogle.flatMap(({ live }) => (typeof live === 'string' ? [] : [live.manual]));
  const written = report({}, [], about);
  expect(manual.filter((text) => !written.includes(`- [ ] ${text}`))).toEqual([]);
  expect(knownOfGoogle.filter(({ what }) => !written.includes(what))).toEqual([]);
});
